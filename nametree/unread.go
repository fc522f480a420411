package nametree

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Unread returns the reason why the defect left a part of the tree unread: Err, or the limit that was exceeded. It
// returns nil if no part is unread because of the defect.
func (d Defect) Unread() error {
	if reason := capReasons[d.Kind]; d.Err == nil && reason != "" {
		return &object.Malformed{Reason: reason}
	}
	return d.Err
}

var capReasons = [defectKinds]string{
	TooDeep:        fmt.Sprintf("the tree has more than %d levels", caps.depth),
	TooManyNodes:   "the tree has more kids than the limit for a file of this size",
	TooManyEntries: "the tree has more pairs than the limit for a file of this size",
	TooLarge: fmt.Sprintf("a key of the tree has more than %d MiB, or its nodes and keys together have more bytes than "+
		"the limit for a file of this size", caps.longest>>20),
	TooManyDefects: "the tree has more defects than the limit for a file of this size",
}
