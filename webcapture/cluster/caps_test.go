package cluster

import (
	"time"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Programs that tests begin have it, too, as they are the tests.
func init() {
	if !webcapturetest.All() {
		ownLease, overPause = time.Second, time.Second
	}
}
