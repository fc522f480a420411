//go:build unix && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package terminal

import (
	"os"
	"syscall"
)

// progressSignals are the signals that request the progress line.
var progressSignals = []os.Signal{syscall.SIGUSR1}
