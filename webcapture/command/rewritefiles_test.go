package command

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Each file of a folder has one outcome, which its line and the last line name. Files that stay as they are have a line
// with -v, and those whose errors stay also without.
func TestFatesOfFiles(t *testing.T) {
	rep := &audit.Report{Facts: webcapture.Facts{Present: true}}
	const clean = ": 0 errors, 0 warnings, 0 notes\n"
	for _, tt := range []struct {
		name       string
		rec        report.Record
		line, last string
		code       int
		listed     bool // also without -v
	}{
		{"failed", report.Record{Err: errors.New("gone")}, "", "1 failed\n", exitFailed, false},
		{"written", report.Record{Report: rep, Rewrite: &report.Rewrite{Steps: 2, Written: true}},
			"in/a.pdf -> out/a.pdf: 2 steps, written" + clean, "1 written\n", exitClean, true},
		{"planned", report.Record{Report: rep, Rewrite: &report.Rewrite{Steps: 1, Errors: 1, Left: []string{"why"}}},
			"in/a.pdf: 1 step" + clean + "  stays: why\n", "1 to be repaired\n", exitFindings, true},
		{"sound", report.Record{Report: rep, Rewrite: &report.Rewrite{}}, "in/a.pdf: nothing to repair" + clean,
			"1 with nothing to repair\nNot copied to out: 1 file without repairs\n", exitClean, false},
		{"broken", report.Record{Report: rep, Rewrite: &report.Rewrite{Errors: 3, Left: []string{"a", "b", "c"}}},
			"in/a.pdf: nothing can be repaired" + clean + "  stays: a\n  stays: b\n  stays: c\n",
			"1 with findings that stay\nNot copied to out: 1 file without repairs\n", exitFindings, true},
		{"in part", report.Record{Report: &audit.Report{Facts: webcapture.Facts{Present: true},
			Unread: []rule.Unread{{Err: errors.New("torn")}}}, Rewrite: &report.Rewrite{}},
			"in/a.pdf: nothing to repair in the part that could be read" + clean,
			"1 read in part\nNot copied to out: 1 file without repairs\n", exitFailed, false},
		{"in part, with an error", report.Record{Report: &audit.Report{Facts: webcapture.Facts{Present: true},
			Unread: []rule.Unread{{Err: errors.New("torn")}}}, Rewrite: &report.Rewrite{Errors: 1, Left: []string{"a"}}},
			"in/a.pdf: nothing to repair in the part that could be read" + clean + "  stays: a\n",
			"1 read in part\nNot copied to out: 1 file without repairs\n", exitFailed, true},
		{"without a database", report.Record{Report: &audit.Report{}, Rewrite: &report.Rewrite{}},
			"in/a.pdf: no Web Capture content database: nothing to rewrite\n",
			"1 without a content database\nNot copied to out: 1 file without repairs\n", exitNothing, false},
		{"restored", report.Record{Report: &audit.Report{}, Rewrite: &report.Rewrite{Steps: 1}},
			"in/a.pdf: 1 step" + clean, "1 to be repaired\n", exitClean, true},
		{"an empty folder", report.Record{Err: report.ErrNoFiles}, "", "", exitNothing, false},
	} {
		for _, verbose := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, verbose), func(t *testing.T) {
				var out strings.Builder
				p := &program{stdout: bufio.NewWriter(&out), stderr: new(strings.Builder)}
				rec := tt.rec
				rec.Path = filepath.Join("in", "a.pdf")
				w := &rewriteRun{p: p, target: rewrite.Target{Path: "out"}, verbose: verbose,
					outputs: map[string]string{rec.Path: "out/a.pdf"}}
				err := w.write(slices.Values([]*report.Record{&rec}))
				if err := errors.Join(err, w.writeTotals(), p.stdout.Flush()); err != nil {
					t.Fatal(err)
				}
				want := ""
				if verbose || tt.listed {
					want = tt.line
				}
				if want != "" {
					want += "\n"
				}
				if tt.last != "" {
					want += "1 file: " + tt.last
				}
				if got := filepath.ToSlash(out.String()); got != want || p.code() != tt.code {
					t.Errorf("exit %d, want %d; got\n%swant\n%s", p.code(), tt.code, got, want)
				}
			})
		}
	}
}

// If the output folder cannot be made, each file fails with the reason, and none changes.
func TestRewriteFolderBelowFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	broken := bytes.ReplaceAll(webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{}),
		[]byte("(http://"), []byte("(HTTP://"))
	if err := errors.Join(os.Mkdir("in", 0o777), os.WriteFile("in/a.pdf", broken, 0o666),
		os.WriteFile("file", nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	code, stderr := run(nil, &out, "rewrite", "in", "-o", "file/out")
	if code != exitFailed || !strings.HasPrefix(stderr, "webcap: in/a.pdf: ") || strings.Count(stderr, "\n") != 1 ||
		out.String() != "1 file: 1 failed\n" {
		t.Errorf("exit %d, it says %q, output %q", code, stderr, out.String())
	}
}

// writeFiles writes files to the working directory, and makes their folders.
func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	for path, data := range files {
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(data), 0o666))
		if err != nil {
			t.Fatal(err)
		}
	}
}
