//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package command

import (
	"os"
	"syscall"
)

// progressSignals ask a run how far it has got; SIGINFO is that of Ctrl-T.
var progressSignals = []os.Signal{syscall.SIGUSR1, syscall.SIGINFO}
