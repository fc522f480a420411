package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// chmod changes the permissions of a file until the end of the test.
func chmod(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(path, 0o755) })
}

// Folders and files without permissions are counted, and may be captures of any URL.
func TestLockedSpool(t *testing.T) {
	for _, locked := range []string{"", "U", "D"} {
		t.Run(locked, func(t *testing.T) {
			t.Chdir(t.TempDir())
			name := sourcetest.StorePage(t, "spool", "", "http://h/a", ok)
			sourcetest.StorePage(t, "spool", "", "http://other/", ok)
			path, skipped := "spool/http/h", "1 × a folder that cannot be read"
			if locked != "" {
				path, skipped = path+"/"+locked+name, "1 × files that cannot be read"
			}
			chmod(t, path, 0)
			sourcetest.AsNobody(t, func() {
				s := openedSpool(t, "spool")
				sourcetest.Equal(t, "List", urls(s.All), []string{"http://other/"})
				sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{skipped})
				if got := s.Stats(); !got.Lost || got.Kept != 1 {
					t.Errorf("Stats() = %+v, want a loss, and one that is kept", got)
				}
			})
		})
	}
}

// Symbolic links to folders of hosts are not hosts of their own, so their files count once. Links to D files are not
// followed.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	sourcetest.StorePage(t, dir, "", "http://h/a", ok)
	host := filepath.Join(dir, "http", "h")
	if err := os.Symlink("h", filepath.Join(dir, "http", "alias")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(host, "D"+sourcetest.StorePage(t, dir, "", "http://h/b", ok))
	outside := filepath.Join(t.TempDir(), "outside")
	if err := errors.Join(os.Rename(file, outside), os.Symlink(outside, file)); err != nil {
		t.Fatal(err)
	}
	s := openedSpool(t, dir)
	sourcetest.Equal(t, "a page", urls(s.Lookup("http://h/a")), []string{"http://h/a"})
	sourcetest.Equal(t, "a D file outside", urls(s.Lookup("http://h/b")), nil)
	if got := s.Stats(); got.Files != 1 || got.Kept != 1 || got.Skipped != nil {
		t.Errorf("Stats() = %+v, want 1 file", got)
	}
}
