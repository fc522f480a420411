package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// said returns the messages of a program.
func said(p *program) string { return p.stderr.(*strings.Builder).String() }

// numbered returns n lines, each with its number from 1 in the place of #.
func numbered(n int, line string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(line, "#", fmt.Sprint(i+1)) + "\n")
	}
	return b.String()
}

// Of many messages of one kind, the first twenty are printed, and the others counted.
func TestNotesAreCounted(t *testing.T) {
	const missing = "webcap: a.html: not found: image http://h/#"
	for _, tt := range []struct {
		n, shown int
		more     string
	}{{0, 0, ""}, {1, 1, ""}, {20, 20, ""}, {21, 20, "1 more"}, {25, 20, "5 more"}} {
		t.Run(fmt.Sprint(tt.n), func(t *testing.T) {
			var refs []page.Reference
			for i := range tt.n {
				refs = append(refs, page.Reference{URL: fmt.Sprint("http://h/", i+1), Kind: page.Image})
			}
			p := &program{stderr: new(strings.Builder)}
			(&digester{p: p, page: true}).sayMissing("a.html", refs)
			want := numbered(tt.shown, missing)
			if tt.more != "" {
				want += "webcap: a.html: … and " + tt.more + " files not found\n"
			}
			if want = strings.Replace(want, "and 1 more files", "and 1 more file", 1); said(p) != want {
				t.Errorf("missing files:\n%swant\n%s", said(p), want)
			}
		})
	}
}

// If a page of a source has no URL, missing files may have wrong URLs; only then there is a hint.
func TestHintAboutTheURLOfAPage(t *testing.T) {
	for _, tt := range []struct {
		d    digester
		n    int
		hint bool
	}{
		{digester{page: true, search: new(page.Search)}, 1, true},
		{digester{page: true, search: new(page.Search)}, 0, false},
		{digester{search: new(page.Search)}, 1, false},
		{digester{page: true}, 1, false},
		{digester{page: true, search: new(page.Search), url: "http://h/"}, 1, false},
	} {
		p := &program{stderr: new(strings.Builder)}
		tt.d.p = p
		tt.d.sayMissing("a.html", make([]page.Reference, tt.n))
		const hint = "webcap: a.html: if these URLs are wrong, give the URL of the page with --url\n"
		if got := strings.Contains(said(p), hint); got != tt.hint {
			t.Errorf("%d missing, url %q: %s", tt.n, tt.d.url, said(p))
		}
	}
}

// Unreadable records of a source do not end its list. The first twenty are reported, and the others counted.
func TestUnreadableRecordsAreCounted(t *testing.T) {
	for _, n := range []int{0, 20, 21, 23} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			records := func(yield func(*source.Candidate, error) bool) {
				for i := range n {
					if !yield(nil, fmt.Errorf("record %d\nis bad", i+1)) {
						return
					}
				}
				yield(&source.Candidate{URL: "http://h/", Where: "a.warc", Body: &source.Body{}}, nil)
			}
			withOptions(t, "source list a.warc", func(p *program, c *cli.Context) {
				var out strings.Builder
				listed, err := p.listSources(c.Context, records, show.NewSourceList("table", &out, 0), nil)
				if err != nil || listed != 1 || !strings.Contains(out.String(), "  http://h/  a.warc\n") {
					t.Errorf("%d listed, %v:\n%s", listed, err, out.String())
				}
				want := numbered(min(n, 20), "webcap: record #; is bad")
				if n > 20 {
					want += map[int]string{21: "webcap: … and 1 more error\n", 23: "webcap: … and 3 more errors\n"}[n]
				}
				if said(p) != want {
					t.Errorf("it says\n%swant\n%s", said(p), want)
				}
			})
		})
	}
}

// A note about a URL has at most 200 of its bytes.
func TestLongRelativeURL(t *testing.T) {
	for n, end := range map[int]string{200: "", 201: " …"} {
		_, stderr := run(strings.NewReader(strings.Repeat("x", n)+"\n"), io.Discard, "canon")
		want := "webcap: line 1: relative URL without --base: \"" + strings.Repeat("x", 200) + end + "\"\n"
		if stderr != want {
			t.Errorf("%d bytes: %q", n, stderr)
		}
	}
}

// Damaged results are named with the reason, and make the run incomplete.
func TestResultsThatFail(t *testing.T) {
	p := &program{stderr: new(strings.Builder)}
	s := &joinedResults{p: p}
	s.fail("a.json", fmt.Errorf("line 3: %w", io.ErrUnexpectedEOF))
	s.fail("b.json", errors.New("bad\ndisk"))
	if want := "webcap: a.json: the results end too early\nwebcap: b.json: bad; disk\n"; said(p) != want ||
		s.end != report.Missing {
		t.Errorf("end %v, it says\n%swant\n%s", s.end, said(p), want)
	}
	s.end = report.Interrupted
	if s.fail("c.json", errors.New("gone")); s.end != report.Interrupted {
		t.Errorf("end %v, want %v: the worst counts", s.end, report.Interrupted)
	}
}

// The file that a run writes is not one of its inputs. The others stay, in their order.
func TestInputsWithoutOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := errors.Join(os.Mkdir("in", 0o777), os.WriteFile("journal", nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	var inputs []*batch.Input
	for _, name := range []string{"a.pdf", "./journal", "in/journal", "b.pdf"} {
		inputs = append(inputs, &batch.Input{Name: name})
	}
	var got []string
	for in := range without(slices.Values(inputs), "journal") {
		got = append(got, in.Name)
	}
	if want := []string{"a.pdf", "in/journal", "b.pdf"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for range without(slices.Values(inputs), "journal") {
		break // the loop would panic if the iterator continued
	}
}
