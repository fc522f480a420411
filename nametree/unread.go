package nametree

import "github.com/webcap-tools/webcap/nametree/object"

// Unread returns why a part of the tree was not read: Err, or the cap that cut it
// off. It returns nil for a defect that kept nothing from being read.
func (d Defect) Unread() error {
	if reason, isCap := capReasons[d.Kind]; d.Err == nil && isCap {
		return &object.Malformed{Reason: reason}
	}
	return d.Err
}

var capReasons = map[DefectKind]string{
	TooDeep:        "the tree is deeper than can be read",
	TooManyNodes:   "the tree has more kids than can be read",
	TooManyEntries: "the tree has more pairs than can be read",
	TooLarge:       "the tree refers to the same objects again and again, more often than can be read",
	TooManyDefects: "the tree has more defects than can be listed",
}
