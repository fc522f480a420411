package pdffile_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/diff"
	"github.com/webcap-tools/webcap/webcapture/internal/pdffile"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestFileCutShortAtEachRead: if a file is cut short before any read of an audit, a listing, a comparison, or a
// rewrite, the error says so, and no file is written.
func TestFileCutShortAtEachRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not let a file be cut short while it is mapped")
	}
	d := webcapturetest.Sets(6, webcapturetest.Options{Leaf: 3, Images: 2})
	d.AddStream("", make([]byte, 1<<20))                                                             // large, so mapped
	data := bytes.Replace(d.Bytes(webcapturetest.Layout{}), []byte("/Limits"), []byte("/Limitx"), 1) // needs a repair
	dir := t.TempDir()
	path, other, out := filepath.Join(dir, "a.pdf"), filepath.Join(dir, "b.pdf"), filepath.Join(dir, "out.pdf")
	write := func(path string) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(other)
	for name, do := range map[string]func() error{
		"audit":          func() error { _, err := audit.File(t.Context(), path, audit.Options{}); return err },
		"list":           func() error { return listFile(path) },
		"diff":           func() error { _, err := diff.Files(t.Context(), path, other, webcapture.Options{}); return err },
		"plan":           func() error { return repair(path, rewrite.Target{}) },
		"rewrite":        func() error { return repair(path, rewrite.Target{Path: out}) },
		"rewrite --full": func() error { return repair(path, rewrite.Target{Path: out, Full: true}) },
	} {
		t.Run(name, func(t *testing.T) {
			var reads atomic.Int64
			run := func(before func(n int64)) error {
				write(path)
				os.Remove(out)
				reads.Store(0)
				defer pdffile.Reading(func() { before(reads.Add(1)) })()
				return do()
			}
			if err := run(func(int64) {}); err != nil {
				t.Fatalf("%s of the whole file: %v", name, err)
			}
			whole := reads.Load()
			if whole < 5 {
				t.Fatalf("%s reads %d times", name, whole)
			}
			step := int64(4)
			if all {
				step = 1
			}
			for n := whole % step; n < whole; n += step {
				size := []int{0, 4096, 5000, len(data) / 2, len(data) - 1}[n%5]
				err := run(func(read int64) {
					if read == n+1 {
						if err := os.Truncate(path, int64(size)); err != nil {
							t.Error(err)
						}
					}
				})
				if err == nil || !strings.Contains(err.Error(), "the file was cut short while it was read") {
					t.Errorf("%s, cut to %d bytes before read %d of %d: %v", name, size, n+1, whole, err)
				}
				if _, err := os.Stat(out); err == nil {
					t.Errorf("%s, cut to %d bytes before read %d of %d: a file was written", name, size, n+1, whole)
				}
			}
			t.Logf("%s: %d reads", name, whole)
		})
	}
}

// listFile reads all entries and content sets of a file.
func listFile(path string) error {
	f, err := webcapture.Open(context.Background(), path, webcapture.Options{})
	if err != nil {
		return err
	}
	defer f.Close()
	return f.RetryWithoutXRef(func() error {
		db, err := f.Database()
		if err != nil {
			return err
		}
		for _, err := range f.Contents(db).All(f.NewReader()) {
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// repair plans a rewrite, and carries it out if the target has a path.
func repair(path string, target rewrite.Target) error {
	p, err := rewrite.Open(context.Background(), path, rewrite.Options{})
	if err != nil {
		return err
	}
	defer p.Close()
	if target.Path == "" {
		return nil
	}
	_, err = p.Install(context.Background(), target)
	return err
}
