//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package terminal

import (
	"os"
	"syscall"
)

// progressSignals ask for the progress line; SIGINFO is that of Ctrl-T.
var progressSignals = []os.Signal{syscall.SIGUSR1, syscall.SIGINFO}
