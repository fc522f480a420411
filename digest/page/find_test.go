package page_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/digest/source"
)

// kept is a source in memory that counts look-ups.
type kept struct {
	byURL   map[string][]*source.Candidate
	err     error // yielded after them
	lookups int
}

func (k *kept) Lookup(url string) iter.Seq2[*source.Candidate, error] {
	k.lookups++
	return func(yield func(*source.Candidate, error) bool) {
		for _, c := range k.byURL[url] {
			if !yield(c, nil) {
				return
			}
		}
		if k.err != nil {
			yield(nil, k.err)
		}
	}
}

func (k *kept) Stats() source.Stats { return source.Stats{} }
func (k *kept) Close() error        { return nil }

func body(form, data string) source.Body {
	return source.NewBody(form, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(data)), nil })
}

func gunzipped(data string) source.Body {
	return source.NewBody("gzip decoded", func() (io.ReadCloser, error) { return gzip.NewReader(strings.NewReader(data)) })
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

func where(files []page.File) []string {
	var list []string
	for _, f := range files {
		list = append(list, f.Where)
	}
	return list
}

func TestSearch(t *testing.T) {
	zipped := gzipped("A")
	src := &kept{byURL: map[string][]*source.Candidate{
		site + "a": {
			{Where: "uncertain", Uncertain: true, Bodies: []source.Body{body(source.AsStored, "L")}},
			{Where: "zipped", MediaType: "text/html", Bodies: []source.Body{body(source.AsStored, zipped), gunzipped(zipped)}},
			{Where: "lying", Bodies: []source.Body{body(source.AsStored, "B"), gunzipped("B")}},
			{Where: "again", Bodies: []source.Body{body(source.AsStored, "A")}},
		},
	}}
	s := page.FromSource(src)
	for range 2 {
		got := s.Find(site + "a")
		if want := []string{"zipped (gzip decoded)", "zipped", "lying", "uncertain"}; !slices.Equal(where(got), want) {
			t.Fatalf("found %q, want %q", where(got), want)
		}
		if got[0].ID != sum("A") || got[1].ID != sum(zipped) || got[2].ID != sum("B") || got[0].MediaType != "text/html" {
			t.Errorf("found %v", got)
		}
		if data, err := got[0].Data(); string(data) != "A" || err != nil {
			t.Errorf("data %q, %v, want A", data, err)
		}
	}
	if src.lookups != 1 {
		t.Errorf("%d look-ups, want 1", src.lookups)
	}
	if errs, more := s.Errors(); len(errs) != 0 || more != 0 {
		t.Errorf("errors %v, %d more, want no errors: a form that the data do not have is left out", errs, more)
	}
}

// Where a source says nothing of a type, the data do.
func TestSearchGuessesTypes(t *testing.T) {
	for data, want := range map[string]string{
		"<!-- x --><p>":           "text/html",
		"Hello <IMG src=a>":       "text/html",
		"<frameset><frame>":       "text/html",
		"\xff\xfe<\x00p\x00>\x00": "text/html",
		"\xfe\xff\x00<\x00p\x00>": "text/html",
		"a < b, <imgs>":           "text/plain",
		"%PDF-1.4":                "application/pdf",
		"GIF89a<p>":               "image/gif",
	} {
		for _, said := range []string{"", "application/octet-stream"} {
			src := &kept{byURL: map[string][]*source.Candidate{site: {{MediaType: said, Bodies: []source.Body{body(source.AsStored, data)}}}}}
			if got := page.FromSource(src).Find(site)[0].MediaType; got != want {
				t.Errorf("%q of type %q is %s, want %s", data, said, got, want)
			}
		}
	}
}

func TestSearchKeepsErrors(t *testing.T) {
	disk := errors.New("disk failure")
	broken := source.NewBody(source.AsStored, func() (io.ReadCloser, error) { return nil, disk })
	s := page.FromSource(&kept{err: disk, byURL: map[string][]*source.Candidate{
		site: {{Where: "broken", Bodies: []source.Body{broken}}},
	}})
	if got := s.Find(site); got != nil {
		t.Errorf("found %v", got)
	}
	errs, more := s.Errors()
	if len(errs) != 2 || more != 0 || !errors.Is(errs[0], disk) || errs[0].Error() != "broken: disk failure" || errs[1] != disk {
		t.Errorf("errors %v, %d more, want two", errs, more)
	}
	for i := range 200 {
		s.Find(site + strings.Repeat("x", i+1))
	}
	if errs, more := s.Errors(); len(errs) != 100 || more != 102 {
		t.Errorf("%d errors, %d more, want 100 and 102", len(errs), more)
	}
}

// A body that is too large to be decoded is said, and what it is as it is stored
// proves nothing.
func TestSearchSaysWhatIsTooLarge(t *testing.T) {
	bomb := source.NewBody("gzip decoded", func() (io.ReadCloser, error) { return nil, &source.TooLarge{Limit: source.MaxBody} })
	s := page.FromSource(&kept{byURL: map[string][]*source.Candidate{
		site: {
			{Where: "bomb", Bodies: []source.Body{body(source.AsStored, "zipped"), bomb}},
			{Where: "other", Failed: true, Bodies: []source.Body{body(source.AsStored, "A")}},
		},
	}})
	got, err := s.Files(site)
	if tooLarge, ok := errors.AsType[*source.TooLarge](err); !ok || tooLarge.Limit != source.MaxBody || !strings.HasPrefix(err.Error(), "bomb: ") {
		t.Errorf("error %v, want a *source.TooLarge", err)
	}
	if want := []string{"other", "bomb"}; !slices.Equal(where(got), want) || got[0].Uncertain || !got[0].Failed || !got[1].Uncertain || got[1].Failed {
		t.Errorf("found %v, want the other one first, and the bomb uncertain", got)
	}
}

// endless is a file of n bytes.
type endless struct{ left int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), e.left)
	e.left -= n
	return int(n), nil
}

func TestReadSourceIsCapped(t *testing.T) {
	if b, err := page.ReadSource(&endless{page.MaxSource}); len(b) != page.MaxSource || err != nil {
		t.Errorf("%d bytes, %v, want all", len(b), err)
	}
	b, err := page.ReadSource(&endless{page.MaxSource + 1})
	if tooLarge, ok := errors.AsType[*source.TooLarge](err); !ok || b != nil || tooLarge.Limit != page.MaxSource {
		t.Errorf("%d bytes, %v, want a *source.TooLarge", len(b), err)
	}
}
