package command

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func TestAuditProgress(t *testing.T) {
	start := time.Now()
	var out strings.Builder
	g := &auditProgress{w: &out, width: 60, start: start}
	rec := &report.Record{Path: "a.pdf", Size: 2_500_000, Report: &audit.Report{Facts: webcapture.Facts{Present: true}}}
	rec.Report.Findings.Add(audit.Finding{Rule: audit.Rules()[0]})
	g.add(rec)
	g.began("folder/b.pdf")
	g.show(start.Add(time.Second))
	if out.Len() > 0 {
		t.Errorf("%q after one second", out.String())
	}
	g.expected.Store(10_000_000)
	g.show(start.Add(4 * time.Second))
	if want := "1 file, 0 a second, 2.5 MB, 12s left, 1 error: folder/b.pdf"; out.String() != "\r"+want+"\x1b[K" {
		t.Errorf("after four seconds: %q, want %q", out.String(), want)
	}
	out.Reset()
	g.began(strings.Repeat("long/", 100) + "\x1b[2J.pdf")
	g.show(start.Add(5 * time.Second))
	line := strings.TrimSuffix(strings.TrimPrefix(out.String(), "\r"), "\x1b[K")
	if n := len([]rune(line)); n >= 60 || strings.Contains(line, "\x1b") {
		t.Errorf("%d characters: %q", n, line)
	}
	out.Reset()
	g.clear()
	g.clear()
	if out.String() != "\r\x1b[K" {
		t.Errorf("cleared with %q", out.String())
	}
	// What is in archives was not counted, so nobody knows how long it takes.
	g.add(&report.Record{Path: "x.zip!a.pdf"})
	if text := g.text(start.Add(time.Second)); strings.Contains(text, "left") {
		t.Errorf("time left of an archive: %q", text)
	}
}

// Where a line cannot be redrawn, one is written every half minute.
func TestAuditProgressInLogs(t *testing.T) {
	start := time.Now()
	var out strings.Builder
	g := &auditProgress{w: &out, start: start, plain: start}
	for s := range 95 {
		g.show(start.Add(time.Duration(s) * time.Second))
	}
	if got := lines(out.String()); len(got) != 3 || !strings.HasPrefix(got[0], "webcap: 0 files, ") {
		t.Errorf("%q, want three lines", got)
	}
}

// All records come through, and what is shown is gone when they are written.
func TestAuditProgressOverRecords(t *testing.T) {
	var out strings.Builder
	g := &auditProgress{w: &out, width: 60, start: time.Now().Add(-time.Minute), shown: true}
	all := []*report.Record{{Path: "a.pdf"}, {Path: "b.pdf"}, {Path: "c.pdf"}}
	n := 0
	for rec := range g.over(slices.Values(all)) {
		if rec != all[n] || g.shown {
			t.Errorf("record %d: %+v, shown %v", n, rec, g.shown)
		}
		n++
	}
	if n != 3 || g.files != 3 {
		t.Errorf("%d records, %d files", n, g.files)
	}
	for range g.over(slices.Values(all)) {
		break
	}
}

func TestSizeText(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 999: "999 bytes", 1000: "1.0 kB", 1_550_000: "1.6 MB", 3e12: "3.0 TB", 5e15: "5000.0 TB"} {
		if got := sizeText(n); got != want {
			t.Errorf("sizeText(%d) = %q, want %q", n, got, want)
		}
	}
}
