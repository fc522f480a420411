package httrack

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// A cache leaves no file open after it is closed, or if it cannot be opened.
func TestFilesAreClosed(t *testing.T) {
	_, good := mirror(t, entry("http://h/a", page, "data"))
	_, useless := mirror(t, entry("http://h/a", strings.Replace(page, "200", "206", 1), "data"))
	damaged := sourcetest.WriteFile(t, "PK", t.TempDir(), "hts-cache", "new.zip")
	before := sourcetest.Descriptors(t)
	s, err := Open(good, capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("the second Close() = %v, want that the file is closed", err)
	}
	for path, want := range map[string]string{useless: "a part of a file (status 206)", damaged: "no directory"} {
		if s, err := Open(path, capture.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want %s", s, err, want)
		}
	}
	if after := sourcetest.Descriptors(t); after != before {
		t.Errorf("%d files were open before, %d after", before, after)
	}
}

// A mirror whose folder cannot be read does not open, because its files could not be found.
func TestLockedMirror(t *testing.T) {
	dir, _ := mirror(t, entry("http://h/a", page, "data"))
	t.Chdir(t.TempDir())
	if err := errors.Join(os.Rename(dir, "mirror"), os.Chmod("mirror", 0o111)); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod("mirror", 0o755)
	before := sourcetest.Descriptors(t)
	sourcetest.AsNobody(t, func() {
		if s, err := Open("mirror/hts-cache/new.zip", capture.Options{}); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%v, %v, want a denied permission", s, err)
		}
	})
	if after := sourcetest.Descriptors(t); after != before {
		t.Errorf("%d files were open before, %d after", before, after)
	}
}
