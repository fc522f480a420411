package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/command/terminal"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func TestAuditProgress(t *testing.T) {
	g := new(auditProgress)
	g.began("large.pdf", "")
	if got, want := g.text(4*time.Second), "auditing large.pdf, 4s"; got != want {
		t.Errorf("of the first file: %q, want %q", got, want)
	}
	g.began("large.pdf", "checking content sets")
	if got, want := g.text(5*time.Second), "auditing large.pdf: checking content sets, 5s"; got != want {
		t.Errorf("of a part of its audit: %q, want %q", got, want)
	}
	rec := &report.Record{Path: "a.pdf", Size: 2_500_000, Report: &audit.Report{Facts: webcapture.Facts{Present: true}}}
	rec.Report.Findings = append(rec.Report.Findings, rule.Finding{Rule: audit.Rules()[0]})
	g.add(rec)
	g.began("folder/b.pdf", "")
	if got, want := g.text(4*time.Second),
		"1 file, 2.5 MB, 0 files/s, 1 error: folder/b.pdf"; got != want {
		t.Errorf("after four seconds: %q, want %q", got, want)
	}
	g.began("a\x1b[2J.pdf", "")
	if text := g.text(time.Second); strings.Contains(text, "\x1b") {
		t.Errorf("a name moves the cursor: %q", text)
	}
}

// All records are yielded, and the progress line disappears afterwards.
func TestAuditProgressOverRecords(t *testing.T) {
	var out strings.Builder
	p := &program{progress: terminal.Progress{W: &out, Width: 60}}
	g := &p.files
	all := []*report.Record{{Path: "a.pdf"}, {Path: "b.pdf"}, {Path: "c.pdf"}}
	n := 0
	for rec := range p.over(slices.Values(all)) {
		if rec != all[n] {
			t.Errorf("record %d: %+v", n, rec)
		}
		n++
	}
	if n != len(all) {
		t.Errorf("%d records, want %d", n, len(all))
	}
	if g.files != len(all) {
		t.Errorf("%d files are counted, want %d", g.files, len(all))
	}
	if strings.HasSuffix(out.String(), "files") {
		t.Errorf("a line is left: %q", out.String())
	}
	for range p.over(slices.Values(all)) {
		break
	}
}

func TestSizeText(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 999: "999 bytes", 1000: "1.0 kB", 1_550_000: "1.6 MB",
		3e12: "3.0 TB", 5e15: "5000.0 TB"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := sizeText(n); got != want {
				t.Errorf("sizeText(%d) = %q, want %q", n, got, want)
			}
		})
	}
}
