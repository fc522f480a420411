package localfile_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestRegular: only files that exist and have contents of their own are regular.
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
}
