//go:build !unix

package terminal

import "os"

// progressSignals ask for the progress line. There are none.
var progressSignals []os.Signal
