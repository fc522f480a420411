package body

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// decodeText decodes text with a decoder, at once and byte by byte, and returns the data and the reason of the Flaw at
// the end.
func decodeText(t *testing.T, decoder func(io.Reader) io.Reader, text string) (data, flaw string) {
	t.Helper()
	for i, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)),
		iotest.DataErrReader(strings.NewReader(text))} {
		all, err := io.ReadAll(decoder(in))
		reason := ""
		if f, ok := errors.AsType[*Flaw](err); ok {
			reason = f.Reason
		} else if err != nil {
			t.Errorf("%q: %v, want a Flaw", text, err)
		}
		if i > 0 && (string(all) != data || reason != flaw) {
			t.Errorf("%q in other pieces: %q, %q, want %q, %q", text, all, reason, data, flaw)
		}
		data, flaw = string(all), reason
	}
	return data, flaw
}

// TestBase64: padding may be missing, with a flaw at the end (RFC 4648, 3.2). Lines may be
// broken anywhere, and blanks do not count (RFC 2045, 6.8).
func TestBase64(t *testing.T) {
	const missing, invalid = "padding at the end is missing", "cannot be decoded"
	for _, row := range []struct{ text, want, flaw string }{
		{"", "", ""},
		{"aGVs", "hel", ""},
		{"aGVsbA==", "hell", ""},
		{"aGVsbG8=", "hello", ""},
		{"aGVs\r\nbG8=\r\n", "hello", ""},
		{"aGVsb\nG8=\n", "hello", ""},
		{" aG Vs\tbG8= ", "hello", ""},
		{"aGVsbG8= \r\n\t", "hello", ""},
		{"aGVsbA", "hell", missing},
		{"aGVsbA=", "hell", missing},
		{"aGVsbG8", "hello", missing},
		{"aGVs\r\nbG8\r\n", "hello", missing},
		{"aG\nVs\rbA\n", "hell", missing},
		{"aGVsb", "hel", invalid},
		{"aGVs!G8=", "hel", invalid},
		{"aGVsbA==aGVs", "hell", "extra characters follow the padding"},
		{"aGVsbG8=\n\naGVs", "hello", "extra characters follow the padding"},
	} {
		t.Run(row.text, func(t *testing.T) {
			got, flaw := decodeText(t, FromBase64, row.text)
			if got != row.want || !strings.Contains(flaw, row.flaw) || (flaw == "") != (row.flaw == "") {
				t.Errorf("%q, %q, want %q, %q", got, flaw, row.want, row.flaw)
			}
			if flaw != "" && !strings.HasPrefix(flaw, "the body is not valid base64: ") {
				t.Errorf("%q does not name the coding", flaw)
			}
		})
	}
}

// TestQuotedPrintable: invalid text is decoded as far as possible (RFC 2045, 6.7).
func TestQuotedPrintable(t *testing.T) {
	a75 := strings.Repeat("a", 75)
	for _, row := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"escapes", "caf=C3=A9 =3D", "café ="},
		{"small letters", "caf=c3=a9", "café"},
		{"soft line ends", "one=\r\ntwo=\nthree=", "onetwothree"},
		{"blanks at soft line ends", "one= \r\ntwo=\t \nthree", "onetwothree"},
		{"an equal sign and two blanks", "a=  b", "a=  b"},
		{"an equal sign before a blank and digits", "a= 41", "a= 41"},
		{"an escape after a soft line end", "one= \r\n=41=4x", "oneA=4x"},
		{"lines of 76", a75 + "=\r\n" + a75 + "b\n" + a75 + "c", a75 + a75 + "b\n" + a75 + "c"},
		{"a line of 77", "x\r\n" + a75 + "bc\r\nx", "x\r\n" + a75 + "bc\r\nx"},
		{"a soft line of 77", a75 + "b=\r\nx", a75 + "bx"},
		{"a line with escapes of 77", a75[:74] + "=41", a75[:74] + "A"},
		{"an equal sign as in a program", "var a = 1; b", "var a = 1; b"},
		{"an equal sign with a tab", "a =\tb", "a =\tb"},
		{"an equal sign in a word", "class=x", "class=x"},
		{"an equal sign after another", "a==41", "a=A"},
		{"half an escape", "a=4x", "a=4x"},
		{"half an escape at the end", "a=4", "a=4"},
		{"half an escape at the end of a line", "a=4\nb", "a=4\nb"},
		{"half an escape, and a long line", "a=4x" + a75, "a=4x" + a75},
		{"a flaw, then no more", "a=xb\r\nc=41", "a=xb\r\ncA"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, flaw := decodeText(t, FromQuotedPrintable, row.text)
			if got != row.want || flaw != "" {
				t.Errorf("%q, %q, want %q", got, flaw, row.want)
			}
		})
	}
}
