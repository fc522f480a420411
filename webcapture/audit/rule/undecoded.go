package rule

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Undecoded collects the objects that were skipped because the streams of the file exceed their total decoding limit.
// They are reported together, as one unread part.
type Undecoded struct {
	refs  []object.Ref
	limit int64
}

// Take collects err if it is about such a skipped object, and reports whether it is.
func (d *Undecoded) Take(err error) bool {
	u, ok := errors.AsType[*webcapture.Undecoded](err)
	if ok {
		d.refs, d.limit = append(d.refs, u.Ref), u.Limit
	}
	return ok
}

// TakeAll collects the skipped objects from a list, and returns the other elements.
func (d *Undecoded) TakeAll(list []Unread) []Unread {
	return slices.DeleteFunc(list, func(u Unread) bool { return d.Take(u.Err) })
}

func (d *Undecoded) Merge(e Undecoded) {
	d.refs, d.limit = append(d.refs, e.refs...), max(d.limit, e.limit)
}

// Unread returns one part for all skipped objects; an empty list if there are none.
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
	err := &object.Malformed{Reason: fmt.Sprintf(
		"%s not read: decoding the streams of this file takes more than %d bytes",
		what, d.limit)}
	return []Unread{{Place: Place{Part: "file"}, Err: err}}
}

// GatherUnread returns a list in which one part, the last, replaces all parts about objects skipped because of the
// total decoding limit.
func GatherUnread(list []Unread) []Unread {
	var d Undecoded
	list = d.TakeAll(list)
	return append(list, d.Unread()...)
}
