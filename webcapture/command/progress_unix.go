//go:build unix && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package command

import (
	"os"
	"syscall"
)

// progressSignals ask a run how far it has got.
var progressSignals = []os.Signal{syscall.SIGUSR1}
