package batch

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock locks f against other processes until f is closed. It locks a byte beyond the end of any file, so that other
// processes can read the file.
func lock(f *os.File) error {
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, at)
}
