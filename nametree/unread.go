package nametree

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Unread returns the reason why the defect makes the Tree incomplete: Err, or the limit that was exceeded. Then a part
// of the tree was not read, or further defects are only counted. Otherwise it returns nil.
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
