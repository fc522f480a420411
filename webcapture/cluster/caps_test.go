package cluster

import (
	"time"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Tests start this program as webcap, so these times also apply there.
func init() {
	if !webcapturetest.All() {
		ownLease, overPause = time.Second, time.Second
	}
}
