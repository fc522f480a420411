package page_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// body returns a body with these data. opened counts how often it is opened; it may be nil.
func body(data string, opened *int) *source.Body {
	return &source.Body{Open: func() (io.ReadCloser, error) {
		if opened != nil {
			*opened++
		}
		return io.NopCloser(strings.NewReader(data)), nil
	}}
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

// inSite returns a Search in a source that has these captures of site.
func inSite(list ...*source.Candidate) *page.Search {
	for _, c := range list {
		c.URL = site
	}
	return page.FromSource(sourcetest.Memory(list...))
}

// TestSearch: Each yields all captures with the MD5s of their data, and Find those that can be read.
func TestSearch(t *testing.T) {
	zipped := body(gzipped("<p>A"), nil)
	zipped.Codings = []string{"gzip"}
	disk := errors.New("disk failure")
	s := inSite(
		&source.Candidate{Where: "doubtful", Doubt: "a doubt", Body: body("L", nil)},
		&source.Candidate{Where: "zipped", Body: zipped},
		&source.Candidate{Where: "unusable", Doubt: "a part"},
		&source.Candidate{Where: "broken", Body: &source.Body{Open: func() (io.ReadCloser, error) { return nil, disk }}},
		&source.Candidate{Where: "cut", Body: &source.Body{Open: func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader("B"), iotest.ErrReader(disk))), nil
		}}},
	)
	var got []string
	for f := range s.Each(site) {
		got = append(got, fmt.Sprintf("%d %s %s %v %q", f.Number, f.Where, f.MediaType, f.Readable, f.Doubt))
		if f.Readable != (f.ID == sum("L") || f.ID == sum("<p>A")) {
			t.Errorf("%s: %v", f.Where, f.ID)
		}
	}
	want := []string{`1 doubtful text/plain true "a doubt"`, `2 zipped text/html true ""`, `3 unusable  false "a part"`,
		`4 broken  false "the data cannot be read: disk failure"`, `5 cut  false "the data cannot be read: disk failure"`}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if n := len(slices.Collect(s.Find(site))); n != 2 {
		t.Errorf("Find yields %d files, want 2", n)
	}
	if errs, more := s.Errors(); len(errs) != 2 || more != 0 || errs[0].Error() != "broken: disk failure" {
		t.Errorf("errors %v and %d more", errs, more)
	}
}

// TestSearchGoesOnAfterErrors: an error before a file does not hide the file.
func TestSearchGoesOnAfterErrors(t *testing.T) {
	s := inSite(&source.Candidate{Record: "error", Doubt: "first"}, &source.Candidate{Where: "there", Body: body("A", nil)})
	files := slices.Collect(s.Each(site))
	if len(files) != 2 || files[0].Readable || files[0].Doubt != "first" || !files[1].Readable {
		t.Errorf("%+v", files)
	}
}

// TestSearchIsLazy: the caller gets a file before the Search looks for further ones.
func TestSearchIsLazy(t *testing.T) {
	opened := 0
	for range inSite(&source.Candidate{Where: "1", Body: body("A", &opened)},
		&source.Candidate{Where: "2", Body: body("B", &opened)}).Find(site) {
		break
	}
	if opened != 1 {
		t.Errorf("%d captures were read", opened)
	}
}

// TestSearchReadsDataOnce: a capture to which several URLs lead is read once, and the digests of the same data are
// checked for each capture.
func TestSearchReadsDataOnce(t *testing.T) {
	opened := 0
	var list []*source.Candidate
	for i := range 10 {
		list = append(list, &source.Candidate{URL: site + strconv.Itoa(i), Where: "here", Body: body("A", &opened)})
	}
	s := page.FromSource(sourcetest.Memory(list...))
	for _, c := range list {
		for f := range s.Each(c.URL) {
			if f.ID != sum("A") {
				t.Errorf("%v", f.ID)
			}
		}
	}
	if opened != 1 {
		t.Errorf("the data are read %d times", opened)
	}
}

// TestSearchIsOver: a Search stops if what it reads and decodes exceeds the budget of the source.
func TestSearchIsOver(t *testing.T) {
	bomb := &source.Body{Open: func() (io.ReadCloser, error) { return io.NopCloser(&endlessReader{300 << 20}), nil }}
	s := inSite(&source.Candidate{Where: "one", Body: body("A", nil)}, &source.Candidate{Where: "bomb", Body: bomb},
		&source.Candidate{Where: "two", Body: body("B", nil)})
	var got []string
	for f := range s.Each(site) {
		got = append(got, fmt.Sprintf("%s %v", f.Where, f.Readable))
	}
	if want := []string{"one true", "bomb false", " false"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if s.Over() == nil || !errors.Is(s.Capped(), meter.Over{}) {
		t.Errorf("over %v, capped by %v", s.Over(), s.Capped())
	}
}

// TestPageOfFile: the source of a page counts without codings.
func TestPageOfFile(t *testing.T) {
	const src = "<img src=a>"
	zipped := body(gzipped(src), nil)
	zipped.Codings = []string{"gzip"}
	s := inSite(&source.Candidate{Where: "here", MediaType: "text/html", Body: zipped})
	for f := range s.Each(site) {
		if data, err := s.Data(&f); string(data) != src || err != nil {
			t.Errorf("%q, %v", data, err)
		}
	}
}

// endlessReader is a file of n bytes.
type endlessReader struct{ left int64 }

func (e *endlessReader) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), e.left)
	e.left -= n
	return int(n), nil
}

// TestDataIsCapped: a source of exactly MaxSource bytes is searched for references.
func TestDataIsCapped(t *testing.T) {
	for _, more := range []int64{0, 1} {
		s := inSite(&source.Candidate{Where: "here", Body: &source.Body{
			Open: func() (io.ReadCloser, error) { return io.NopCloser(&endlessReader{page.MaxSource + more}), nil }}})
		for f := range s.Each(site) {
			data, err := s.Data(&f)
			if (len(data) == page.MaxSource) != (more == 0) || (err == nil) != (more == 0) {
				t.Errorf("%d bytes, %v", len(data), err)
			}
		}
	}
}

func TestReadSourceIsCapped(t *testing.T) {
	if b, err := page.ReadSource(&endlessReader{page.MaxSource}); len(b) != page.MaxSource || err != nil {
		t.Errorf("%d bytes, %v, want all", len(b), err)
	}
	b, err := page.ReadSource(&endlessReader{page.MaxSource + 1})
	if tooLarge, ok := errors.AsType[*page.TooLarge](err); !ok || b != nil || tooLarge.Limit != page.MaxSource {
		t.Errorf("%d bytes, %v, want a *page.TooLarge", len(b), err)
	}
}
