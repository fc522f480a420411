package rule

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/nametree/object"
)

// DecodeText returns a text string (7.9.2.2) in UTF-8; empty if it is neither ASCII, UTF-8, nor UTF-16. It does not
// decode other characters of PDFDocEncoding, because URLs are ASCII.
func DecodeText(b []byte) string {
	if bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return UTF16(b[2:], false)
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(b) {
		return ""
	}
	return string(b)
}

// TitleText returns a text string (7.9.2.2) in UTF-8.
func TitleText(b []byte) string {
	if bytes.HasPrefix(b, []byte("\xfe\xff")) || bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
		return strings.ToValidUTF8(DecodeText(b), "\uFFFD")
	}
	var text []rune
	for _, c := range b {
		r, defined := object.PDFDocRune(c)
		if !defined {
			r = utf8.RuneError
		}
		text = append(text, r)
	}
	return string(text)
}

// UTF16 decodes UTF-16: little-endian if little is true, otherwise big-endian.
func UTF16(b []byte, little bool) string {
	var units []uint16
	for i := 0; i+1 < len(b); i += 2 {
		units = append(units, byteOrder(little).Uint16(b[i:]))
	}
	return string(utf16.Decode(units))
}

func byteOrder(little bool) interface {
	binary.ByteOrder
	binary.AppendByteOrder
} {
	if little {
		return binary.LittleEndian
	}
	return binary.BigEndian
}
