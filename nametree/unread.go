package nametree

import "github.com/webcap-tools/webcap/nametree/object"

// Unread returns the reason why the defect makes the Tree incomplete: Err, or the limit that was exceeded. Then a part
// of the tree was not read, or further defects are only counted. Otherwise it returns nil.
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
