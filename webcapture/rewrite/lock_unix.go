//go:build unix

package rewrite

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lock locks the file at path against other rewrites that call lock, until unlock is called. It returns false if
// another process has the lock, or if that is unknown. It returns true for a missing file, which cannot be locked.
func lock(path string) (unlock func(), ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return func() {}, errors.Is(err, fs.ErrNotExist)
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		f.Close()
		return func() {}, false
	}
	return func() { f.Close() }, true
}
