package source

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// Folders that cannot be read are counted, and their files may be captures of any URL.
func TestLockedFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	sourcetest.WriteFile(t, "x", "root", "h.example", "locked", "a.png")
	sourcetest.WriteFile(t, "x", "root", "h.example", "b.png")
	if err := os.Chmod("root/h.example/locked", 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod("root/h.example/locked", 0o755)
	sourcetest.AsNobody(t, func() {
		s := opened(t, Folder, "root")
		sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × a folder that cannot be read"})
		if got := s.Stats(); !got.Lost || got.Kept != 1 || got.Bytes != 1 {
			t.Errorf("Stats() = %+v, want one file, and a loss", got)
		}
		sourcetest.LookupOne(t, s, "http://h.example/b.png")
	})
}

// A link to a folder is not followed, because the files are in the folder already. One with the name of a source does not
// count.
func TestLinkToFolder(t *testing.T) {
	dir := tree(t, map[string]string{"h.example/d/a.png": "x", "c.har/x.png": "x"})
	for _, name := range []string{"link", "b.har", "b.warc"} {
		if err := os.Symlink("d", filepath.Join(dir, "h.example", name)); err != nil {
			t.Fatal(err)
		}
	}
	s := opened(t, Folder, dir)
	if got := s.Stats(); got.Kept != 2 || got.Skipped[0].Count != 1 {
		t.Errorf("Stats() = %+v, want 2 files, and a link", got)
	}
	if list := sourcetest.Lookup(t, s, "http://h.example/link/a.png"); len(list) > 0 {
		t.Errorf("found at %s", list[0].Where)
	}
}
