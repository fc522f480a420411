package body

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestChunks: chunks are joined as RFC 9112, 7.1, says; real programs omit the end of the trailer.
func TestChunks(t *testing.T) {
	for _, row := range []struct {
		name, stored, want string
		valid              bool
	}{
		{"one", "4\r\ntext\r\n0\r\n\r\n", "text", true},
		{"capital digits", "A\r\n0123456789\r\n0\r\n\r\n", "0123456789", true},
		{"zeros before the size", "0004\r\ntext\r\n000\r\n\r\n", "text", true},
		{"none", "0\r\n\r\n", "", true},
		{"extensions", "4;a=\"b\"\r\ntext\r\n0;c\r\n\r\n", "text", true},
		{"a trailer of two fields", "4\r\ntext\r\n0\r\nA: b\r\nC: d\r\n\r\n", "text", true},
		{"a trailer that does not end", "4\r\ntext\r\n0\r\nA: b\r\n", "text", true},
		{"a last chunk without line end", "4\r\ntext\r\n0", "text", false},
		{"data after the trailer", "4\r\ntext\r\n0\r\nA: b\r\n\r\nmore", "text", false},
		{"a later size in LF", "4\r\ntext\r\n0\n\r\n", "text", false},
		{"a size of 64 bits", "8000000000000000\r\ntext", "text", false},
		{"a second size that is invalid", "4\r\ntext\r\n?\r\nmore", "text", false},
		{"an end that is missing", "4\r\ntext", "text", false},
		{"half an end", "4\r\ntext\r", "text", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(row.stored), iotest.OneByteReader(strings.NewReader(row.stored)),
				iotest.DataErrReader(strings.NewReader(row.stored))} {
				if got, flaw := readCoding(t, chunked, in); got != row.want || (flaw == "") != row.valid {
					t.Errorf("%q, %q, want %q, valid: %v", got, flaw, row.want, row.valid)
				}
			}
		})
	}
}

// TestNoChunks: data without the line of a chunk at the beginning are not in chunks, even if the header says so.
func TestNoChunks(t *testing.T) {
	for _, stored := range []string{"", "text", "\r\ntext\r\n0\r\n\r\n", "-4\r\ntext\r\n0\r\n\r\n", "4\ntext\n0\n\n",
		"4 text\r\n"} {
		b := headerOf(t, "Transfer-Encoding: chunked\n\n").Body(stringOpener(stored))
		s, err := b.Sums(nil)
		if err != nil || s.Size[Decoded] != int64(len(stored)) || !strings.Contains(s.Doubt, chunked) {
			t.Errorf("%q: %+v, %v", stored, s, err)
		}
	}
}
