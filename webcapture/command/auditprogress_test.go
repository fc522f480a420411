package command

import (
	"errors"
	"fmt"
	"os"
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
	rec.Report.Findings.Add(rule.Finding{Rule: audit.Rules()[0]})
	g.add(rec)
	g.began("folder/b.pdf", "")
	g.setExpected(&fileCount{5, 10_000_000})
	if got, want := g.text(4*time.Second),
		"25%, 1 of 5 files, 2.5 MB of 10.0 MB, 0 files/s, 12s left, 1 error: folder/b.pdf"; got != want {
		t.Errorf("after four seconds: %q, want %q", got, want)
	}
	g.began("a\x1b[2J.pdf", "")
	if text := g.text(time.Second); strings.Contains(text, "\x1b") {
		t.Errorf("a name moves the cursor: %q", text)
	}
	// Files in archives were not counted, so the remaining time is unknown.
	g.add(&report.Record{Path: "x.zip!a.pdf"})
	if text := g.text(time.Second); strings.Contains(text, "left") {
		t.Errorf("time left of an archive: %q", text)
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
	if g.done.files != len(all) {
		t.Errorf("%d files are counted, want %d", g.done.files, len(all))
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

// The total is shown until it is exceeded; files that are done are not more than expected.
func TestTotalOfProgress(t *testing.T) {
	for _, tt := range []struct {
		done fileCount
		all  *fileCount
		want string
	}{
		{fileCount{1, 10}, &fileCount{4, 40}, "25% 1 of 4 files 10 bytes of 40 bytes 1 files/s 3s left"},
		{fileCount{4, 40}, &fileCount{4, 40}, "100% 4 of 4 files 40 bytes of 40 bytes 4 files/s 0s left"},
		{fileCount{5, 40}, &fileCount{4, 40}, "5 files 40 bytes 5 files/s"},
		{fileCount{4, 41}, &fileCount{4, 40}, "4 files 41 bytes 4 files/s"},
		{fileCount{4, 0}, &fileCount{4, 40}, "4 files 0 bytes 4 files/s"},
		{fileCount{1, 10}, nil, "1 file 10 bytes 1 files/s"},
	} {
		if got := strings.Join(tt.done.progress(tt.all, 1), " "); got != tt.want {
			t.Errorf("%v of %v: %q, want %q", tt.done, tt.all, got, tt.want)
		}
	}
}

// Only PDF files in folders, and named ones, are expected. An error leaves the total unknown.
func TestExpectedFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	err := errors.Join(os.MkdirAll("in/below.pdf", 0o777), os.WriteFile("in/a.pdf", make([]byte, 10), 0o666),
		os.WriteFile("in/below.pdf/B.PDF", make([]byte, 20), 0o666), os.WriteFile("in/c.txt", make([]byte, 40), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	for paths, want := range map[string]*fileCount{"in": {2, 30}, "in/a.pdf": {1, 10}, "in in/a.pdf": {3, 40},
		"in/c.txt": {0, 0}, "in gone": nil, "gone": nil} {
		got := expectedFiles(strings.Fields(paths))
		if (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%s: %v, want %v", paths, got, want)
		}
	}
}

// The total holds as long as only PDF files outside archives are audited, before and after it is known.
func TestTotalIsDropped(t *testing.T) {
	for path, keeps := range map[string]bool{"a.pdf": true, "in/B.PDF": true, "a.txt": false, "a": false,
		"x.zip!a.pdf": false, "http://h/a.pdf!": false} {
		g := new(auditProgress)
		g.setExpected(&fileCount{5, 50})
		g.add(&report.Record{Path: path, Size: 10})
		if (g.expected != nil) != keeps || g.done != (fileCount{1, 10}) {
			t.Errorf("%s: %v of %v", path, g.done, g.expected)
		}
		g.setExpected(&fileCount{5, 50})
		if (g.expected != nil) != keeps {
			t.Errorf("%s, before the total is known: %v", path, g.expected)
		}
	}
}
