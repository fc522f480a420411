package wwwoffle

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
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

// denied checks that a look-up yields only errors of permissions, each of which names a part of a path.
func denied(t *testing.T, seq iter.Seq2[*capture.Candidate, error], part string) {
	t.Helper()
	n := 0
	for c, err := range seq {
		if c != nil || !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), part) {
			t.Errorf("%v, %v, want a denied permission for %s", c, err, part)
		}
		n++
	}
	if n == 0 {
		t.Errorf("no error, want a denied permission for %s", part)
	}
}

// A folder without permissions is an error of each look-up in it until its permissions change.
func TestLockedHost(t *testing.T) {
	t.Chdir(t.TempDir())
	sourcetest.StorePage(t, "spool", "", "http://h/a", ok)
	sourcetest.StorePage(t, "spool", "", "http://other/", ok)
	s := opened(t, "spool")
	chmod(t, "spool/http/h", 0)
	sourcetest.AsNobody(t, func() {
		denied(t, s.Lookup("http://h/a"), "spool")
		denied(t, s.LookupAlike("http://h/a/"), "spool: ")
		denied(t, s.LookupAlike("http://h/a/"), "http/h")
		sourcetest.Equal(t, "List", urls(s.List), []string{"http://other/"})
	})
	chmod(t, "spool/http/h", 0o755)
	sourcetest.Equal(t, "unlocked", urls(s.LookupAlike("http://h/a/")), []string{"http://h/a"})
}

// A file without permissions is an error of its look-up, and not a missing file.
func TestLockedFiles(t *testing.T) {
	for _, letter := range []string{"U", "D"} {
		t.Run(letter, func(t *testing.T) {
			t.Chdir(t.TempDir())
			name := sourcetest.StorePage(t, "spool", "", "http://h/a", ok)
			chmod(t, "spool/http/h/"+letter+name, 0)
			sourcetest.AsNobody(t, func() {
				s := opened(t, "spool")
				denied(t, s.Lookup("http://h/a"), filepath.Join("spool", "http", "h", "D"+name))
				sourcetest.Equal(t, "List", urls(s.List), []string{"error"})
				sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × files that cannot be read"})
				if got := s.Stats(); !got.Lost || got.Files != 1 || got.Kept != 0 {
					t.Errorf("Stats() = %+v, want one lost file", got)
				}
			})
		})
	}
}

// Other spellings of the URL are searched only if there is no readable current copy.
func TestOtherSpellings(t *testing.T) {
	t.Chdir(t.TempDir())
	const other = "http://h:80/a" // no version of WWWOFFLE writes the default port
	name := sourcetest.StorePage(t, "spool", "", "http://h/a", ok)
	sourcetest.StorePage(t, "spool", "http/h", other, ok)
	s := opened(t, "spool")
	sourcetest.Equal(t, "readable", urls(s.Lookup("http://h/a")), []string{"http://h/a"})
	chmod(t, "spool/http/h/D"+name, 0)
	sourcetest.AsNobody(t, func() {
		sourcetest.Equal(t, "unreadable", urls(s.Lookup("http://h/a")), []string{"error", other})
	})
	if err := os.Remove("spool/http/h/D" + name); err != nil {
		t.Fatal(err)
	}
	sourcetest.Equal(t, "missing", urls(s.Lookup("http://h/a")), []string{other})
}

// Symbolic links to folders of hosts are not hosts of their own, so their files count once. A link that leaves the
// spool is not followed.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	sourcetest.StorePage(t, dir, "", "http://h/a", ok)
	host := filepath.Join(dir, "http", "h")
	if err := os.Symlink("h", filepath.Join(dir, "http", "alias")); err != nil {
		t.Fatal(err)
	}
	for letter, url := range map[string]string{"D": "http://h/b", "U": "http://h/c"} {
		file := filepath.Join(host, letter+sourcetest.StorePage(t, dir, "", url, ok))
		outside := filepath.Join(t.TempDir(), "outside")
		if err := errors.Join(os.Rename(file, outside), os.Symlink(outside, file)); err != nil {
			t.Fatal(err)
		}
	}
	s := opened(t, dir)
	sourcetest.Equal(t, "a page", urls(s.Lookup("http://h/a")), []string{"http://h/a"})
	sourcetest.Equal(t, "a D file outside", urls(s.Lookup("http://h/b")), []string{"error"})
	sourcetest.Equal(t, "a U file outside", urls(s.Lookup("http://h/c")), nil)
	if _, size, reason, err := s.checkPair("http/h", canon.CacheName([]byte("http://h/b"))); err == nil {
		t.Errorf("the pair with a D file outside has the size %d, reason %q, and no error", size, reason)
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s),
		[]string{"1 × a D file without its U file", "1 × files that cannot be read"})
	if got := s.Stats(); got.Files != 3 || got.Kept != 1 {
		t.Errorf("Stats() = %+v, want 3 files, 1 of them kept", got)
	}
}
