package body

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestChunks: chunks are joined as RFC 9112, 7.1, says; real programs omit the end of the trailer.
func TestChunks(t *testing.T) {
	const early = "the data end early"
	long := strings.Repeat("x", maxHeader)
	for _, row := range []struct{ name, stored, want, flaw string }{
		{"one", "4\r\ntext\r\n0\r\n\r\n", "text", ""},
		{"capital digits", "A\r\n0123456789\r\n0\r\n\r\n", "0123456789", ""},
		{"zeros before the size", "0004\r\ntext\r\n000\r\n\r\n", "text", ""},
		{"none", "0\r\n\r\n", "", ""},
		{"extensions", "4;a=\"b\"\r\ntext\r\n0;c\r\n\r\n", "text", ""},
		{"a trailer of two fields", "4\r\ntext\r\n0\r\nA: b\r\nC: d\r\n\r\n", "text", ""},
		{"a trailer that does not end", "4\r\ntext\r\n0\r\nA: b\r\n", "text", ""},
		{"a last chunk without line end", "4\r\ntext\r\n0", "text", early},
		{"data after the trailer", "4\r\ntext\r\n0\r\nA: b\r\n\r\nmore", "text", errTrailing.Error()},
		{"a trailer in LF", "4\r\ntext\r\n0\r\nA: b\n\r\n", "text", errLineEnd.Error()},
		{"a size in LF", "4\ntext\r\n0\r\n\r\n", "text", errLineEnd.Error()},
		{"an end in LF", "4\r\ntext\n0\r\n\r\n", "text", errLineEnd.Error()},
		{"no size", "\r\ntext\r\n0\r\n\r\n", "", errChunkSize.Error()},
		{"a negative size", "-4\r\ntext\r\n0\r\n\r\n", "", errChunkSize.Error()},
		{"a size of 63 bits", "7fffffffffffffff\r\ntext", "text", early},
		{"a size of 64 bits", "8000000000000000\r\ntext", "", errChunkSize.Error()},
		{"a second size that is invalid", "4\r\ntext\r\n?\r\nmore", "text", errChunkSize.Error()},
		{"an end that is missing", "4\r\ntext", "text", early},
		{"half an end", "4\r\ntext\r", "text", early},
		{"a longest line", "4;" + long[:maxHeader-4] + "\r\ntext\r\n0\r\n\r\n", "text", ""},
		{"a line that is too long", "4;" + long[:maxHeader-3] + "\r\ntext\r\n0\r\n\r\n", "", early},
		{"a longest trailer", "4\r\ntext\r\n0\r\n" + long[2:] + "\r\n\r\n", "text", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(row.stored), iotest.OneByteReader(strings.NewReader(row.stored)),
				iotest.DataErrReader(strings.NewReader(row.stored))} {
				if got, flaw := readCoding(t, chunked, in); got != row.want || (flaw == "") != (row.flaw == "") ||
					!strings.HasSuffix(flaw, row.flaw) {
					t.Errorf("%q, %q, want %q and %q", got, flaw, row.want, row.flaw)
				}
			}
		})
	}
}
