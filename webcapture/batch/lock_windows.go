package batch

import (
	"os"

	"golang.org/x/sys/windows"
)

// Lock keeps other processes from locking f, until it is closed. What is locked is a byte
// that no file has, so that everybody can read the file.
func Lock(f *os.File) error {
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, at)
}
