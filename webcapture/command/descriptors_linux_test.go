package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// openBelow returns the open files of this process in a folder.
func openBelow(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if path, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && strings.HasPrefix(path, dir) {
			list = append(list, path)
		}
	}
	return list
}

// realTempDir returns a temporary folder without symbolic links in its path, because openBelow sees real paths.
func realTempDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// At its end, a command has closed all files that it opened, and has removed its temporary files. This holds for
// wrong command lines and failed inputs, too.
func TestFilesAreClosed(t *testing.T) {
	dir := realTempDir(t)
	t.Chdir(dir)
	temp := filepath.Join(dir, "tmp")
	for _, folder := range []string{temp, "in"} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", temp)
	t.Setenv("GITHUB_STEP_SUMMARY", filepath.Join(dir, "summary.md"))
	large := webcapturetest.Sets(6000, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	for name, data := range map[string]string{"large.pdf": string(large), "list": "a.pdf\n", "bad.json": "text",
		"urls": "http://a.example/\n", "wrong": "a\n", "a.har": `{"log": {"entries": []}}`, "password": "x\n"} {
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	writePDF(t, "a.pdf", uniqueNames)
	writePDF(t, "in/a.pdf", brokenKey)
	if code, stderr := run(nil, new(bytes.Buffer), "audit", "a.pdf", "-o", "a.json"); code != exitClean {
		t.Fatal(stderr)
	}
	for _, args := range []string{
		"list a.pdf", "list large.pdf", "list -f csv large.pdf", "list -f html large.pdf", "list --files-from list",
		"list --files-from list --files-from gone", "list --files-from list -",
		"list --files-from list --jobs 0", "list --files-from list --password-file gone", "keys a.pdf",
		"find --urls-from urls a.pdf", "find --urls-from wrong a.pdf", "find --urls-from urls --files-from list",
		"rewrite in/a.pdf -o out.pdf", "rewrite in/a.pdf -o -",
		"rewrite in -o out", "rewrite in --journal run", "report a.json",
		"report bad.json",
		"report bad.json a.json -o again.json", "report a.json -f junit",
		"audit a.pdf -o gone/a.json -o a.html", "audit --baseline a.json a.pdf", "audit --baseline bad.json a.pdf",
		"audit --password-file password a.pdf", "source list a.har", "audit --source a.har a.pdf",
		"audit --source a.har --source gone.har a.pdf",
	} {
		t.Run(args, func(t *testing.T) {
			var out bytes.Buffer
			run(strings.NewReader(""), &out, strings.Fields(args)...)
			if list := openBelow(t, dir); len(list) > 0 {
				t.Errorf("open files: %q", list)
			}
			if list, err := os.ReadDir(temp); err != nil || len(list) > 0 {
				t.Errorf("temporary files: %v, %v", fmt.Sprint(list), err)
			}
		})
	}
}

// If reading of a file fails in the middle of its list, the rows that were read so far leave no temporary file.
func TestRowsOfAFailedList(t *testing.T) {
	path, temp := filepath.Join(t.TempDir(), "large.pdf"), realTempDir(t)
	large := webcapturetest.Sets(6000, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	if err := os.WriteFile(path, large, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temp)
	reads := webcapturetest.NewFailingReads()
	f, err := webcapture.Open(reads, path, webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := &captureLister{writer: show.NewCaptureWriter("ndjson", io.Discard, 0, "v1")}
	do := func(at int) error {
		reads.FailAt(at, true)
		rows, rep, err := l.read(f)
		if rep != nil {
			t.Cleanup(func() { rows.Close() })
		}
		return err
	}
	if err := do(0); err != nil || len(openBelow(t, temp)) != 1 {
		t.Fatalf("%v, temporary files %v, want one", err, openBelow(t, temp))
	}
	if err := do(reads.Reads() - 5); !errors.Is(err, webcapturetest.ErrRead) || len(openBelow(t, temp)) != 1 {
		t.Errorf("%v, temporary files %v, want only that of the first list", err, openBelow(t, temp))
	}
}
