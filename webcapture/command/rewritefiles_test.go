package command

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
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

// Each file of a folder has one outcome, which its line and the last line name. Unchanged files have a line with -v.
func TestFatesOfFiles(t *testing.T) {
	rep := &audit.Report{Facts: webcapture.Facts{Present: true}}
	const clean = ": 0 errors, 0 warnings, 0 notes\n"
	for _, tt := range []struct {
		name       string
		rec        report.Record
		line, last string
		code       int
		changed    bool // a line without -v, too
	}{
		{"failed", report.Record{Err: errors.New("gone")}, "", "\n1 file: 1 failed\n", exitFailed, false},
		{"written", report.Record{Report: rep, Rewrite: &report.Rewrite{Steps: 2, Written: true}},
			"in/a.pdf -> out/a.pdf: 2 steps, written" + clean, "\n1 file: 1 written\n", exitClean, true},
		{"planned", report.Record{Report: rep, Rewrite: &report.Rewrite{Steps: 1}},
			"in/a.pdf: 1 step" + clean, "\n1 file: 1 to be repaired\n", exitClean, true},
		{"sound", report.Record{Report: rep, Rewrite: &report.Rewrite{}}, "in/a.pdf: nothing to repair" + clean,
			"\n1 file: 1 with nothing to repair\nNot copied to out: 1 file without repairs\n", exitClean, false},
		{"broken", report.Record{Report: &audit.Report{Facts: webcapture.Facts{Present: true},
			Findings: rule.Findings{rule.Finding{Rule: &rule.Rule{Level: rule.Error}}}}, Rewrite: &report.Rewrite{}},
			"in/a.pdf: no error can be repaired: 1 error, 0 warnings, 0 notes\n",
			"\n1 file: 1 with errors that cannot be repaired\nNot copied to out: 1 file without repairs\n", exitClean, false},
		{"in part", report.Record{Report: &audit.Report{Facts: webcapture.Facts{Present: true},
			Unread: []rule.Unread{{Err: errors.New("torn")}}}, Rewrite: &report.Rewrite{}},
			"in/a.pdf: nothing to repair in the part that could be read" + clean,
			"\n1 file: 1 read in part\nNot copied to out: 1 file without repairs\n", exitFailed, false},
		{"without a database", report.Record{Report: &audit.Report{}, Rewrite: &report.Rewrite{}},
			"in/a.pdf: no Web Capture content database: nothing to rewrite\n",
			"\n1 file: 1 without a content database\nNot copied to out: 1 file without repairs\n", exitNothing, false},
		{"restored", report.Record{Report: &audit.Report{}, Rewrite: &report.Rewrite{Steps: 1}},
			"in/a.pdf: 1 step" + clean, "\n1 file: 1 to be repaired\n", exitClean, true},
		{"an archive", report.Record{Err: &report.SkippedError{Reason: "no rewrite"}}, "", "\n1 file: 1 failed\n",
			exitFailed, false},
		{"an empty folder", report.Record{Err: report.ErrNoFiles}, "", "", exitNothing, false},
	} {
		for _, verbose := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, verbose), func(t *testing.T) {
				var out strings.Builder
				p := &program{stdout: bufio.NewWriter(&out), stderr: new(strings.Builder)}
				rec := tt.rec
				rec.Path = filepath.Join("in", "a.pdf")
				w := &rewriteRun{target: rewrite.Target{Path: "out"}, verbose: verbose,
					outputs: map[string]string{rec.Path: "out/a.pdf"}}
				count, listed, err := p.writeFates(w, slices.Values([]*report.Record{&rec}))
				if err := errors.Join(err, p.writeFateCounts(w, count, listed), p.stdout.Flush()); err != nil {
					t.Fatal(err)
				}
				want := tt.line
				if !verbose && !tt.changed {
					want = ""
				}
				last := tt.last
				if want == "" {
					last = strings.TrimPrefix(last, "\n")
				}
				if got := filepath.ToSlash(out.String()); got != want+last || p.code() != tt.code {
					t.Errorf("exit %d, want %d; got\n%swant\n%s%s", p.code(), tt.code, got, want, last)
				}
			})
		}
	}
}

// No outcome of a file ends the run.
func TestFatesOfManyFiles(t *testing.T) {
	rep := &audit.Report{Facts: webcapture.Facts{Present: true}}
	all := []*report.Record{
		{Path: "empty", Err: report.ErrNoFiles}, {Path: "gone.pdf", Err: errors.New("gone")},
		{Path: "sound.pdf", Report: rep, Rewrite: &report.Rewrite{}},
		{Path: "a.pdf", Report: rep, Rewrite: &report.Rewrite{Steps: 1}},
		{Path: "b.pdf", Report: rep, Rewrite: &report.Rewrite{Steps: 1, Written: true}},
	}
	for _, verbose := range []bool{false, true} {
		var out strings.Builder
		p := &program{stdout: bufio.NewWriter(&out), stderr: new(strings.Builder)}
		count, _, err := p.writeFates(&rewriteRun{verbose: verbose}, slices.Values(all))
		want := map[fate]int{isFailed: 1, isSound: 1, isPlanned: 1, isWritten: 1}
		if err := errors.Join(err, p.stdout.Flush()); err != nil || !maps.Equal(count, want) {
			t.Errorf("%v, %v, want %v", count, err, want)
		}
		if n := strings.Count(out.String(), "\n"); n != map[bool]int{false: 2, true: 3}[verbose] {
			t.Errorf("verbose %v:\n%s", verbose, out.String())
		}
		if got := p.interruption().Error(); got != "interrupted, 4 files are done" {
			t.Errorf("an interruption says %q", got)
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

// The last line counts the files of each outcome in a fixed order. Without files there is none.
func TestFateCounts(t *testing.T) {
	for _, tt := range []struct {
		count map[fate]int
		to    string
		want  string
	}{
		{nil, "out", ""},
		{map[fate]int{isFailed: 2, isWritten: 1, isSound: 1}, "",
			"\n4 files: 1 written, 1 with nothing to repair, 2 failed\n"},
		{map[fate]int{isWithout: 2, isSound: 1}, "out", "\n3 files: 1 with nothing to repair, 2 without a content " +
			"database\nNot copied to out: 3 files without repairs\n"},
	} {
		t.Run(fmt.Sprint(tt.count), func(t *testing.T) {
			var out strings.Builder
			p := &program{stdout: bufio.NewWriter(&out)}
			err := p.writeFateCounts(&rewriteRun{target: rewrite.Target{Path: tt.to, InPlace: tt.to == ""}}, tt.count, true)
			if err := errors.Join(err, p.stdout.Flush()); err != nil || out.String() != tt.want {
				t.Errorf("%q, %v, want %q", out.String(), err, tt.want)
			}
		})
	}
}

// Two folders overlap if they are the same, or one is in the other, under any name.
func TestOverlap(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("in/below", 0o777); err != nil {
		t.Fatal(err)
	}
	linked := os.Symlink("in", "link") == nil
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"in", "in", true}, {"in", "in/below", true}, {"in/below", "in", true}, {"in", "in/new/deep", true},
		{"in", "./in/../in/", true}, {"in", "out", false}, {"in", "in2", false}, {"in", "..in", false},
		{"in/below", "in/new", false}, {"in", ".", true}, {"in", "link", linked}, {"in", "link/new", linked},
		{"in", "out/in", false},
	} {
		t.Run(tt.a+" "+tt.b, func(t *testing.T) {
			if got := overlap(tt.a, tt.b); got != tt.want {
				t.Errorf("overlap(%q, %q) = %v", tt.a, tt.b, got)
			}
		})
	}
}

// A repaired file gets the name of the old file if the output is a folder.
func TestInFolderOf(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("out", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ to, path, want string }{
		{"", "a.pdf", ""},
		{"b.pdf", "a.pdf", "b.pdf"},
		{"out", "a.pdf", "out/a.pdf"},
		{"out", "in/a.pdf", "out/a.pdf"},
		{"new/", "in/a.pdf", "new/a.pdf"},
		{"new", "in/a.pdf", "new"},
		{"out", "in/a.zip!a.pdf", "out/a.pdf"},
		{"out", "in/a.zip!below/a.pdf", "out/a.pdf"},
	} {
		if got := filepath.ToSlash(inFolderOf(tt.to, tt.path)); got != tt.want {
			t.Errorf("inFolderOf(%q, %q) = %q, want %q", tt.to, tt.path, got, tt.want)
		}
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
