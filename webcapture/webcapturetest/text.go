package webcapturetest

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// Literal returns b as a literal string, such as "(a\(b)" for a(b. It escapes only the bytes that require it.
func Literal[T string | []byte](b T) string { return string(appendLiteral(nil, []byte(b))) }

// Hex returns b as a hexadecimal string, such as "<00ff>".
func Hex[T string | []byte](b T) string { return string(appendHex(nil, []byte(b))) }

func appendLiteral(dst, b []byte) []byte {
	dst = append(dst, '(')
	for _, c := range b {
		switch c {
		case '(', ')', '\\':
			dst = append(dst, '\\', c)
		case '\r':
			dst = append(dst, `\r`...)
		case '\n':
			dst = append(dst, `\n`...)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, ')')
}

func appendHex(dst, b []byte) []byte {
	dst = append(dst, '<')
	dst = hex.AppendEncode(dst, b)
	return append(dst, '>')
}

// mapStrings appends text to dst. f replaces the bytes of each string in text. All other text is copied, including
// comments and an unterminated string.
func mapStrings(dst, text []byte, f func(dst, s []byte) []byte) []byte {
	for i := 0; i < len(text); {
		n := 1 // number of bytes to copy, unless a string begins here
		switch text[i] {
		case '%':
			if n = bytes.IndexAny(text[i:], "\r\n"); n < 0 {
				n = len(text) - i
			}
		case '(':
			if s, size, ok := literalString(text[i:]); ok {
				dst, i = f(dst, s), i+size
				continue
			}
		case '<':
			if i+1 < len(text) && text[i+1] == '<' {
				n = 2
			} else if s, size, ok := hexString(text[i:]); ok {
				dst, i = f(dst, s), i+size
				continue
			}
		}
		dst = append(dst, text[i:i+n]...)
		i += n
	}
	return dst
}

// literalString returns the bytes of the literal string at the start of b, and its length (ISO 32000-2:2020,
// 7.3.4.2).
func literalString(b []byte) (s []byte, size int, ok bool) {
	depth := 0
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch c {
		case '(':
			if depth++; depth == 1 {
				continue
			}
		case ')':
			if depth--; depth == 0 {
				return s, i + 1, true
			}
		case '\r': // in a literal string, a line end counts as one line feed
			c = '\n'
			if i+1 < len(b) && b[i+1] == '\n' {
				i++
			}
		case '\\':
			if i+1 == len(b) {
				return nil, 0, false
			}
			var n int
			s, n = appendEscaped(s, b[i+1:])
			i += n
			continue
		}
		s = append(s, c)
	}
	return nil, 0, false
}

// escapes are the escape sequences with one letter (ISO 32000-2:2020, table 3).
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// appendEscaped appends the value of an escape sequence to s, and returns the length of the sequence. b is the text
// after the reverse solidus; it must not be empty.
func appendEscaped(s, b []byte) (out []byte, size int) {
	switch c := b[0]; {
	case bytes.HasPrefix(b, []byte("\r\n")):
		return s, 2
	case c == '\r', c == '\n':
		return s, 1
	case '0' <= c && c <= '7':
		v, n := 0, 0
		for ; n < min(3, len(b)) && '0' <= b[n] && b[n] <= '7'; n++ {
			v = v<<3 | int(b[n]-'0')
		}
		return append(s, byte(v)), n
	default:
		if e, ok := escapes[c]; ok {
			c = e
		}
		return append(s, c), 1
	}
}

// hexString returns the bytes of a hexadecimal string at the start of b, and its length.
func hexString(b []byte) (s []byte, size int, ok bool) {
	end := bytes.IndexByte(b, '>')
	if end < 0 {
		return nil, 0, false
	}
	var digits []byte
	for _, c := range b[1:end] {
		switch c {
		case 0, '\t', '\n', '\f', '\r', ' ':
		default:
			digits = append(digits, c)
		}
	}
	if len(digits)%2 == 1 {
		digits = append(digits, '0')
	}
	s = make([]byte, len(digits)/2)
	if _, err := hex.Decode(s, digits); err != nil {
		return nil, 0, false
	}
	return s, end + 1, true
}

func references(nums []int) string {
	var b strings.Builder
	for i, n := range nums {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%d 0 R", n)
	}
	return b.String()
}

func appendPadded(b []byte, n int64, width int) []byte {
	var digits [20]byte
	d := strconv.AppendInt(digits[:0], n, 10)
	for i := len(d); i < width; i++ {
		b = append(b, '0')
	}
	return append(b, d...)
}
