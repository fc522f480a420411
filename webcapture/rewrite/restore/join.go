package restore

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// This file restores the members of existing content sets. If the file has exactly the pages of the original, O and R
// become equal to those of the original. Otherwise, O only gets missing members. So two parts of a capture are joined
// again:
//
//	a.pdf       O [ page 1, page 2 ]
//	b.pdf       O [ page 2, page 3 ]
//	the file    O [ page 1, page 2, page 3 ]

// member is an element of O with its count in R.
type member struct {
	object object.Object
	was    int // index in the original's O, from 1; 0 if it is not there
	count  object.Object
	page   int // page number; 0 if it is not a page of the file
}

// mendMembers returns the changed O and R of a content set of the file; none if they do not change.
func (r *restoration) mendMembers(set object.Ref, cs, own *webcapture.ContentSet) ([]object.Setting, error) {
	stored, err := r.file.reader.Resolve(own.R)
	if err != nil {
		return nil, object.IgnoreMalformed(err)
	}
	members, _ := own.O.Array()
	counts, counted := stored.Array()
	have := r.membersOf(own, counts)
	if r.changesBack(set) {
		return r.membersBack(set, cs, own, have)
	}
	if counted && counts.Len() != members.Len() {
		return nil, nil // the assignment of counts to members is unknown
	}
	list := r.joinMembers(set, cs, have)
	if list == nil {
		return nil, nil
	}
	changes := []object.Setting{{Key: "O", Value: listText(list, func(m member) object.Object { return m.object })}}
	if counted {
		changes = append(changes,
			object.Setting{Key: "R", Value: listText(list, func(m member) object.Object { return m.count })})
	}
	return changes, nil
}

// listText returns an array as text, with one object for each member.
func listText(list []member, of func(member) object.Object) []byte {
	text := []byte{'['}
	for i, m := range list {
		if i > 0 {
			text = append(text, ' ')
		}
		text = of(m).Append(text)
	}
	return append(text, ']')
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

// membersBack returns O and R with the values of the original, if they change.
func (r *restoration) membersBack(set object.Ref, cs, own *webcapture.ContentSet, have []member) ([]object.Setting,
	error) {
	if cs.O.Kind() != object.Array {
		return nil, nil
	}
	list, _, err := r.wanted(set, cs, have)
	if err != nil || len(list) == 0 {
		return nil, err // the file has none of the original's members: the present O is better than an empty one
	}
	refs := func(list []member) (refs []object.Ref) {
		for _, m := range list {
			if ref, ok := m.object.Ref(); ok {
				refs = append(refs, ref)
			}
		}
		return refs
	}
	var changes []object.Setting
	at := rule.Place{Set: set, ID: nametree.Key(own.ID.Bytes)}
	before, after := refs(have), refs(list)
	sameO := own.O.Kind() == object.Array && slices.Equal(before, after) && len(list) == len(have)
	if !sameO {
		changes = append(changes, object.Setting{Key: "O",
			Value: listText(list, func(m member) object.Object { return m.object })})
		r.replacement("", at, oldEntry("O ", several(before, " ")), "O "+several(after, " "))
	}
	if !r.known.whole && sameO {
		return changes, nil // the counts may differ, because the file has other pages
	}
	counts, was, is, err := r.countsBack(cs, own, list, len(list) == len(have))
	if err != nil || was == is {
		return changes, err
	}
	if sameO {
		r.replacement("", at, oldEntry("R ", was), "R "+is)
	}
	return append(changes, object.Setting{Key: "R", Value: counts}), nil
}

// oldEntry returns the old value of an entry for a step, after the entry's name; empty if there is no value.
func oldEntry(name, value string) string {
	if value == "" || value == "null" {
		return ""
	}
	return name + value
}

// countsBack returns R of a content set with the values of the original, and the old and new R as text for comparison.
// The texts are equal if R does not change. parallel means that the number of members does not change.
func (r *restoration) countsBack(cs, own *webcapture.ContentSet, list []member, parallel bool) (counts []byte, was,
	is string, err error) {
	if counts, err = r.counts(cs, list); err != nil {
		return nil, "", "", err
	}
	if counts == nil && r.known.whole && parallel {
		if counts, err = r.copied(cs.R, maxDepth); err != nil {
			return nil, "", "", err
		}
	}
	parsed, _, err := object.Parse(counts, 0)
	if counts == nil || err != nil || parsed.IsNull() {
		return nil, "", "", nil
	}
	if was, err = countText(r.file.reader, own.R); err != nil {
		return nil, "", "", err
	}
	is, _ = countText(r.file.reader, parsed)
	return counts, was, is, nil
}

// countText returns R as text. R of a single image may be an integer or an array of one (table 390); both give the same
// text.
func countText(reader *webcapture.Reader, o object.Object) (string, error) {
	stored, err := reader.Resolve(o)
	if err != nil {
		return "", object.IgnoreMalformed(err)
	}
	text, _, err := normal(reader, stored)
	if stored.Kind() == object.Integer {
		text = "[" + text + " ]"
	}
	return text, err
}

// wanted returns the members of a content set according to the original. Members in the file come with their copies. In
// place of a member that the file lacks, the present element of O stays. found means that the file has any of the
// members. set is the content set of the file, or zero, and have are its present members.
func (r *restoration) wanted(set object.Ref, cs *webcapture.ContentSet, have []member) (list []member, found bool,
	err error) {
	used := map[int]bool{} // elements of have that match a member of the original
	at := indexOf(have)
	rest, err := r.unknownIn(have)
	if err != nil {
		return nil, false, err
	}
	n := 0
	var copies []member // copies of pages, which come last
	for m := range cs.Members() {
		n++
		ref, _ := m.Ref()
		before := len(list)
		for k, is := range r.known.found(ref) {
			i, there := at[is.ref]
			if !there && (!r.isFree(is.ref, set) || have != nil && !r.known.sure[is.ref]) {
				continue
			}
			if there {
				used[i], rest[i] = true, false
			}
			m := member{object: object.MakeRef(is.ref), was: n, page: is.number}
			if k > 0 && is.number > 0 {
				copies = append(copies, m)
			} else {
				list = append(list, m)
			}
		}
		found = found || len(list) > before
		if n > len(have) || !rest[n-1] {
			continue
		}
		if len(list) == before {
			list, rest[n-1] = append(list, have[n-1]), false
		} else if all, _ := cs.O.Array(); all.Len() == len(have) {
			rest[n-1] = false // this element has already been matched
		}
	}
	for i, m := range have {
		if rest[i] && !used[i] {
			list = append(list, m)
		}
	}
	slices.SortStableFunc(copies, func(a, b member) int { return cmp.Compare(a.page, b.page) })
	return append(list, copies...), found, nil
}

// indexOf returns the index of each member by its reference.
func indexOf(list []member) map[object.Ref]int {
	at := map[object.Ref]int{}
	for i, m := range list {
		if ref, ok := m.object.Ref(); ok {
			at[ref] = i
		}
	}
	return at
}

// unknownIn reports for each member of a content set whether it is not certain to be in the original. Null members do
// not count.
func (r *restoration) unknownIn(have []member) ([]bool, error) {
	unknown := make([]bool, len(have))
	for i, m := range have {
		ref, _ := m.object.Ref()
		o, err := r.file.reader.Resolve(m.object)
		if object.IgnoreMalformed(err) != nil {
			return nil, err
		}
		_, known := r.known.was[ref]
		unknown[i] = (err != nil || !o.IsNull()) && !(known && r.known.sure[ref])
	}
	return unknown, nil
}

// isFree reports whether a page or image may become a member of a content set. It may if it is in no other content set
// of the file, or if that one has a match in the original, which takes precedence.
func (r *restoration) isFree(ref, set object.Ref) bool {
	owner, ok := r.sets.owner[ref]
	return !ok || owner == set || r.sets.was[owner] != nil && r.changesBack(owner)
}

// counts returns R for a list of members, as text. It returns nil if R in the original is not an array with one
// count for each element of O; if there are now several members, an integer counts as such an array. It also returns
// nil if neither file has a count for a member. If an image may be shown by other pages than in the original, its pages
// are counted again.
func (r *restoration) counts(cs *webcapture.ContentSet, list []member) ([]byte, error) {
	stored, err := r.original.reader.Resolve(cs.R)
	if err != nil {
		return nil, object.IgnoreMalformed(err)
	}
	all, _ := cs.O.Array()
	var before []object.Object
	if array, ok := stored.Array(); ok {
		before = slices.Collect(array.All())
	} else if stored.Kind() == object.Integer && len(list) > 1 { // an integer counts a single image (table 390)
		before = []object.Object{stored}
	}
	if len(before) == 0 || len(before) != all.Len() {
		return nil, nil
	}
	copies := map[int]int{}
	for _, m := range list {
		copies[m.was]++
	}
	text := []byte{'['}
	for i, m := range list {
		if i > 0 {
			text = append(text, ' ')
		}
		if m.was == 0 {
			if m.count.Raw() == nil {
				return nil, nil
			}
			text = m.count.Append(text)
			continue
		}
		count, err := r.original.reader.Resolve(before[m.was-1])
		if err != nil {
			return nil, object.IgnoreMalformed(err)
		}
		if n, _ := count.Int(); n > 0 && (!r.known.whole || copies[m.was] > 1) {
			ref, _ := m.object.Ref()
			text = fmt.Append(text, r.known.shown[ref])
		} else {
			text = count.Append(text)
		}
	}
	return append(text, ']'), nil
}

// joinMembers returns the members of a content set of the file, with the missing ones of the original added; nil if
// none is missing. They are in page order (14.10.4.2, table 389) if the present ones are.
func (r *restoration) joinMembers(set object.Ref, cs *webcapture.ContentSet, own []member) []member {
	has := map[object.Ref]bool{}
	for _, m := range own {
		ref, _ := m.object.Ref()
		has[ref] = true
	}
	list := own
	for m := range cs.Members() {
		ref, _ := m.Ref()
		for _, is := range r.known.found(ref) {
			if has[is.ref] {
				continue
			}
			if owner := r.sets.owner[is.ref]; !r.isFree(is.ref, set) {
				r.changes.Unmatched = append(r.changes.Unmatched, fmt.Sprintf(
					"%s: %s lacks %v, which content set %v of the file has; take it out of O there to restore it",
					r.Name, setName(cs), is.ref, owner))
				continue
			}
			if is.id == string(cs.ID.Bytes) {
				continue // a repair without the original knows its place (WC522)
			}
			count := object.MakeView(object.Integer, fmt.Append(nil, r.known.shown[is.ref]))
			list = append(list, member{object: object.MakeRef(is.ref), count: count, page: is.number})
			r.step("", rule.Place{Set: set, Object: is.ref}, "member "+is.ref.String())
		}
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
