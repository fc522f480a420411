//go:build unix

package rewrite

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lock keeps other runs from rewriting the file at path until unlock is called, as far as they
// ask; false if another process has it, or that is unknown. No process has a file that is not there.
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
