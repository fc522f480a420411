package rule

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/webcap-tools/webcap/nametree/object"
)

// TextFault describes why a string is not a text string (ISO 32000-2:2020, 7.9.2.2); empty if it is one. A text string
// is UTF-16BE or UTF-8 with a byte order mark, or PDFDocEncoding without one.
func TextFault(b []byte) string {
	if rest, ok := bytes.CutPrefix(b, []byte("\xfe\xff")); ok {
		return utf16Fault(rest)
	}
	if rest, ok := bytes.CutPrefix(b, []byte("\xef\xbb\xbf")); ok {
		if !utf8.Valid(rest) {
			return "it begins with the byte order mark of UTF-8, but is not valid UTF-8"
		}
		return ""
	}
	for i, c := range b {
		if _, defined := object.PDFDocRune(c); !defined {
			return "PDFDocEncoding has no character for " + ByteAt(b, i)
		}
	}
	return ""
}

func utf16Fault(b []byte) string {
	if len(b)%2 != 0 {
		return "it is UTF-16 and ends with half a character"
	}
	for i := 0; i < len(b); i += 2 {
		c := rune(b[i])<<8 | rune(b[i+1])
		if !utf16.IsSurrogate(c) {
			continue
		}
		if i += 2; i == len(b) || utf16.DecodeRune(c, rune(b[i])<<8|rune(b[i+1])) == utf8.RuneError {
			return fmt.Sprintf("it is UTF-16 with the lone surrogate %04x", c)
		}
	}
	return ""
}

// ByteAt describes an invalid byte of a string: in hexadecimal, with its position from 0, and with the character that
// it was likely meant to be. A byte that begins a UTF-8 character is likely part of that. Other bytes are taken for the
// encodings of Western and Central Europe.
func ByteAt(b []byte, at int) string {
	r, size := utf8.DecodeRune(b[at:])
	if size > 1 {
		return fmt.Sprintf("%X at byte %d%s", string(b[at:at+size]), at, meant(r, "UTF-8"))
	}
	text := fmt.Sprintf("%02X at byte %d", b[at], at)
	western, central := charmap.Windows1252.DecodeByte(b[at]), charmap.Windows1250.DecodeByte(b[at])
	if western == central {
		return text + meant(western, "Windows-1250 and Windows-1252")
	}
	return text + meant(central, "Windows-1250") + meant(western, "Windows-1252")
}

// meant describes a character in an encoding; empty for none, and for an invisible one.
func meant(r rune, encoding string) string {
	if r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r) {
		return ""
	}
	return fmt.Sprintf(", %c in %s", r, encoding)
}
