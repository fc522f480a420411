package rule

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Undecoded is the objects that were left out because the file has used up what all of its
// streams may decode to: one part that could not be read, however many they are.
type Undecoded struct {
	refs  []object.Ref
	limit int64
}

// Take takes an error that says that an object was left out, and reports whether it does.
func (d *Undecoded) Take(err error) bool {
	u, ok := errors.AsType[*webcapture.Undecoded](err)
	if ok {
		d.refs, d.limit = append(d.refs, u.Ref), u.Limit
	}
	return ok
}

// TakeAll takes from a list what says that an object was left out, and returns the others.
func (d *Undecoded) TakeAll(list []Unread) []Unread {
	return slices.DeleteFunc(list, func(u Unread) bool { return d.Take(u.Err) })
}

func (d *Undecoded) Merge(e Undecoded) {
	d.refs, d.limit = append(d.refs, e.refs...), max(d.limit, e.limit)
}

// Unread returns the part that could not be read; nothing if no object was left out.
func (d *Undecoded) Unread() []Unread {
	slices.SortFunc(d.refs, func(a, b object.Ref) int { return cmp.Or(cmp.Compare(a.Num, b.Num), cmp.Compare(a.Gen, b.Gen)) })
	d.refs = slices.Compact(d.refs)
	if len(d.refs) == 0 {
		return nil
	}
	what := "1 object was"
	if n := len(d.refs); n > 1 {
		what = fmt.Sprintf("%d objects were", n)
	}
	err := &object.Malformed{Reason: fmt.Sprintf("%s not read: the streams of this file decode to more than %d bytes",
		what, d.limit)}
	return []Unread{{Place: Place{Part: "file"}, Err: err}}
}

// GatherUnread returns a list in which all objects that were left out because the file has
// used up what all of its streams may decode to are one part, the last.
func GatherUnread(list []Unread) []Unread {
	var d Undecoded
	list = d.TakeAll(list)
	return append(list, d.Unread()...)
}
