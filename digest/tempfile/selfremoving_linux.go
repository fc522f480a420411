package tempfile

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// selfRemoving makes a file without a name in a folder. It fails on file systems that do not support O_TMPFILE.
func selfRemoving(dir string) (*os.File, error) {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), filepath.Join(dir, "a temporary file")), nil
}
