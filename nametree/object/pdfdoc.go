package object

// PDFDocRune returns the character of a byte in PDFDocEncoding (ISO 32000-2:2020, annex D.3). For an undefined
// byte, it returns the code point with the same number, and false.
func PDFDocRune(c byte) (r rune, defined bool) {
	switch {
	case c >= 0x18 && c <= 0x1f:
		return pdfDocAccents[c-0x18], true
	case c >= 0x80 && c <= 0x9e:
		return pdfDocSigns[c-0x80], true
	case c == 0xa0:
		return '\u20ac', true
	}
	control := c < 0x18 && c != '\t' && c != '\n' && c != '\r'
	return rune(c), !control && c != 0x7f && c != 0x9f && c != 0xad
}

// The characters that differ from Latin-1: the codes from 0x18 on, and from 0x80 on.
var (
	pdfDocAccents = []rune("\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc")
	pdfDocSigns   = []rune("\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018" +
		"\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e")
)

// pdfDocBytes maps each character of PDFDocEncoding to its byte.
var pdfDocBytes = func() map[rune]byte {
	m := make(map[rune]byte, 256)
	for c := range 256 {
		if r, defined := PDFDocRune(byte(c)); defined {
			m[r] = byte(c)
		}
	}
	return m
}()

// PDFDoc returns text in PDFDocEncoding; false if the encoding lacks one of its characters.
func PDFDoc(text string) ([]byte, bool) {
	b := make([]byte, 0, len(text))
	for _, r := range text {
		c, ok := pdfDocBytes[r]
		if !ok {
			return nil, false
		}
		b = append(b, c)
	}
	return b, true
}
