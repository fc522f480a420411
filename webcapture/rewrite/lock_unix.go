//go:build unix

package rewrite

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lock excludes other rewrites of the file at path until unlock is called, if they also call lock; it returns false
// if another process has the lock, or that is unknown. A missing file cannot be locked.
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
