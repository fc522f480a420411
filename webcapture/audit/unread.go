package audit

import (
	"cmp"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Omitted are findings of a rule beside the first ones: if there are more than is in
// proportion to the file, Findings has the first thousand of each rule.
type Omitted struct {
	Rule  *Rule
	Count int
}

// An Unread is a part of a file that could not be read, so nobody knows
// whether it keeps the rules.
type Unread struct {
	Place Place
	Ref   object.Ref // the object, if Num is not 0
	Err   error
}

// NoteUnread adds err to a list as the reason why something at a place could not be
// read. It returns err instead if that is not a matter of the file alone.
func NoteUnread(list *[]Unread, at Place, err error) error {
	if !object.IsMalformed(err) {
		return err
	}
	*list = append(*list, Unread{Place: at, Err: err})
	return nil
}

// Compare orders parts that could not be read by place and reason.
func (u Unread) Compare(v Unread) int {
	return cmp.Or(u.Place.Compare(v.Place), cmp.Compare(u.Err.Error(), v.Err.Error()))
}

// UnreadIn returns what kept parts of a tree from being read.
func UnreadIn(tree *webcapture.Tree) []Unread {
	var out []Unread
	for d := range tree.Defects() {
		if err := d.Unread(); err != nil {
			out = append(out, Unread{Place: (&Tree{tree}).atDefect(d), Err: err})
		}
	}
	return out
}
