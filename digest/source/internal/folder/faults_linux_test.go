package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

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
