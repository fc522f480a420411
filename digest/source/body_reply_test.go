package source

import (
	"bufio"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
)

func TestReadHead(t *testing.T) {
	for _, row := range []struct {
		name, text, rest string
		status           int
		fields           http.Header
	}{
		{"usual", "HTTP/1.1 404 Not  Found\r\nA: b\r\nC:d \r\n\r\nbody\r\n\r\n", "body\r\n\r\n", 404,
			http.Header{"A": {"b"}, "C": {"d"}}},
		{"LF alone", "HTTP/1.0 200 OK\nA: b\n\n\n", "\n", 200, http.Header{"A": {"b"}}},
		{"folded", "HTTP/1.0 200\nA: b\n\tc\n  d\nE:\n\n", "", 200,
			http.Header{"A": {"b c d"}, "E": {""}}},
		{"no status line", "A: b: c\r\n\r\nx", "x", 0, http.Header{"A": {"b: c"}}},
		{"blanks", "HTTP/2  200  \n A: b\n\n", "", 200, http.Header{"A": {"b"}}},
		{"no colon", "HTTP/1.1 200 OK\nnonsense\nA: b\nHTTP/1.1 500 no\n\n", "", 200,
			http.Header{"A": {"b"}}},
		{"no number", "HTTP/1.1 OK\n\n", "", 0, nil},
		{"empty", "\r\nrest", "rest", 0, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, size := range []int{16, 4096} {
				r := bufio.NewReaderSize(strings.NewReader(row.text), size)
				h, err := body.ReadHeader(r)
				if err != nil {
					t.Fatal(err)
				}
				rest, _ := io.ReadAll(r)
				if h.Status != row.status || string(rest) != row.rest ||
					h.Size != int64(len(row.text)-len(row.rest)) {
					t.Errorf("%+v, then %q", h, rest)
				}
				if !maps.EqualFunc(h.Fields, row.fields, slices.Equal) {
					t.Errorf("fields %v, want %v", h.Fields, row.fields)
				}
			}
		})
	}
	long := "A: " + strings.Repeat("b", (1<<20))
	for _, text := range []string{"", "HTTP/1.1 200 OK\r\n", "A: b", "A: b\r\nC", long, long + "\n\n",
		strings.Repeat("A: b\n", (1<<20)/5+1)} {
		t.Run(text, func(t *testing.T) {
			if h, err := body.ReadHeader(bufio.NewReader(strings.NewReader(text))); err != body.ErrHeader {
				t.Errorf("%.20q: %v, %v", text, h, err)
			}
		})
	}
	bad := errors.New("bad")
	if _, err := body.ReadHeader(bufio.NewReader(io.MultiReader(strings.NewReader("A: b\n"),
		iotest.ErrReader(bad)))); err != bad {
		t.Errorf("error %v, want that of the reader", err)
	}
}
