//go:build unix

package batch

import (
	"os"

	"golang.org/x/sys/unix"
)

// Lock keeps other processes from locking f, until it is closed.
func Lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
