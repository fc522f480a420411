package rule

import (
	"bytes"
	"iter"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Transcoded reports whether key is id in another text encoding. Some tools, such as pdfcpu optimize and merge, take
// the 16 bytes of an ID for text and convert it. as names the encoding of key.
func Transcoded(id, key []byte) (as string, ok bool) {
	if bytes.Equal(id, key) || isPlain(id) && isPlain(key) {
		return "", false
	}
	for encoding, text := range Transcodings(id) {
		if string(key) == text {
			return encoding, true
		}
	}
	return "", false
}

// isPlain reports whether b is printable ASCII without escapes, which each encoding below keeps, or puts next to zeros.
func isPlain(b []byte) bool {
	return !bytes.ContainsFunc(b, func(r rune) bool { return r < ' ' || r > '~' || r == '\\' })
}

// Transcodings yields the possible results of such a conversion of b, each with the name of its encoding.
func Transcodings(b []byte) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, taken := range [][]byte{b, Unescaped(b)} {
			for _, text := range readings(taken) {
				wide := utf16Text(text, false)
				if !yield("UTF-8", text) || !yield("UTF-16", "\xfe\xff"+wide) || !yield("UTF-16 without a byte order mark", wide) ||
					!yield("UTF-8 with a byte order mark", "\xef\xbb\xbf"+text) {
					return
				}
				wide = utf16Text(text, true)
				if !yield("little-endian UTF-16", "\xff\xfe"+wide) ||
					!yield("little-endian UTF-16 without a byte order mark", wide) {
					return
				}
			}
		}
	}
}

// readings returns the texts that decoders make of a byte string that is not text. The decoders are UTF-16 after its
// byte order mark, UTF-8 with or without one, PDFDocEncoding (ISO 32000-2:2020, annex D.3) and Windows-1252 with
// undefined bytes replaced or kept, and Latin-1.
func readings(b []byte) []string {
	var out []string
	if len(b)%2 == 0 && bytes.HasPrefix(b, []byte{0xfe, 0xff}) {
		out = append(out, UTF16(b[2:], false))
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if utf8.Valid(b) {
		out = append(out, string(b))
	}
	var replaced, kept, latin, windows, windowsKept []rune
	for _, c := range b {
		r, defined := object.PDFDocRune(c)
		kept = append(kept, r)
		if !defined {
			r = utf8.RuneError
		}
		replaced = append(replaced, r)
		latin = append(latin, rune(c))
		w := charmap.Windows1252.DecodeByte(c)
		windows = append(windows, w)
		if w == utf8.RuneError {
			w = rune(c)
		}
		windowsKept = append(windowsKept, w)
	}
	return append(out, string(replaced), string(kept), string(latin), string(windows), string(windowsKept))
}

func utf16Text(s string, little bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = byteOrder(little).AppendUint16(b, u)
	}
	return string(b)
}

// Unescaped returns b with escapes of literal strings decoded (7.3.4.2). Some tools decode strings that have no
// escapes. A backslash at the end is dropped.
func Unescaped(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' {
			out = append(out, b[i])
			continue
		}
		if i++; i == len(b) {
			break
		}
		switch c := b[i]; {
		case bytes.IndexByte([]byte("nrtbf"), c) >= 0:
			out = append(out, "\n\r\t\b\f"[bytes.IndexByte([]byte("nrtbf"), c)])
		case c >= '0' && c <= '7':
			v := c - '0'
			for k := 0; k < 2 && i+1 < len(b) && b[i+1] >= '0' && b[i+1] <= '7'; k++ {
				i++
				v = v<<3 | (b[i] - '0')
			}
			out = append(out, v)
		case c == '\n':
		case c == '\r':
			if i+1 < len(b) && b[i+1] == '\n' {
				i++
			}
		default:
			out = append(out, c)
		}
	}
	return out
}
