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
