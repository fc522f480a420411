package rule

import (
	"cmp"
	"errors"
	"slices"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Omitted is the number of findings of a rule that are not listed. If there are too many findings for the size of the
// file, Findings lists only the first thousand of each rule.
type Omitted struct {
	Rule  *Rule `json:"rule"`
	Count int   `json:"findings"`
}

// Unread is an unreadable part of a file. It is unknown whether this part has findings.
type Unread struct {
	Place Place
	Ref   object.Ref // the unreadable object; Num 0 if unknown
	Err   error
}

// NoteUnread adds err to a list as the reason why the object at a place is unreadable. If err is not about the content
// of the file, such as an error of the disk, it returns err instead.
func NoteUnread(list *[]Unread, at Place, err error) error {
	if !object.IsMalformed(err) {
		return err
	}
	*list = append(*list, Unread{Place: at, Err: err})
	return nil
}

// NoteOver adds err to a list, once, if the file exceeds its meter. It returns any other error.
func NoteOver(list *[]Unread, err error) error {
	if !errors.Is(err, meter.Over{}) {
		return err
	}
	if !slices.ContainsFunc(*list, func(u Unread) bool { return errors.Is(u.Err, meter.Over{}) }) {
		*list = append(*list, Unread{Place: Place{Part: "file"}, Err: meter.Over{}})
	}
	return nil
}

// Compare orders unreadable parts by place and reason.
func (u Unread) Compare(v Unread) int {
	return cmp.Or(u.Place.Compare(v.Place), cmp.Compare(u.Err.Error(), v.Err.Error()))
}

// UnreadIn returns the unreadable parts of a tree.
func UnreadIn(tree *webcapture.Tree) []Unread {
	var out []Unread
	for d := range tree.Defects() {
		if err := d.Unread(); err != nil {
			out = append(out, Unread{Place: (&Tree{Tree: tree}).AtDefect(d), Err: err})
		}
	}
	return out
}

// UnreadOf returns the unreadable parts of the whole file, and of the objects that lead to the trees. If there are any,
// a missing object may be in the unreadable part.
func UnreadOf(f *webcapture.File, db *webcapture.Database) []Unread {
	var all []Unread
	for _, err := range f.Unread() {
		all = append(all, Unread{Place: Place{Part: "file"}, Err: err})
	}
	ref, _ := db.Catalog.Lookup("Names").Ref()
	if err := lostNames(db); err != nil {
		all = append(all, Unread{Ref: ref, Err: err})
	}
	return all
}

// lostNames returns why the name dictionary is unreadable; nil if it is readable or absent. A reference to an undefined
// object is null (7.3.10), so the dictionary is absent.
func lostNames(db *webcapture.Database) error {
	names := db.Catalog.Lookup("Names")
	ref, isRef := names.Ref()
	switch {
	case db.NamesErr != nil:
		return db.NamesErr
	case names.IsNull() || db.Names.Raw() != nil || isRef && db.NamesKind == object.Null:
		return nil
	}
	return &object.Malformed{Ref: ref, Reason: "the name dictionary is " + Article(db.NamesKind)}
}
