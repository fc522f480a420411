package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// site is a PDF with two captured pages. A program would open a file instead.
var site = webcapturetest.Sets(2, webcapturetest.Options{Images: 2}).Bytes(webcapturetest.Layout{})

func Example() {
	f, err := webcapture.New(context.Background(), site, webcapture.Options{}) // or Open("site.pdf", …)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	err = f.RetryWithoutXRef(func() error {
		captures, _, err := read(f)
		for _, c := range captures {
			fmt.Println(c.Captured.Format("2006-01-02 15:04"), c.URL, c.Kind, c.Pages)
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2024-01-02 03:04 http://www.example.org/archive/00000000/index.html?rev=0 page [1]
	// 2024-01-02 03:04 http://www.example.org/archive/00000000/image.jpg image []
	// 2024-01-02 03:04 http://www.example.org/archive/00000001/index.html?rev=1 page [2]
}

// read returns the captures of a file and the parts that could not be read.
func read(f *webcapture.File) (list []*catalog.Capture, unread int, err error) {
	db, err := f.Database()
	if err != nil {
		return nil, 0, err
	}
	c, err := catalog.New(f, db)
	if err != nil {
		return nil, 0, err
	}
	for capture, err := range c.Captures() {
		if err != nil {
			return nil, 0, err
		}
		list = append(list, capture)
	}
	return list, len(c.Unread()), nil
}

// parsed returns the captures of a document that is written as text.
func parsed(t *testing.T, text string) (list []*catalog.Capture, unread int) {
	t.Helper()
	d, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	f, err := webcapture.New(context.Background(), d.Bytes(webcapturetest.Layout{}), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if list, unread, err = read(f); err != nil {
		t.Fatal(err)
	}
	return list, unread
}

const document = `names: << /URLS << /Names [ (http://a.example/b) 5 0 R ] >>
  /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R ] >> >>
spiderinfo: << /V 1.25 /C [ 8 0 R ] >>
5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 6 0 R 7 0 R ] /CT (text/html) %s >>
6 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>
7 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>
8 0 obj << /URL (http://a.example) /L 2 /F 1 /P (q=1) >>
`

func TestCapture(t *testing.T) {
	for _, row := range []struct{ name, entries, want string }{
		{"all entries", `/T (A \344 title) /TS (D:20030514123000+02'00') /SI << /AU (HTTP://a.example/b) /S 2 /C 8 0 R >>`,
			"page 5 0 R HTTP://a.example/b http://a.example/b 2003-05-14 10:30 \"\" A ä title [1-2] POST 2 true true"},
		{"a redirect", `/TS (D:2003) /SI << /AU << /U (http://a.example/b) /C [ [ (http://a.example/) ] ] >> >>`,
			"page 5 0 R http://a.example/b http://a.example/b 2003-01-01 00:00 \"\"  [1-2] [[http://a.example/]] false"},
		{"the date of the source", `/TS (May 2003) /SI << /AU (http://a.example/b) /TS (D:20040102) >>`,
			"page 5 0 R http://a.example/b http://a.example/b 2004-01-02 00:00 \"\"  [1-2] false"},
		{"no date", `/TS (May 2003) /SI << /AU (http://a.example/b) >>`,
			"page 5 0 R http://a.example/b http://a.example/b May 2003 \"it does not begin with D:\"  [1-2] false"},
		{"no source", `/TS (D:2003)`,
			"page 5 0 R http://a.example/b http://a.example/b 2003-01-01 00:00 \"\"  [1-2] false"},
	} {
		t.Run(row.name, func(t *testing.T) {
			list, unread := parsed(t, fmt.Sprintf(document, row.entries))
			if len(list) != 1 || unread > 0 {
				t.Fatalf("%d captures, %d unread parts", len(list), unread)
			}
			if got := describe(list[0]); !strings.HasPrefix(got, row.want) {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}

// describe returns the fields of a capture on one line.
func describe(c *catalog.Capture) string {
	when, fault := string(c.TS.Stored), c.TS.Fault
	if !c.Captured.IsZero() {
		when, fault = c.Captured.Format("2006-01-02 15:04"), ""
	}
	s := fmt.Sprintf("%s %v %s %s %s %q %s %v", c.Kind, c.Object, c.URL, c.Canonical, when, fault, c.Title, c.Pages)
	for _, source := range c.Sources {
		if source.Submitted != "" {
			s += " " + source.Submitted
		}
		if len(source.Redirects) > 0 {
			s += fmt.Sprint(" ", source.Redirects)
		}
		if source.Command != nil {
			s += fmt.Sprint(" ", source.Command.Levels, source.Command.SameSite)
		}
	}
	return fmt.Sprint(s, " ", c.Submitted)
}

// A content set that cannot be read is in Unread, and not a capture.
func TestDamage(t *testing.T) {
	list, unread := parsed(t, fmt.Sprintf(document, "/SI << /AU 9 0 R >>")+"9 0 obj << /Broken\n")
	if len(list) != 0 || unread == 0 {
		t.Errorf("%d captures, %d unread parts", len(list), unread)
	}
}

// At the end of the context, the captures end with its cause.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	f, err := webcapture.New(ctx, site, webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.New(f, db)
	if err != nil {
		t.Fatal(err)
	}
	late := errors.New("late")
	for _, e := range c.Captures() {
		err = e
		cancel(late)
	}
	if !errors.Is(err, late) {
		t.Errorf("error %v", err)
	}
}

// judged is a capture as testdata/judge/captures.py prints it.
type judged struct {
	Object      uint32
	Kind        catalog.Kind
	Title, Date string
	Pages       []int
	Members     []uint32
}

// pikepdf reads the same captures from real files.
func TestRealCaptures(t *testing.T) {
	paths := webcapturetest.NeedCorpus(t, "real")
	webcapturetest.Program(t, "/usr/lib/python3/dist-packages/pikepdf/__init__.py")
	for _, name := range []string{"UglyToad+PdfPig__0000505", "pdfcpu+pdfcpu__sample01", "openpreserve+format-corpus"} {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(paths, func(p string) bool { return strings.HasPrefix(filepath.Base(p), name) })
			out, err := exec.Command("/usr/bin/python3", "../../testdata/judge/captures.py", paths[i]).Output()
			if err != nil {
				t.Fatal(err)
			}
			var want []judged
			if err := json.Unmarshal(out, &want); err != nil {
				t.Fatal(err)
			}
			f, err := webcapture.Open(context.Background(), paths[i], webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			list, _, err := read(f)
			if err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(list, func(a, b *catalog.Capture) int { return a.Object.Compare(b.Object) })
			if got, want := fmt.Sprint(judge(list)), fmt.Sprint(want); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// judge returns captures in the form of the independent reader.
func judge(list []*catalog.Capture) (out []judged) {
	for _, c := range list {
		j := judged{Object: c.Object.Num, Kind: c.Kind, Title: c.Title, Date: string(c.TS.Stored)}
		for _, r := range c.Pages {
			for p := r.First; p <= r.Last; p++ {
				j.Pages = append(j.Pages, p)
			}
		}
		for _, m := range c.Members {
			j.Members = append(j.Members, m.Num)
		}
		out = append(out, j)
	}
	return out
}
