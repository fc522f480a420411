package tempfile

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// unnamed makes a file in a folder without a name. Some file systems cannot.
func unnamed(dir string) (*os.File, error) {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), filepath.Join(dir, "a temporary file")), nil
}
