//go:build unix

package batch

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock locks f against other processes until f is closed.
func lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
