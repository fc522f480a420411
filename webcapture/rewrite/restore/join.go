package restore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// A content set that the file has already, of the same kind and with the same ID, stays as it is: it was
// there, or an original that was named before has brought it. Only O gets what it lacks. So two
// parts of a capture become one again:
//
//	a.pdf       O [ page 1, page 2 ]
//	b.pdf       O [ page 2, page 3 ]
//	the file    O [ page 1, page 2, page 3 ]

// join gives a content set of the file what it lacks of one of the original.
func (r *restoration) join(set object.Ref, cs *webcapture.ContentSet) error {
	if r.sets.joined[set] || r.sets.isNew[set] {
		return nil // of several in the original the first counts
	}
	r.sets.joined[set] = true
	var own webcapture.ContentSet
	if err := r.file.reader.Read(object.MakeRef(set), &own); err != nil {
		return object.IgnoreMalformed(err)
	}
	if r.sourcesOf(&own) != r.sourcesOf(cs) {
		r.sets.differing = append(r.sets.differing, nametree.Key(cs.ID.Bytes))
	}
	stored, err := r.file.reader.Resolve(own.R)
	if err != nil {
		return object.IgnoreMalformed(err)
	}
	members, _ := own.O.Array()
	counts, counted := stored.Array()
	if counted && counts.Len() != members.Len() {
		return nil // which count is whose is unknown
	}
	list := r.joinMembers(set, cs, r.membersOf(&own, counts))
	if list == nil {
		return nil
	}
	objects, numbers := []byte{'['}, []byte{'['}
	for _, m := range list {
		objects, numbers = append(m.object.Append(objects), ' '), append(m.count.Append(numbers), ' ')
	}
	changes := []object.Setting{{Key: "O", Value: append(objects, ']')}}
	if counted {
		changes = append(changes, object.Setting{Key: "R", Value: append(numbers, ']')})
	}
	r.update.Put(set, own.Dict.AppendWith(nil, changes...))
	return nil
}

// member is an element of O with its count in R.
type member struct {
	object, count object.Object
	page          int // its number; 0 for what is not a page of the file
}

// membersOf returns the members of a content set of the file.
func (r *restoration) membersOf(cs *webcapture.ContentSet, counted object.List) (list []member) {
	counts := slices.Collect(counted.All())
	for o := range cs.Members() {
		ref, _ := o.Ref()
		m := member{object: o, page: r.known.numbers[ref]}
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
func (r *restoration) joinMembers(set object.Ref, cs *webcapture.ContentSet, own []member) []member {
	has := map[object.Ref]bool{}
	for _, m := range own {
		ref, _ := m.object.Ref()
		has[ref] = true
	}
	list := own
	for _, is := range r.found(cs, has) {
		if is.id == string(cs.ID.Bytes) {
			continue // the file says itself that it is missing (WC522), and which member it replaces
		}
		count := object.MakeView(object.Integer, fmt.Append(nil, r.known.shown[is.ref]))
		list = append(list, member{object.MakeRef(is.ref), count, is.number})
		r.step("", rule.Place{Set: set, Object: is.ref}, "member "+is.ref.String())
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
func (r *restoration) sourcesOf(cs *webcapture.ContentSet) string {
	var text strings.Builder
	for i := range cs.Sources {
		for _, url := range cs.Sources[i].URLs() {
			fmt.Fprintf(&text, "%q ", r.Canonical(nametree.Key(url)))
		}
	}
	return text.String()
}
