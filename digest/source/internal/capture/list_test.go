package capture

import (
	"iter"
	"path/filepath"
	"testing"
)

// plainSource is a Source without further abilities.
type plainSource struct{}

func (plainSource) Lookup(string) iter.Seq2[*Candidate, error]      { return nil }
func (plainSource) LookupAlike(string) iter.Seq2[*Candidate, error] { return nil }
func (plainSource) Stats() Stats                                    { return Stats{} }
func (plainSource) Close() error                                    { return nil }

// ableSource is a Source that lists its captures, and knows the URL of one file.
type ableSource struct {
	plainSource
	file string
}

func (ableSource) List(yield func(*Candidate, error) bool) { yield(&Candidate{URL: "http://a/"}, nil) }

func (s ableSource) URLOf(abs string) string {
	if abs == s.file {
		return "http://a/file"
	}
	return ""
}

// TestAbilities: what a Source cannot do itself gives an error or nothing.
func TestAbilities(t *testing.T) {
	var got []string
	for c, err := range All(ableSource{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c.URL)
	}
	if len(got) != 1 || got[0] != "http://a/" {
		t.Errorf("all: %q", got)
	}
	n := 0
	for c, err := range All(plainSource{}) {
		if n++; c != nil || err == nil {
			t.Errorf("all of a source without a list: %v, %v", c, err)
		}
	}
	if n != 1 {
		t.Errorf("%d results of a source without a list, want an error", n)
	}
}

// TestFileURL: the URL of a file has its absolute path, with escapes.
func TestFileURL(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	dir, err := filepath.Abs(".") // as the system names it
	if err != nil {
		t.Fatal(err)
	}
	here := FileURL(dir)
	for file, want := range map[string]string{"a b#c%": here + "/a%20b%23c%25", filepath.Join(dir, "x"): here + "/x"} {
		t.Run(file, func(t *testing.T) {
			if got := FileURL(file); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	if filepath.Separator == '/' {
		if got := FileURL("/a/b"); got != "file:///a/b" {
			t.Errorf("%q", got)
		}
	}
}
