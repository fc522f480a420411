package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/webcapture/command/show"
)

// A source reports up to twenty reasons why it skipped records, and counts the others.
func TestReasonsOfSkippedRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.har")
	for n, more := range map[int]string{0: "", 1: "", 20: "", 21: "… and 1 more reason\n",
		22: "… and 2 more reasons\n"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			entries := []string{sourcetest.HAREntry("GET", "http://h/", 200, `{"text": "a"}`, "")}
			for i := range n {
				method := "METHOD-" + string(rune('A'+i))
				entries = append(entries, sourcetest.HAREntry(method, "http://h/", 200, `{"text": "a"}`, ""))
			}
			if err := os.WriteFile(path, []byte(sourcetest.HAR(entries...)), 0o666); err != nil {
				t.Fatal(err)
			}
			_, stderr := run(nil, io.Discard, "source", "list", path)
			shown := strings.Count(stderr, "webcap: source "+path+": skipped ")
			if shown != min(n, maxNotes) || strings.Contains(stderr, "…") != (more != "") || !strings.HasSuffix(stderr, more) {
				t.Errorf("%d reasons of %d, it says\n%s", shown, n, stderr)
			}
		})
	}
}

// A list of records ends after the first record beyond the limit of its size, and says so.
func TestLimitOfSourceLists(t *testing.T) {
	record := &source.Candidate{URL: "http://h/", Where: "a.warc"}
	list := func(n int, limit int64) (size int64, listed, code int, says string) {
		withOptions(t, "source list a.warc", func(p *program, c *cli.Context) {
			w := &sourceLister{out: countingWriter{w: io.Discard}, limit: limit}
			w.list = show.NewSourceCSV(&w.out)
			records := func(yield func(*source.Candidate, error) bool) {
				for range n {
					if !yield(record, nil) {
						return
					}
				}
			}
			var err error
			if listed, err = p.listSources(c, records, w); err != nil {
				t.Fatal(err)
			}
			size, code, says = w.out.n, p.code(), said(p)
		})
		return size, listed, code, says
	}
	two, _, _, _ := list(2, 1<<20)
	const omitted = "webcap: records after this one are omitted: too much output for sources of this size\n"
	for _, tt := range []struct {
		limit        int64
		listed, code int
		says         string
	}{{two, 3, exitClean, ""}, {two - 1, 2, exitFailed, omitted}, {0, 1, exitFailed, omitted}} {
		if _, listed, code, says := list(3, tt.limit); listed != tt.listed || code != tt.code || says != tt.says {
			t.Errorf("limit %d of %d bytes: %d records, exit %d, it says %q", tt.limit, two, listed, code, says)
		}
	}
}

// bodyOf returns a body with data, whose reader ends with err, or that cannot be opened.
func bodyOf(data string, err error, opens bool) source.Body {
	return source.NewBody("stored", func() (io.ReadCloser, error) {
		if !opens {
			return nil, err
		}
		return io.NopCloser(io.MultiReader(strings.NewReader(data), failingReader{err})), nil
	})
}

// failingReader fails with an error; io.EOF if it is nil.
type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) {
	if r.err == nil {
		return 0, io.EOF
	}
	return 0, r.err
}

// A body that cannot be read has no digest. This is reported for stored data and at limits only, because other forms
// are guesses. Forms that do not exist are left out.
func TestDigestsOfBodies(t *testing.T) {
	const text = "1cb251ec0d568de6a929b520c4aed8d1" // MD5 of text
	gone, large := errors.New("gone"), &source.TooLarge{Limit: 5}
	undeclared := func(b source.Body) source.Body { b.Undeclared = true; return b }
	const noRead = "source: gone"
	noRoom := "source: " + large.Error()
	whole := bodyOf("text", nil, true)
	for _, tt := range []struct {
		name string
		more source.Body // the only body, or after one that is whole
		only bool
		want string // MD5 or error; "" for none
		says bool
		code int
	}{
		{"whole", whole, true, text, false, exitClean},
		{"cannot be opened", bodyOf("", gone, false), true, "gone", true, exitClean},
		{"cannot be read", bodyOf("te", gone, true), true, noRead, true, exitClean},
		{"another form", bodyOf("te", gone, true), false, noRead, false, exitClean},
		{"too large", bodyOf("te", large, true), true, noRoom, true, exitFailed},
		{"another form that is too large", bodyOf("te", large, true), false, noRoom, true, exitFailed},
		{"a form that does not exist", undeclared(bodyOf("", gone, true)), false, "", false, exitClean},
		{"a form that breaks", undeclared(bodyOf("te", gone, true)), false, noRead, false, exitClean},
		{"only a form that does not exist", undeclared(bodyOf("", gone, true)), true, "", false, exitClean},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &program{stderr: new(strings.Builder)}
			d := &bodyDigester{p: p, known: map[string][]show.SourceDigest{}}
			bodies, want, says := []source.Body{whole, tt.more}, []string{text, tt.want}, ""
			if tt.only {
				bodies, want = bodies[1:], want[1:]
			}
			if tt.want == "" {
				want = want[:len(want)-1]
			}
			if tt.says {
				says = "webcap: a.warc: " + tt.want + "\n"
			}
			list, err := d.digests(t.Context(), &source.Candidate{Where: "a.warc", Bodies: bodies})
			var got []string
			for _, one := range list {
				if got = append(got, one.ID.String()); one.Err != nil {
					got[len(got)-1] = one.Err.Error()
				}
			}
			if err != nil || !slices.Equal(got, want) || said(p) != says || p.code() != tt.code {
				t.Errorf("%q, %v, exit %d, it says %q; want %q, %d, %q", got, err, p.code(), said(p), want, tt.code, says)
			}
		})
	}
}

// Records that share data, such as revisits, share one digest. The number of remembered digests is limited.
func TestSharedDigests(t *testing.T) {
	opened := 0
	body := source.NewBody("stored", func() (io.ReadCloser, error) {
		opened++
		return io.NopCloser(strings.NewReader("text")), nil
	})
	d := &bodyDigester{p: &program{stderr: new(strings.Builder)}, known: map[string][]show.SourceDigest{}}
	want, err := digest.Image(strings.NewReader("text"))
	if err != nil {
		t.Fatal(err)
	}
	do := func(c *source.Candidate, opens int) {
		t.Helper()
		before := opened
		c.Bodies = []source.Body{body}
		list, err := d.digests(t.Context(), c)
		if err != nil || len(list) != 1 || list[0].ID != want || opened-before != opens {
			t.Errorf("%+v: %+v, %v, opened %d times, want %d", c, list, err, opened-before, opens)
		}
	}
	do(&source.Candidate{Where: "1"}, 1)
	do(&source.Candidate{Where: "2", Revisit: "1"}, 0)
	do(&source.Candidate{Where: "1"}, 0)
	do(&source.Candidate{Where: "2"}, 1)
	for i := range 2 * maxKnownBodies {
		d.digests(t.Context(), &source.Candidate{Where: fmt.Sprint("other ", i)})
		if len(d.known) > maxKnownBodies {
			t.Fatalf("%d digests are remembered, want at most %d", len(d.known), maxKnownBodies)
		}
	}
}

// A body of a source that an interrupt ends has no digest, and the error is the interrupt.
func TestInterruptedBody(t *testing.T) {
	ctx, interrupt := context.WithCancelCause(t.Context())
	interrupt(errInterrupted)
	d := &bodyDigester{p: &program{stderr: new(bytes.Buffer)}, known: map[string][]show.SourceDigest{}}
	c := &source.Candidate{Where: "a.warc", Bodies: []source.Body{bodyOf("text", nil, true)}}
	if list, err := d.digests(ctx, c); !errors.Is(err, errInterrupted) || list != nil || len(d.known) > 0 {
		t.Errorf("%v, %v, %v", list, err, d.known)
	}
}
