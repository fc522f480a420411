//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package terminal

import (
	"os"
	"syscall"
)

// progressSignals are the signals that request the progress line; Ctrl-T sends SIGINFO.
var progressSignals = []os.Signal{syscall.SIGUSR1, syscall.SIGINFO}
