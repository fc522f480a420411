package sourcetest

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

// FileCount returns the number of files in a folder.
func FileCount(t *testing.T, dir string) int {
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// own yields the captures that Lookup finds under the URL itself, and not under one that is alike.
func own(s *capture.Index, url string) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		for c, err := range s.Lookup(url) {
			if err == nil && strings.HasSuffix(c.Where, ", found as "+c.URL) {
				return
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// Describe describes the usable captures of a URL in a source, one candidate per line: URL, media type, date, redirect,
// and the data in each form that differs from the one before.
func Describe(s *capture.Index, url string) string {
	var b strings.Builder
	for c, err := range own(s, url) {
		if err != nil {
			fmt.Fprintf(&b, "error: %v\n", err)
			continue
		}
		if c.Body == nil && c.Redirect == "" {
			continue
		}
		fmt.Fprintf(&b, "%s", c.URL)
		if c.MediaType != "" {
			fmt.Fprintf(&b, " (%s)", c.MediaType)
		}
		if !c.Time.IsZero() {
			fmt.Fprintf(&b, " %s", c.Time.Format("2006-01-02"))
		}
		if c.Redirect != "" {
			fmt.Fprintf(&b, " → %s", c.Redirect)
		}
		for _, form := range forms(c) {
			fmt.Fprintf(&b, " %s", form)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// forms returns the data of a candidate in each form that differs from the one before. It omits unreadable forms.
func forms(c *capture.Candidate) (list []string) {
	if c.Body == nil {
		return nil
	}
	stored, err := readStored(c)
	if err == nil {
		list = append(list, fmt.Sprintf("stored %q", stored))
	}
	if decoded, err := ReadAll(c); err == nil && !bytes.Equal(decoded, stored) {
		list = append(list, fmt.Sprintf("decoded %q", decoded))
	}
	return list
}

// ReadAll returns the decoded data of a candidate.
func ReadAll(c *capture.Candidate) ([]byte, error) {
	r, err := c.Body.OpenDecoded(nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// SkipLine returns the skipped captures of a source by reason, on one line.
func SkipLine(s *capture.Index) string {
	var list []string
	for _, k := range s.Stats().Skipped {
		list = append(list, fmt.Sprintf("%d %s", k.Count, k.Reason))
	}
	return strings.Join(list, "; ")
}

// ExpectLookup compares the result of Describe for a URL with want.
func ExpectLookup(t *testing.T, s *capture.Index, url, want string) {
	t.Helper()
	if got := Describe(s, url); got != want {
		t.Errorf("%s:\n got %swant %s", url, got, want)
	}
}

// Lookup returns the usable captures of a URL in a source. An error fails the test.
func Lookup(t testing.TB, s *capture.Index, url string) []*capture.Candidate {
	t.Helper()
	var list []*capture.Candidate
	for c, err := range own(s, url) {
		if err != nil {
			t.Fatalf("Lookup(%q): %v", url, err)
		}
		if c.Body != nil || c.Redirect != "" {
			list = append(list, c)
		}
	}
	return list
}

// LookupOne returns the only capture of a URL in a source. Another number of captures fails the test.
func LookupOne(t testing.TB, s *capture.Index, url string) *capture.Candidate {
	t.Helper()
	list := Lookup(t, s, url)
	if len(list) != 1 {
		t.Fatalf("Lookup(%q) finds %d things, want 1", url, len(list))
	}
	return list[0]
}

// MustRead returns the decoded data of a candidate. An error fails the test.
func MustRead(t testing.TB, c *capture.Candidate) string {
	t.Helper()
	data, err := ReadAll(c)
	if err != nil {
		t.Fatalf("%s: %v", c.Where, err)
	}
	return string(data)
}

// MustReadStored returns the data of a candidate as they are stored. An error fails the test.
func MustReadStored(t testing.TB, c *capture.Candidate) string {
	t.Helper()
	data, err := readStored(c)
	if err != nil {
		t.Fatalf("%s: %v", c.Where, err)
	}
	return string(data)
}

// readStored returns the data of a candidate as they are stored.
func readStored(c *capture.Candidate) ([]byte, error) {
	r, err := c.Body.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err == body.ErrBlock {
		err = nil
	}
	return data, err
}

// MustSum returns the digests of the data of a candidate. An error fails the test.
func MustSum(t testing.TB, c *capture.Candidate) body.Sums {
	t.Helper()
	s, err := c.Sums(nil)
	if err != nil {
		t.Fatalf("%s: %v", c.Where, err)
	}
	return s
}

// Equal compares two slices.
func Equal[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// SkipList returns the skipped captures by reason, such as "2 × reason".
func SkipList(s *capture.Index) []string {
	var list []string
	for _, k := range s.Stats().Skipped {
		list = append(list, fmt.Sprintf("%d × %s", k.Count, k.Reason))
	}
	return list
}

// ExpectStops ends an iteration after each number of values. An iterator that yields another value panics. Without
// a stop, the iterator must yield want values.
func ExpectStops[A, B any](t testing.TB, name string, want int, seq iter.Seq2[A, B]) {
	t.Helper()
	for end := 1; ; end++ {
		n := 0
		for range seq {
			if n++; n == end {
				break
			}
		}
		if n < end {
			if n != want {
				t.Errorf("%s yields %d values, want %d", name, n, want)
			}
			return
		}
	}
}

// ReadForms returns the data of a candidate in each form that differs from the one before, such as `stored "data"`.
func ReadForms(c *capture.Candidate) []string { return forms(c) }

// Excluded returns the reasons why captures of a URL are unusable.
func Excluded(s *capture.Index, url string) (reasons []string) {
	for c, err := range own(s, url) {
		if err == nil && c.Body == nil && c.Redirect == "" {
			reasons = append(reasons, c.Doubt)
		}
	}
	return reasons
}
