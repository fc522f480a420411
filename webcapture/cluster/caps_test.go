package cluster

import (
	"time"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Programs that tests start are this program, so they have it, too.
func init() {
	if !webcapturetest.All() {
		ownLease, overPause = time.Second, time.Second
	}
}
