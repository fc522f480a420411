package tempfile

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// If the file system supports files without a name, New makes such a file. It leaves nothing, even if the program is
// killed inside New.
func TestNewHasNoName(t *testing.T) {
	dir := t.TempDir()
	setTempDir(t, dir)
	fd, unsupported := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR, 0o600)
	if unsupported == nil {
		defer unix.Close(fd)
	}
	f, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if named := strings.HasPrefix(filepath.Base(f.Name()), "webcap-"); named != (unsupported != nil) {
		t.Errorf("the file is %q, and O_TMPFILE says %v", f.Name(), unsupported)
	}
}
