package page

import (
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source"
)

// captures is a source that has the same captures at each URL.
type captures []*source.Candidate

func (c captures) Lookup(string) iter.Seq2[*source.Candidate, error] {
	return func(yield func(*source.Candidate, error) bool) {
		for _, one := range c {
			if !yield(one, nil) {
				return
			}
		}
	}
}

func (c captures) LookupAlike(string) iter.Seq2[*source.Candidate, error] {
	return captures(nil).Lookup("")
}
func (c captures) Stats() source.Stats { return source.Stats{} }
func (c captures) Close() error        { return nil }

// TestWorkOfASearch: the first look at data is free, and each stored byte adds work. Decoded bytes, further looks, and
// reading the same data again cost work.
func TestWorkOfASearch(t *testing.T) {
	const chunks = "5\r\nplain\r\n0\r\n\r\n"
	capture := func(where string) *source.Candidate {
		return &source.Candidate{Where: where, MediaType: "text/html", Body: &source.Body{Place: "place",
			Codings: []string{"chunked"}, Open: func() (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader(chunks)), nil
			}}}
	}
	s := FromSource(captures{capture("a")})
	work := func(name string, want int64, f func()) {
		t.Helper()
		before := s.left.Load()
		if f(); s.left.Load()-before != want {
			t.Errorf("%s adds %d, want %d", name, s.left.Load()-before, want)
		}
	}
	var files []File
	work("the first look", storedWork*int64(len(chunks))-5, func() { files = slices.Collect(s.Each("http://a/")) })
	work("another look", -lookWork, func() { files = slices.Collect(s.Each("http://b/")) })
	work("the search for references", -5*pageWork, func() { s.Data(&files[0]) })
	s.src = captures{capture("b")}
	work("the same data of another capture", -lookWork-int64(len(chunks))-5,
		func() { files = slices.Collect(s.Each("http://a/")) })
}
