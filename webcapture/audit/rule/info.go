package rule

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Info is the Web Capture information dictionary (SpiderInfo), as passed to CheckInfo.
type Info struct {
	*webcapture.Info               // with each readable command once; nil if SpiderInfo is not a dictionary or unreadable
	Stored, Resolved object.Object // SpiderInfo in the catalog; null if there is none
	Unread           bool          // SpiderInfo is unreadable
}

// At returns the place of SpiderInfo.
func (i *Info) At() Place { return Place{Part: "SpiderInfo"} }

// AtCommand returns the place of a command, by its index in C.
func (i *Info) AtCommand(n int) Place { return Place{Part: fmt.Sprintf("SpiderInfo, command %d", n)} }
