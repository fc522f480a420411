package audit

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/nametree/object"
)

// textFault says why a string is not a text string (ISO 32000-2:2020, 7.9.2.2):
// UTF-16BE or UTF-8 after a byte order mark, PDFDocEncoding without one; empty
// if it is one.
func textFault(b []byte) string {
	if rest, ok := bytes.CutPrefix(b, []byte("\xfe\xff")); ok {
		return utf16Fault(rest)
	}
	if rest, ok := bytes.CutPrefix(b, []byte("\xef\xbb\xbf")); ok {
		if !utf8.Valid(rest) {
			return "it is not UTF-8, as its byte order mark says"
		}
		return ""
	}
	for _, c := range b {
		if _, defined := object.PDFDocRune(c); !defined {
			return fmt.Sprintf("PDFDocEncoding has no character %02x", c)
		}
	}
	return ""
}

func utf16Fault(b []byte) string {
	if len(b)%2 != 0 {
		return "it is UTF-16, with half a character at its end"
	}
	for i := 0; i < len(b); i += 2 {
		c := rune(b[i])<<8 | rune(b[i+1])
		if !utf16.IsSurrogate(c) {
			continue
		}
		if i += 2; i == len(b) || utf16.DecodeRune(c, rune(b[i])<<8|rune(b[i+1])) == utf8.RuneError {
			return fmt.Sprintf("it is UTF-16, with the lone surrogate %04x", c)
		}
	}
	return ""
}
