package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/kind"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// A folder or a list without permissions does not open, and the error says why.
func TestLockedSources(t *testing.T) {
	t.Chdir(t.TempDir())
	sourcetest.WriteFile(t, "x", "locked", "a.png")
	sourcetest.WriteFile(t, "http://h/\ta.png\n", "list")
	for _, path := range []string{"locked", "list"} {
		t.Run(path, func(t *testing.T) {
			if err := os.Chmod(path, 0); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(path, 0o755)
			sourcetest.AsNobody(t, func() {
				if s, err := Open(path, capture.Options{}); !errors.Is(err, fs.ErrPermission) {
					t.Errorf("%v, %v, want a denied permission", s, err)
				}
			})
		})
	}
}

// Folders that cannot be read are counted, and each look-up in them is an error. The caller can stop after it.
func TestLockedFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	sourcetest.WriteFile(t, "x", "root", "h.example", "locked", "a.png")
	sourcetest.WriteFile(t, "x", "root", "h.example", "b.png")
	if err := os.Chmod("root/h.example/locked", 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod("root/h.example/locked", 0o755)
	sourcetest.AsNobody(t, func() {
		s := opened(t, "root")
		sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × a folder that cannot be read"})
		if got := s.Stats(); !got.Lost || got.Kept != 1 || got.Bytes != 1 {
			t.Errorf("Stats() = %+v, want one file, and a loss", got)
		}
		sourcetest.LookupOne(t, s, "http://h.example/b.png")
		n := 0
		for _, err := range s.Lookup("http://h.example/locked/a.png") {
			if n++; err != nil && !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%v, want a denied permission", err)
			}
		}
		if n == 0 {
			t.Error("a file that cannot be read counts as missing")
		}
		sourcetest.ExpectStops(t, "Lookup", n, s.Lookup("http://h.example/locked/a.png"))
	})
}

// A link to a folder is followed by look-ups, but its files do not count again.
func TestLinkToFolder(t *testing.T) {
	dir := tree(t, map[string]string{"h.example/d/a.png": "x", "c.har/x.png": "x"})
	for _, name := range []string{"link", "b.har", "b.warc"} {
		if err := os.Symlink("d", filepath.Join(dir, "h.example", name)); err != nil {
			t.Fatal(err)
		}
	}
	s := opened(t, dir)
	if got := s.Stats(); got.Kept != 2 || got.Skipped != nil {
		t.Errorf("Stats() = %+v, want 2 files", got)
	}
	c := sourcetest.LookupOne(t, s, "http://h.example/link/a.png")
	if c.Where != filepath.Join(dir, "h.example", "link", "a.png") {
		t.Errorf("found at %s", c.Where)
	}
}

// A folder that does not open, and a WACZ file that is skipped, leave no file open.
func TestFilesAreClosed(t *testing.T) {
	wacz := sourcetest.ZipEntry{Name: "archive/a.warc", Data: []byte(aWARC)}
	dir := tree(t, map[string]string{"a.warc": aWARC, "x.wacz": string(sourcetest.Zip(t, wacz))})
	useless := tree(t, map[string]string{"a.har": "{", "b.txt": "x"})
	before := sourcetest.Descriptors(t)
	s, err := Open(dir, capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if s, err := Open(useless, capture.Options{Guessed: true}); err == nil {
		t.Errorf("a useless folder opens: %v", s)
	}
	for _, e := range kind.Files {
		if s, err := OpenKind(e, useless, capture.Options{}); err == nil {
			t.Errorf("a useless folder opens: %v", s)
		}
	}
	if after := sourcetest.Descriptors(t); after != before {
		t.Errorf("%d files were open before, %d after", before, after)
	}
}
