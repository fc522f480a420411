package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/digest/meter"
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
				entries = append(entries, sourcetest.HAREntry("GET", "http://h/", 100+i, `{"text": "a"}`, ""))
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
	record := &source.Candidate{URL: "http://h/", Where: "a.warc", Body: &source.Body{}}
	list := func(n int, limit int64) (size int64, listed, code int, says string) {
		withOptions(t, "source list a.warc", func(p *program, c *cli.Context) {
			w := &sourceLister{out: countingWriter{w: io.Discard}, limit: limit}
			w.list = show.NewSourceList("csv", &w.out, 0, false)
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

// A list of records ends when the budget of the sources is exceeded, and says so once.
func TestListOverBudget(t *testing.T) {
	record := func(where string) *source.Candidate {
		return &source.Candidate{URL: "http://h/", Where: where, Body: bodyOf("text", nil, true)}
	}
	withOptions(t, "source list --md5 a.warc", func(p *program, c *cli.Context) {
		w := &sourceLister{out: countingWriter{w: io.Discard}, limit: 1 << 20, meter: &meter.Meter{}}
		w.meter.Limit(int64(len("text")), 0)
		w.list = show.NewSourceList("csv", &w.out, 0, false)
		records := func(yield func(*source.Candidate, error) bool) {
			_ = yield(record("a"), nil) && yield(record("b"), nil) && yield(record("c"), nil)
		}
		listed, err := p.listSources(c, records, w)
		if want := "webcap: " + (meter.Over{}).Error() + "\n"; err != nil || listed != 2 || p.code() != exitFailed ||
			said(p) != want {
			t.Errorf("%d records, %v, exit %d, it says %q", listed, err, p.code(), said(p))
		}
	})
}

// bodyOf returns a body with data, whose reader ends with err, or that cannot be opened.
func bodyOf(data string, err error, opens bool) *source.Body {
	return &source.Body{Open: func() (io.ReadCloser, error) {
		if !opens {
			return nil, err
		}
		return io.NopCloser(io.MultiReader(strings.NewReader(data), failingReader{err})), nil
	}}
}

// failingReader fails with an error; io.EOF if it is nil.
type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) {
	if r.err == nil {
		return 0, io.EOF
	}
	return 0, r.err
}

// A body that cannot be read has no digest, and the error is reported.
func TestDigestsOfBodies(t *testing.T) {
	const text = "1cb251ec0d568de6a929b520c4aed8d1" // MD5 of text
	gone := errors.New("gone")
	for _, tt := range []struct {
		name string
		body *source.Body
		err  error
		code int
	}{
		{"whole", bodyOf("text", nil, true), nil, exitClean},
		{"cannot be opened", bodyOf("", gone, false), gone, exitClean},
		{"cannot be read", bodyOf("te", gone, true), gone, exitClean},
		{"none", nil, nil, exitClean},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &program{stderr: new(strings.Builder)}
			w := new(sourceLister)
			r := &show.SourceRecord{Candidate: &source.Candidate{Where: "a.warc", Body: tt.body}}
			err := w.digest(t.Context(), p, r)
			says := ""
			if tt.err != nil {
				says = "webcap: a.warc: " + tt.err.Error() + "\n"
			}
			if err != nil || r.Err != tt.err || said(p) != says || p.code() != tt.code ||
				(r.Sums != nil) != (tt.name == "whole") || r.Sums != nil && r.Sums.ID[source.Stored].String() != text {
				t.Errorf("%+v, %v, exit %d, it says %q", r, err, p.code(), said(p))
			}
		})
	}
}

// Records that share data, such as revisits, share one digest. The number of remembered digests is limited.
func TestSharedDigests(t *testing.T) {
	opened := 0
	w, p := new(sourceLister), &program{stderr: new(strings.Builder)}
	do := func(where, place string, opens int, digests ...source.Checksum) {
		t.Helper()
		before := opened
		r := &show.SourceRecord{Candidate: &source.Candidate{Where: where, Revisit: place, Body: &source.Body{
			Digests: digests,
			Open: func() (io.ReadCloser, error) {
				opened++
				return io.NopCloser(strings.NewReader("text")), nil
			}}}}
		if err := w.digest(t.Context(), p, r); err != nil || r.Sums == nil || opened-before != opens {
			t.Errorf("%s: %+v, %v, opened %d times, want %d", where, r, err, opened-before, opens)
		}
	}
	do("1", "", 1)
	do("2", "1", 0)
	do("1", "", 0)
	do("2", "", 1)
	do("3", "1", 1, "md5:00112233445566778899aabbccddeeff")
	for i := range 2 * maxKnownBodies {
		do(fmt.Sprint("other ", i), "", 1)
		if len(w.known) > maxKnownBodies {
			t.Fatalf("%d digests are remembered, want at most %d", len(w.known), maxKnownBodies)
		}
	}
}

// A body of a source that an interrupt ends has no digest, and the error is the interrupt.
func TestInterruptedBody(t *testing.T) {
	ctx, interrupt := context.WithCancelCause(t.Context())
	interrupt(errInterrupted)
	w, p := new(sourceLister), &program{stderr: new(bytes.Buffer)}
	r := &show.SourceRecord{Candidate: &source.Candidate{Where: "a.warc", Body: bodyOf("text", nil, true)}}
	if err := w.digest(ctx, p, r); !errors.Is(err, errInterrupted) || r.Sums != nil {
		t.Errorf("%v, %v", r.Sums, err)
	}
}
