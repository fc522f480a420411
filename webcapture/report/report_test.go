package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

const golden = "../../testdata/report"

// day is the time of the audits in these tests.
var day = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// recorded returns the recorded results, which tests render in all formats.
func recorded(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(golden, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// render writes the records in results to the Writer that writer returns, and closes it.
func render(t *testing.T, results []byte, writer func(Head) Writer) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(results))
	if err != nil {
		t.Fatal(err)
	}
	w := writer(r.Head())
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(r.End()); err != nil {
		t.Fatal(err)
	}
}

func TestTableGolden(t *testing.T) {
	for name, opt := range map[string]Options{
		"table-60.txt":      {Width: 60},
		"table-80.txt":      {Width: 80},
		"table-120.txt":     {Width: 120},
		"table-200.txt":     {Width: 200},
		"table-piped.txt":   {},
		"table-verbose.txt": {Width: 80, Verbose: true},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			render(t, recorded(t), func(Head) Writer { return newTable(&out, opt) })
			layouttest.Golden(t, filepath.Join(golden, name), out.String())
			layouttest.Lines(t, out.String(), opt.Width)
		})
	}
}

func TestJSONWithoutInputs(t *testing.T) {
	var out bytes.Buffer
	if err := newJSON(&out, Options{}).Close(Complete); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(out.Bytes()) {
		t.Fatalf("not JSON: %s", out.String())
	}
	r, err := NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	if rec, err := r.Next(); err != io.EOF {
		t.Errorf("Next = %v, %v, want the end", rec, err)
	}
}

// limitedWriter fails after n bytes.
type limitedWriter struct{ n int }

var errFull = errors.New("no space left")

func (l *limitedWriter) Write(b []byte) (int, error) {
	if len(b) > l.n {
		return 0, errFull
	}
	l.n -= len(b)
	return len(b), nil
}

// A full disk never looks like a clean audit: Add or Close returns the error of any write.
func TestEveryWriteErrorIsReturned(t *testing.T) {
	records := manyFindings(3)
	for _, format := range all {
		var whole writeSizes
		if err := writeAll(format.New(&whole, Options{}), records); err != nil {
			t.Fatal(err)
		}
		room := 0
		for _, size := range whole {
			if err := writeAll(format.New(&limitedWriter{room}, Options{}), records); size > 0 && !errors.Is(err, errFull) {
				t.Fatalf("%s: with room for %d bytes the error is %v", format.Name, room, err)
			}
			room += size
		}
		if room == 0 {
			t.Errorf("%s: nothing is written", format.Name)
		}
	}
}

// writeSizes records the size of each Write.
type writeSizes []int

func (w *writeSizes) Write(p []byte) (int, error) {
	*w = append(*w, len(p))
	return len(p), nil
}

// A flaky writer fails once.
type flaky struct{ writes, fails int }

func (f *flaky) Write(b []byte) (int, error) {
	f.writes++
	if f.writes == f.fails {
		return 0, errFull
	}
	return len(b), nil
}

// The same holds if the disk has room again immediately.
func TestNoWriteErrorIsForgotten(t *testing.T) {
	records := append(manyFindings(4000), provenRecord(audit.Rules()[0]),
		&Record{Path: "empty.pdf", Report: &audit.Report{}})
	torn := records[2].Report
	for range 2000 {
		torn.Unread = append(torn.Unread, rule.Unread{Place: rule.Place{Tree: "URLS"}, Err: errors.New("torn")})
	}
	for range 200 { // ignored findings, which only some formats write: more than one write holds
		records[0].Ignored = append(records[0].Ignored, Ignored{records[0].Report.Findings[0],
			strings.Repeat("because ", 100)})
	}
	step := 5
	if webcapturetest.All() {
		step = 1
	}
	for _, format := range all {
		for n := 1; ; n += step {
			w := &flaky{fails: n}
			err := writeAll(format.New(w, Options{}), records)
			if w.writes < n {
				break // there are fewer writes
			}
			if !errors.Is(err, errFull) {
				t.Fatalf("%s: write %d fails, and the error is %v", format.Name, n, err)
			}
		}
	}
}

func writeAll(w Writer, records []*Record) error {
	for _, r := range records {
		if err := w.Add(r); err != nil {
			return err
		}
	}
	return w.Close(Complete)
}

func manyFindings(n int) []*Record {
	rep := &audit.Report{Facts: webcapture.Facts{Present: true, HasURLS: true, URLS: n}}
	one := &rule.Rule{ID: "WC302", Title: "A title.", Problem: "A title", Level: rule.Error}
	for i := range n {
		at := rule.Place{Tree: "URLS", Node: &rule.NodePlace{Index: i}}
		rep.Findings = append(rep.Findings, rule.Finding{Rule: one, Place: at, Message: fmt.Sprintf("message %d", i)})
	}
	return []*Record{{Path: "a.pdf", Report: rep}, {Path: "b.pdf", Err: errors.New("gone")}}
}

// change changes the first n findings of a record.
func change(r *Record, n int, do func(*rule.Finding)) {
	list := r.Report.Findings
	r.Report.Findings = rule.Findings{}
	for i, f := range list {
		if i < n {
			do(&f)
		}
		r.Report.Findings = append(r.Report.Findings, f)
	}
}

func TestTableDoesNotShowThousandsOfRows(t *testing.T) {
	for i, tt := range []struct {
		verbose bool
		shown   int
		more    string
	}{
		{false, SomeShown, "… and 997 more; -v lists more, --format json all"},
		{true, maxShown, "… and 980 more; --format json lists all"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var out bytes.Buffer
			if err := writeAll(newTable(&out, Options{Verbose: tt.verbose}), manyFindings(1000)); err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(out.String(), "message"); n != tt.shown {
				t.Errorf("%d findings are shown, want %d", n, tt.shown)
			}
			if !strings.Contains(out.String(), tt.more) {
				t.Errorf("%q is not in:\n%s", tt.more, out.String())
			}
		})
	}
}

func TestOutcome(t *testing.T) {
	finding := rule.Findings{rule.Finding{Rule: &rule.Rule{}}}
	unread := []rule.Unread{{}}
	for _, tt := range []struct {
		name string
		in   Record
		want Outcome
	}{
		{"clean", Record{Report: &audit.Report{Facts: webcapture.Facts{Present: true}}}, Clean},
		{"findings", Record{Report: &audit.Report{Facts: webcapture.Facts{Present: true}, Findings: finding}}, Findings},
		{"no database", Record{Report: &audit.Report{}}, Nothing},
		{"unread part", Record{Report: &audit.Report{Facts: webcapture.Facts{Present: true}, Unread: unread}}, Partial},
		{"unread part and findings", Record{Report: &audit.Report{Facts: webcapture.Facts{Present: true}, Findings: finding,
			Unread: unread}}, Partial},
		{"error", Record{Err: fs.ErrNotExist}, Failed},
		{"no files", Record{Err: fmt.Errorf("x: %w", ErrNoFiles)}, Nothing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in.Outcome(); got != tt.want {
				t.Errorf("%s: Outcome() = %v, want %v", tt.name, got, tt.want)
			}
		})
	}
}

func TestReason(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		err        error
	}{
		{"none", "", nil},
		{"path once", "file does not exist", &fs.PathError{Op: "open", Path: "a.pdf", Err: fs.ErrNotExist}},
		{"another path", "open b: file does not exist", &fs.PathError{Op: "open", Path: "b", Err: fs.ErrNotExist}},
		{"one line", "one; two", errors.Join(errors.New("one"), errors.New("two"))},
		{"control bytes", `a\x1b[31mb`, errors.New("a\x1b[31mb")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Record{Path: "a.pdf", Err: tt.err}
			if got := r.Reason(); got != tt.want {
				t.Errorf("%s: Reason() = %q, want %q", tt.name, got, tt.want)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	var s Tally
	for _, r := range manyFindings(2) {
		s.Add(r)
	}
	if got, want := s.String(), "2 files: 1 with errors, 1 not audited; 2 errors, 0 warnings, 0 notes"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

// A biggest is a writer that records the largest Write.
type biggest struct{ n int }

func (b *biggest) Write(p []byte) (int, error) {
	b.n = max(b.n, len(p))
	return len(p), nil
}

// Writers write the output for one file in small pieces, however long it is.
func TestWritersDoNotGatherAFile(t *testing.T) {
	r := manyFindings(20_000)[0]
	for _, f := range r.Report.Findings {
		r.Ignored = append(r.Ignored, Ignored{f, "known"})
		r.Report.Identities = append(r.Report.Identities, rule.Identity{Place: f.Place})
	}
	for _, f := range all {
		var out biggest
		if err := writeAll(f.New(&out, Options{}), []*Record{r}); err != nil {
			t.Fatal(err)
		}
		kept := f.Name == "html" || f.Name == "sarif" || f.Name == "junit" // they store text
		if out.n == 0 || out.n > 1<<17 && !kept {
			t.Errorf("%s writes %d bytes at once", f.Name, out.n)
		}
	}
}
