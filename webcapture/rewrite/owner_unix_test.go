//go:build unix

package rewrite

import (
	"fmt"
	"io/fs"
	"syscall"
)

// owner returns the owner and group of a file.
func owner(info fs.FileInfo) string {
	s := info.Sys().(*syscall.Stat_t)
	return fmt.Sprint(s.Uid, s.Gid)
}
