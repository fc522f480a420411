package command

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/command/terminal"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func TestAuditProgress(t *testing.T) {
	g := new(auditProgress)
	g.began("large.pdf", "checking content sets")
	if got, want := g.text(5*time.Second), "0 files, 5s: large.pdf: checking content sets"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	g.files.Add(1)
	g.began("folder/b.pdf", "")
	if got, want := g.text(4*time.Second), "1 file, 4s: folder/b.pdf"; got != want {
		t.Errorf("%q, want %q", got, want)
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
	if n := g.files.Load(); n != int64(len(all)) {
		t.Errorf("%d files are counted, want %d", n, len(all))
	}
	if strings.HasSuffix(out.String(), "files") {
		t.Errorf("a line is left: %q", out.String())
	}
	for range p.over(slices.Values(all)) {
		break
	}
}
