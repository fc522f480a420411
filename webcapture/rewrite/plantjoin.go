package rewrite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// A content set that the file has already, of the same kind and with the same ID, stays as it is: it was
// there, or an original that was named before has brought it. Only O gets what it lacks. So two
// parts of a capture become one again:
//
//	a.pdf       O [ page 1, page 2 ]
//	b.pdf       O [ page 2, page 3 ]
//	the file    O [ page 1, page 2, page 3 ]

// join gives a content set of the file what it lacks of one of the original.
func (w *planter) join(set object.Ref, cs *webcapture.ContentSet) error {
	if w.joined[set] || w.plan.unseen[set] {
		return nil // of several in the original the first counts
	}
	w.joined[set] = true
	var own webcapture.ContentSet
	if err := w.planner.reader.Read(object.MakeRef(set), &own); err != nil {
		return object.IgnoreMalformed(err)
	}
	if w.sourcesOf(&own) != w.sourcesOf(cs) {
		w.differing = append(w.differing, nametree.Key(cs.ID.Bytes))
	}
	stored, err := w.planner.reader.Resolve(own.R)
	if err != nil {
		return object.IgnoreMalformed(err)
	}
	members, _ := own.O.Array()
	counts, counted := stored.Array()
	if counted && counts.Len() != members.Len() {
		return nil // nobody knows which count is whose
	}
	list := w.joinMembers(set, cs, w.membersOf(&own, counts))
	if list == nil {
		return nil
	}
	o, r := []byte{'['}, []byte{'['}
	for _, m := range list {
		o, r = append(m.object.Append(o), ' '), append(m.count.Append(r), ' ')
	}
	changes := []object.Setting{{Key: "O", Value: append(o, ']')}}
	if counted {
		changes = append(changes, object.Setting{Key: "R", Value: append(r, ']')})
	}
	w.plan.update.Put(set, own.Dict.AppendWith(nil, changes...))
	return nil
}

// A member is an element of O, and what R says of it.
type member struct {
	object, count object.Object
	page          int // its number; 0 for what is not a page of the file
}

// membersOf returns the members of a content set of the file.
func (w *planter) membersOf(cs *webcapture.ContentSet, r object.List) (list []member) {
	counts := slices.Collect(r.All())
	for o := range cs.Members() {
		ref, _ := o.Ref()
		m := member{object: o, page: w.numbers[ref]}
		if len(counts) > 0 {
			m.count, counts = counts[0], counts[1:]
		}
		list = append(list, m)
	}
	return list
}

// joinMembers returns the members of a content set of the file with those that it lacks of one of the
// original, nil if it lacks none: in page order, if that is the order of those that it has (14.10.4.2,
// table 389).
func (w *planter) joinMembers(set object.Ref, cs *webcapture.ContentSet, own []member) []member {
	has := map[object.Ref]bool{}
	for _, m := range own {
		ref, _ := m.object.Ref()
		has[ref] = true
	}
	list := own
	for _, is := range w.found(cs, has) {
		if is.id == string(cs.ID.Bytes) {
			continue // the file says itself that it is missing (WC522), and which member it replaces
		}
		count := object.MakeView(object.Integer, fmt.Append(nil, w.shown[is.ref]))
		list = append(list, member{object.MakeRef(is.ref), count, is.number})
		w.plan.Steps.Add(Step{
			Action: audit.Plant, Place: audit.Place{Set: set, Object: is.ref}, New: "member " + is.ref.String(), Reason: w.name + " has it",
		})
	}
	if len(list) == len(own) {
		return nil
	}
	byPage := func(a, b member) int { return cmp.Compare(a.page, b.page) }
	if slices.IsSortedFunc(own, byPage) {
		slices.SortStableFunc(list, byPage)
	}
	return list
}

// sourcesOf returns the URLs that a content set comes from, as text.
func (w *planter) sourcesOf(cs *webcapture.ContentSet) string {
	var text strings.Builder
	for i := range cs.Sources {
		for _, url := range cs.Sources[i].URLs() {
			fmt.Fprintf(&text, "%q ", w.canonical(nametree.Key(url)))
		}
	}
	return text.String()
}
