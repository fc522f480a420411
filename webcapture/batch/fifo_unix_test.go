//go:build unix

package batch

import "syscall"

func mkfifo(path string) error { return syscall.Mkfifo(path, 0o666) }
