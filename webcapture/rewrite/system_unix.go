//go:build unix

package rewrite

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// chown sets the owner and group of the file. If the owner cannot be set, it sets only the group, so that users who
// share a file keep access.
func (osFiles) chown(path string, was fs.FileInfo) error {
	s, ok := was.Sys().(*syscall.Stat_t)
	if !ok {
		return errors.ErrUnsupported
	}
	if os.Chown(path, int(s.Uid), int(s.Gid)) == nil {
		return nil
	}
	return os.Chown(path, -1, int(s.Gid))
}

func (osFiles) syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil // some file systems cannot sync folders
	}
	return err
}
