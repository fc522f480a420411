package nametree

import "github.com/webcap-tools/webcap/nametree/object"

// Unread returns the reason why the defect left a part of the tree unread: Err, or the limit that was exceeded. It
// returns nil if no part is unread because of the defect.
func (d Defect) Unread() error {
	if reason := capReasons[d.Kind]; d.Err == nil && reason != "" {
		return &object.Malformed{Reason: reason}
	}
	return d.Err
}

var capReasons = [defectKinds]string{
	TooDeep:        "the tree is deeper than can be read",
	TooManyNodes:   "the tree has more kids than the limit for a file of this size",
	TooManyEntries: "the tree has more pairs than the limit for a file of this size",
	TooLarge:       "the nodes and keys of the tree have more bytes than the limit for a file of this size",
	TooManyDefects: "the tree has more defects than the limit for a file of this size",
}
