package pdffile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestNoFileStaysOpen: an audit of thousands of files does not run out of descriptors.
func TestNoFileStaysOpen(t *testing.T) {
	dir := t.TempDir()
	small, broken, large := filepath.Join(dir, "small"), filepath.Join(dir, "broken"), filepath.Join(dir, "large")
	for path, data := range map[string][]byte{
		small:  sample(false).Bytes(webcapturetest.Layout{}),
		broken: []byte("not a PDF"),
		large:  make([]byte, smallFile+1),
	} {
		t.Run(path, func(t *testing.T) {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	descriptors := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for _, path := range []string{small, broken, large, dir, os.DevNull} {
		t.Run(path, func(t *testing.T) {
			before := descriptors()
			f, err := Open(context.Background(), path, nil)
			if err == nil {
				f.Close()
			}
			if after := descriptors(); after != before {
				t.Errorf("%s: %d files were open before, %d after", filepath.Base(path), before, after)
			}
		})
	}
}

// TestFilesWithoutSize: a system file of size 0 is empty; it is not read, because it may have no end.
func TestFilesWithoutSize(t *testing.T) {
	for _, path := range []string{"/proc/self/status", "/proc/kmsg"} {
		if _, err := Open(context.Background(), path, nil); !errors.Is(err, ErrEmpty) && !errors.Is(err,
			fs.ErrPermission) {
			t.Errorf("%s: %v, want %v", path, err, ErrEmpty)
		}
	}
}
