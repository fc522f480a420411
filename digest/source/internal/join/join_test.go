package join

import (
	"errors"
	"iter"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// plainSource is a Source without further abilities.
type plainSource struct {
	name     string
	closing  error
	closings *[]string // names of the sources in the order of closing
}

func (s plainSource) found(of string) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		_ = yield(&capture.Candidate{Where: s.name + " " + of + " 1"}, nil) &&
			yield(nil, errors.New(s.name+" "+of+" 2"))
	}
}

func (s plainSource) Lookup(url string) iter.Seq2[*capture.Candidate, error] { return s.found(url) }
func (s plainSource) LookupAlike(url string) iter.Seq2[*capture.Candidate, error] {
	return s.found("alike " + url)
}
func (s plainSource) Stats() capture.Stats {
	return capture.Stats{Files: 1, Skipped: []capture.Skip{{Reason: s.name, Count: 2}}}
}
func (s plainSource) Close() error {
	*s.closings = append(*s.closings, s.name)
	return s.closing
}

// ableSource is a Source with a list, and the URL of one file.
type ableSource struct {
	plainSource
	file string
}

func (s ableSource) List(yield func(*capture.Candidate, error) bool) { s.found("listed")(yield) }
func (s ableSource) URLOf(abs string) string {
	if abs == s.file {
		return "http://" + s.name + "/"
	}
	return ""
}

// archive is an Archive whose results name the archives that it may search for originals.
type archive struct{ plainSource }

func (a archive) LookupAmong(url string, is func(string) bool,
	others []capture.Archive) iter.Seq2[*capture.Candidate, error] {
	of := url + " among" + names(others)
	for _, other := range []string{"http://h/", "https://h", "http://h/other"} {
		if is(other) {
			of += " " + other
		}
	}
	return a.found(of)
}

func (a archive) ListAmong(others []capture.Archive) iter.Seq2[*capture.Candidate, error] {
	return a.found("listed among" + names(others))
}

func names(list []capture.Archive) (s string) {
	for _, a := range list {
		s += " " + a.(archive).name
	}
	return s
}

// results returns the places and the errors that a source yields.
func results(seq iter.Seq2[*capture.Candidate, error]) (list []string) {
	for c, err := range seq {
		if err != nil {
			list = append(list, "error: "+err.Error())
		} else {
			list = append(list, c.Where)
		}
	}
	return list
}

// TestResults: each source yields its results, in order. Archives get all archives, and no other sources, also if
// joined sources are joined again. A look-up may end after any result.
func TestResults(t *testing.T) {
	var closings []string
	plain := func(name string) plainSource { return plainSource{name, nil, &closings} }
	j := Sources(archive{plain("A")}, Sources(ableSource{plain("B"), ""}, archive{plain("C")}))
	for _, row := range []struct {
		name string
		seq  iter.Seq2[*capture.Candidate, error]
		want [3]string // results of the sources
	}{
		{"Lookup", j.Lookup("http://h/"), [3]string{"http://h/ among A C http://h/", "http://h/",
			"http://h/ among A C http://h/"}},
		{"LookupAlike", j.LookupAlike("http://h/"), [3]string{"http://h/ among A C https://h", "alike http://h/",
			"http://h/ among A C https://h"}},
		{"List", capture.All(j), [3]string{"listed among A C", "listed", "listed among A C"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var want []string
			for i, name := range []string{"A ", "B ", "C "} {
				want = append(want, name+row.want[i]+" 1", "error: "+name+row.want[i]+" 2")
			}
			sourcetest.Equal(t, row.name, results(row.seq), want)
			sourcetest.ExpectStops(t, row.name, len(want), row.seq)
		})
	}
	sourcetest.Equal(t, "a source without a list", results(capture.All(Sources(plain("D")))),
		[]string{"error: the source finds captures by URL, but cannot list them"})
}

// TestSums: statistics are sums. URLs of files come from the sources that know them.
func TestSums(t *testing.T) {
	var closings []string
	plain := func(name string) plainSource { return plainSource{name, nil, &closings} }
	j := Sources(plain("p"), ableSource{plain("a"), "/a"}, ableSource{plain("b"), "/b"}, plain("p"))
	if got := j.Stats(); got.Files != 4 {
		t.Errorf("%d files, want 4", got.Files)
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(j), []string{"4 × p", "2 × a", "2 × b"})
	for file, want := range map[string]string{"/a": "http://a/", "/b": "http://b/", "/c": ""} {
		if got := j.(capture.Locator).URLOf(file); got != want {
			t.Errorf("URL of %s: %q, want %q", file, got, want)
		}
	}
}

// TestClose: all sources are closed, in order, also after an error. The first error is returned.
func TestClose(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	for _, row := range []struct{ a, b, c, want error }{
		{nil, nil, nil, nil},
		{first, nil, nil, first},
		{nil, first, nil, first},
		{nil, nil, first, first},
		{first, second, nil, first},
		{nil, first, second, first},
		{second, first, nil, second},
	} {
		var closings []string
		j := Sources(plainSource{"a", row.a, &closings},
			Sources(plainSource{"b", row.b, &closings}, archive{plainSource{"c", row.c, &closings}}))
		if err := j.Close(); err != row.want {
			t.Errorf("closing gives %v, %v, %v: %v, want %v", row.a, row.b, row.c, err, row.want)
		}
		sourcetest.Equal(t, "closed", closings, []string{"a", "b", "c"})
	}
}
