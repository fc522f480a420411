//go:build !unix

package command

import "os"

// progressSignals ask a run how far it has got. There are none.
var progressSignals []os.Signal
