//go:build !unix

package terminal

import "os"

// progressSignals are the signals that request the progress line. There are none.
var progressSignals []os.Signal
