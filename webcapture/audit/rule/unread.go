package rule

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Omitted are findings of a rule after the first ones: if there are more than is in
// proportion to the file, Findings has the first thousand of each rule.
type Omitted struct {
	Rule  *Rule
	Count int
}

// An Unread is a part of a file that could not be read, so it is unknown
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
			out = append(out, Unread{Place: (&Tree{Tree: tree}).AtDefect(d), Err: err})
		}
	}
	return out
}

// UnreadOf returns what of the file as a whole could not be read, and what is in the
// way to the trees: that something is missing then says nothing of what the file
// holds, or once held.
func UnreadOf(f *webcapture.File, db *webcapture.Database) []Unread {
	var all []Unread
	for _, err := range f.Unread() {
		if _, cut := errors.AsType[*webcapture.CutOff](err); cut {
			err = withLastComplete(f, err)
		}
		all = append(all, Unread{Place: Place{Part: "file"}, Err: err})
	}
	ref, _ := db.Catalog.Lookup("Names").Ref()
	if err := lostNames(f, db); err != nil {
		all = append(all, Unread{Ref: ref, Err: err})
	}
	return all
}

// withLastComplete returns the error of a file that is cut off with what its last complete revision has: what follows that
// may be slack.
func withLastComplete(f *webcapture.File, err error) error {
	last := f.LastComplete()
	if last == nil {
		return err
	}
	var db *webcapture.Database
	if last.Repairing(func() (err error) { db, err = last.Database(); return err }) != nil {
		return err
	}
	var trees []string
	for name := range webcapture.TreeCount {
		if t := db.Tree(name); t != nil {
			trees = append(trees, fmt.Sprintf("%d %s", t.Len(), name))
		} else {
			trees = append(trees, fmt.Sprintf("no %s", name))
		}
	}
	return fmt.Errorf("%w; without the newer bytes the file has %s", err, strings.Join(trees, " and "))
}

// lostNames returns why the name dictionary cannot be read; nil if it can, or if
// there is none.
func lostNames(f *webcapture.File, db *webcapture.Database) error {
	names := db.Catalog.Lookup("Names")
	ref, isRef := names.Ref()
	malformed := func(reason string) error { return &object.Malformed{Ref: ref, Reason: reason} }
	switch {
	case db.NamesErr != nil:
		return db.NamesErr
	case names.IsNull() || db.Names.Raw() != nil:
		return nil
	case !isRef || db.NamesKind != object.Null:
		return malformed(fmt.Sprintf("the name dictionary is %s", Article(db.NamesKind)))
	case f.Repaired():
		return malformed("the name dictionary is not in the remaining part of the file")
	}
	return malformed("the name dictionary is not in the file")
}
