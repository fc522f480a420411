package localfile_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestBeginning: the beginning of a file is the whole file up to the limit, and never more than the limit.
func TestBeginning(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcdef!"), localfile.BeginningSize/16)
	for _, size := range []int{0, 1, localfile.BeginningSize - 1, localfile.BeginningSize, localfile.BeginningSize + 1} {
		got := localfile.Beginning(sourcetest.WriteFile(t, string(data[:size]), t.TempDir(), "file"))
		if want := data[:min(size, localfile.BeginningSize)]; got == nil || !bytes.Equal(got, want) {
			t.Errorf("a file of %d bytes: %d bytes, want the first %d", size, len(got), len(want))
		}
	}
}

// TestRegular: only files that exist and have contents of their own are regular. Others have no beginning.
func TestRegular(t *testing.T) {
	file, dir := sourcetest.WriteFile(t, "x", t.TempDir(), "file"), t.TempDir()
	if err := localfile.Regular(file); err != nil {
		t.Errorf("a file: %v", err)
	}
	if err := localfile.Regular(dir); err == nil || err.Error() != "not a regular file" {
		t.Errorf("a folder: %v", err)
	}
	missing := filepath.Join(dir, "missing")
	if err := localfile.Regular(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	for _, path := range []string{dir, missing, os.DevNull} {
		if got := localfile.Beginning(path); got != nil {
			t.Errorf("beginning of %s: %q", path, got)
		}
	}
}
