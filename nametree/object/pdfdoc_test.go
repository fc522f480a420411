package object

import (
	"fmt"
	"testing"
)

func TestPDFDocEncoding(t *testing.T) {
	for _, tt := range []struct {
		c       byte
		r       rune
		defined bool
	}{
		{'\t', '\t', true}, {'\n', '\n', true}, {'\r', '\r', true}, {' ', ' ', true}, {'~', '~', true},
		{0x18, '˘', true}, {0x1f, '˜', true}, {0x80, '•', true}, {0x8a, '−', true}, {0x90, '’', true},
		{0x9e, 'ž', true},
		{0xa0, '€', true}, {0xa1, '¡', true}, {0xff, 'ÿ', true},
		{0x00, 0x00, false}, {0x17, 0x17, false}, {0x7f, 0x7f, false}, {0x9f, 0x9f, false}, {0xad, 0xad, false},
	} {
		t.Run(fmt.Sprint(tt.c), func(t *testing.T) {
			if r, defined := PDFDocRune(tt.c); r != tt.r || defined != tt.defined {
				t.Errorf("PDFDocRune(%#x) = %q, %v, want %q, %v", tt.c, r, defined, tt.r, tt.defined)
			}
			if b, ok := PDFDoc(string(tt.r)); tt.defined && (!ok || string(b) != string([]byte{tt.c})) {
				t.Errorf("PDFDoc(%q) = %#x, %v, want %#x", tt.r, b, ok, tt.c)
			}
		})
	}
	for _, text := range []string{"Ω", "\x00", "\u00a0", "a\u009f"} {
		t.Run(text, func(t *testing.T) {
			if b, ok := PDFDoc(text); ok {
				t.Errorf("PDFDoc(%q) = %#x, though the encoding does not have it", text, b)
			}
		})
	}
}
