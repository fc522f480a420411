//go:build unix && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package terminal

import (
	"os"
	"syscall"
)

// progressSignals ask for the progress line.
var progressSignals = []os.Signal{syscall.SIGUSR1}
