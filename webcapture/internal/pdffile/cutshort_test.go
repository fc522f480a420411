package pdffile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/command"
	"github.com/webcap-tools/webcap/webcapture/internal/pdffile"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestFileCutShortAtEachRead: a file that is cut short before any of the reads of a
// command ends it with one line that says so, and exit code 3.
func TestFileCutShortAtEachRead(t *testing.T) {
	d := webcapturetest.Sets(6, webcapturetest.Options{Leaf: 3, Images: 2})
	d.AddStream("", make([]byte, 1<<20))                                                             // so large is mapped
	data := bytes.Replace(d.Bytes(webcapturetest.Layout{}), []byte("/Limits"), []byte("/Limitx"), 1) // to be repaired
	dir := t.TempDir()
	path, other, out := filepath.Join(dir, "a.pdf"), filepath.Join(dir, "b.pdf"), filepath.Join(dir, "out.pdf")
	write := func(path string) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(other)
	for _, args := range [][]string{
		{"audit", path}, {"audit", path, "--output", "html"}, {"list", path}, {"diff", path, other},
		{"name", "find", path}, {"rewrite", path}, {"rewrite", path, "-o", out}, {"rewrite", path, "--full", "-o", out},
	} {
		var reads atomic.Int64
		run := func(before func(n int64)) (code int, stderr string) {
			write(path)
			os.Remove(out)
			reads.Store(0)
			defer pdffile.Reading(func() { before(reads.Add(1)) })()
			var b bytes.Buffer
			code = command.Run(append([]string{"webcap"}, args...), strings.NewReader(""), new(bytes.Buffer), &b)
			return code, b.String()
		}
		if code, stderr := run(func(int64) {}); code == 3 {
			t.Fatalf("%q of the whole file: exit %d: %s", args, code, stderr)
		}
		whole := reads.Load()
		if whole < 5 {
			t.Fatalf("%q reads %d times", args, whole)
		}
		step := int64(4)
		if all {
			step = 1
		}
		for n := whole % step; n < whole; n += step {
			size := []int{0, 4096, 5000, len(data) / 2, len(data) - 1}[n%5]
			code, stderr := run(func(read int64) {
				if read == n+1 {
					if err := os.Truncate(path, int64(size)); err != nil {
						t.Error(err)
					}
				}
			})
			line := strings.TrimSuffix(stderr, "\n")
			if code != 3 || !strings.Contains(line, "the file was cut short while it was read") || strings.Contains(line, "\n") {
				t.Errorf("%q, cut to %d bytes before read %d of %d: exit %d: %s", args, size, n+1, whole, code, stderr)
			}
			if _, err := os.Stat(out); err == nil {
				t.Errorf("%q, cut to %d bytes before read %d of %d: a file was written", args, size, n+1, whole)
			}
		}
		t.Logf("%q: %d reads", args, whole)
	}
}
