package page

import (
	"errors"
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

// stored returns a body with these data.
func stored(form, data string) source.Body {
	return source.NewBody(form, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(data)), nil })
}

// TestWorkOfASearch: the first look at a capture is free, and each stored byte adds work. Decoded bytes, further looks,
// and the search for references cost work.
func TestWorkOfASearch(t *testing.T) {
	const plain, coded = "<p>plain data</p>", "coded"
	for name, test := range map[string]struct {
		bodies []source.Body
		want   int64
	}{
		"stored":             {[]source.Body{stored(source.AsStored, coded)}, storedWork * 5},
		"stored and decoded": {[]source.Body{stored(source.AsStored, coded), stored("decoded", plain)}, storedWork*5 - 17},
		"decoded":            {[]source.Body{stored("decoded", plain)}, storedWork * 17},
	} {
		t.Run(name, func(t *testing.T) {
			s := FromSource(captures{{Where: "here", MediaType: "text/html", Bodies: test.bodies}})
			files := slices.Collect(s.Find("http://a/"))
			if got := s.left.Load() - baseWork; got != test.want {
				t.Errorf("the first look adds %d, want %d", got, test.want)
			}
			before := s.left.Load()
			for range s.Find("http://b/") { // looks at all
			}
			if got := before - s.left.Load(); got != lookWork {
				t.Errorf("another look costs %d, want %d", got, lookWork)
			}
			before = s.left.Load()
			data, err := files[0].Data()
			if got := before - s.left.Load(); err != nil || got != pageWork*int64(len(data)) {
				t.Errorf("the search for references in %q costs %d: %v", data, got, err)
			}
		})
	}
}

// TestExhaustedSearchesStop: the first capture that cannot be looked at ends the list, with one error.
func TestExhaustedSearchesStop(t *testing.T) {
	var c captures
	for range 20 {
		c = append(c, &source.Candidate{Bodies: []source.Body{stored(source.AsStored, "A")}})
	}
	s := FromSource(c)
	s.left.Store(0)
	n := 0
	for f, err := range s.Each("http://a/") {
		if n++; err != ErrExhausted {
			t.Errorf("%v, %v", f, err)
		}
	}
	if n != 1 || s.Looked("http://a/") != 1 {
		t.Errorf("%d results of %d captures, want one of one", n, s.Looked("http://a/"))
	}
}

// TestOneLimitIsNamed: of several limits, Capped names the same one in any order. Other errors are not limits.
func TestOneLimitIsNamed(t *testing.T) {
	small, large := &source.TooLarge{Limit: 1}, &source.TooLarge{Limit: 2}
	for _, list := range [][]error{{small, large}, {large, small}, {errors.New("a disk failure"), large, small, small}} {
		s := FromSource(captures(nil))
		for _, err := range list {
			if s.note(err); isCap(err) != (s.Capped() != nil) {
				t.Errorf("capped by %v after %v", s.Capped(), err)
			}
		}
		if errs, more := s.Errors(); s.Capped() != small || !slices.Equal(errs, list) || more != 0 {
			t.Errorf("capped by %v, errors %v and %d more", s.Capped(), errs, more)
		}
	}
}

// TestOrderOfForms: forms with all codings removed come first, and the stored form comes last of those like it.
func TestOrderOfForms(t *testing.T) {
	form := func(name string, coded bool) source.Body { return source.Body{Form: name, Coded: coded} }
	for want, list := range map[string][]source.Body{
		"stored":            {form(source.AsStored, false)},
		"plain half stored": {form(source.AsStored, true), form("half", true), form("plain", false)},
		"plain half other":  {form("other", true), form("half", true), form("plain", false)},
		"plain stored half": {form("half", true), form(source.AsStored, false), form("plain", false)},
		"second first stored coded": {form(source.AsStored, false), form("coded", true), form("first", false),
			form("second", false)},
	} {
		t.Run(want, func(t *testing.T) {
			var got []string
			for _, b := range decodedFirst(list) {
				got = append(got, strings.Replace(b.Form, source.AsStored, "stored", 1))
			}
			if s := strings.Join(got, " "); s != want {
				t.Errorf("%s, want %s", s, want)
			}
		})
	}
}

// TestUndeclaredFormsMayBeMissing: a form that the source does not declare is not an error if it cannot be read, even
// if it is too large.
func TestUndeclaredFormsMayBeMissing(t *testing.T) {
	bomb := source.NewBody("decoded", func() (io.ReadCloser, error) { return nil, &source.TooLarge{Limit: 1} })
	for _, undeclared := range []bool{false, true} {
		bomb.Undeclared = undeclared
		s := FromSource(captures{{Where: "here", Bodies: []source.Body{stored(source.AsStored, "A"), bomb}}})
		var files, errs int
		for _, err := range s.Each("http://a/") {
			if err != nil {
				errs++
			} else {
				files++
			}
		}
		if files != 1 || (errs == 0) != undeclared {
			t.Errorf("undeclared %v: %d files, %d errors", undeclared, files, errs)
		}
	}
}

// TestMissingFilesOfFiles: Lacking counts the missing files of frames, each URL once, but not those of the page.
func TestMissingFilesOfFiles(t *testing.T) {
	const frame = "<img src=a><img src=b><img src=here>"
	find := func(url string) iter.Seq[File] {
		data := func() ([]byte, error) { return []byte(frame), nil }
		all := map[string][]File{
			"http://a/f": {{MediaType: "text/html", Data: data}}, "http://a/g": {{MediaType: "text/html", Data: data}},
			"http://a/here": {{MediaType: "image/gif"}}, "http://a/b": {{Failed: true}},
		}
		return slices.Values(all[url])
	}
	p := New([]byte("<frame src=f><frame src=g><frame src=h>"), "text/html", "http://a/", find)
	for _, nested := range []bool{false, true} {
		c := p.Compute(Reading{Files: everything, Nested: nested})
		if want := map[bool]int{true: 2}[nested]; p.Lacking() != want || len(c.Missing) != 1 {
			t.Errorf("nested %v: %d files of frames are missing, want %d, and %v", nested, p.Lacking(), want, c.Missing)
		}
	}
}
