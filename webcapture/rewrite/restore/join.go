package restore

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// The members of a content set that the file has already. If all pages of the file are those of the original, O and R
// become what they are there. Otherwise, O only gets what it lacks, so two parts of a capture become one again:
//
//	a.pdf       O [ page 1, page 2 ]
//	b.pdf       O [ page 2, page 3 ]
//	the file    O [ page 1, page 2, page 3 ]

// member is an element of O with its count in R.
type member struct {
	object object.Object
	was    int // its place in the original, from 1; 0 for one that the original does not have
	count  object.Object
	page   int // its number; 0 for what is not a page of the file
}

// mendMembers returns O and R of a content set of the file as they become; none if they stay.
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
		return nil, nil // which count is whose is unknown
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

// listText returns an array of something of each member, as text.
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

// membersBack returns O and R as they are in the original.
func (r *restoration) membersBack(set object.Ref, cs, own *webcapture.ContentSet, have []member) ([]object.Setting,
	error) {
	if cs.O.Kind() != object.Array {
		return nil, nil
	}
	list, _, err := r.wanted(set, cs, have)
	if err != nil || len(list) == 0 {
		return nil, err // none of its members is in the file: what it has says more than an empty O
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
	before, after := refs(have), refs(list)
	sameO := own.O.Kind() == object.Array && slices.Equal(before, after) && len(list) == len(have)
	if !sameO {
		changes = append(changes, object.Setting{Key: "O",
			Value: listText(list, func(m member) object.Object { return m.object })})
		r.replacement("", rule.Place{Set: set}, "O "+several(before, " "), "O "+several(after, " "))
	}
	if !r.known.whole && sameO {
		return changes, nil // other pages show the images than those of the original
	}
	counts, was, is, err := r.countsBack(cs, own, list, len(list) == len(have))
	if err != nil || was == is {
		return changes, err
	}
	if sameO {
		r.replacement("", rule.Place{Set: set}, "R "+was, "R "+is)
	}
	return append(changes, object.Setting{Key: "R", Value: counts}), nil
}

// countsBack returns R of a content set as the original has it, and as text what it is in the file, and what it will be.
// The two are equal if it stays. Parallel says that the set has as many members as before.
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

// countText returns R as text; that of one image may be an integer, or an array of one (table 390).
func countText(reader *webcapture.Reader, o object.Object) (string, error) {
	text, _, err := normal(reader, o)
	if r, _ := reader.Resolve(o); r.Kind() == object.Integer {
		text = "[" + text + " ]"
	}
	return text, err
}

// wanted returns the members that a content set has by the original: those that are in the file, with copies of
// images, and what O of the file has in the places of others. It reports whether any is in the file. The set is that
// of the file, if there is one, and have are its members.
func (r *restoration) wanted(set object.Ref, cs *webcapture.ContentSet, have []member) (list []member, found bool,
	err error) {
	used := map[int]bool{} // elements of have that were found in the original
	at := indexOf(have)
	rest, err := r.unknownIn(have)
	if err != nil {
		return nil, false, err
	}
	n := 0
	var copies []member // of pages, which come last
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
			rest[n-1] = false // it stands for the one that was found
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

// indexOf returns the indexes of members by their references.
func indexOf(list []member) map[object.Ref]int {
	at := map[object.Ref]int{}
	for i, m := range list {
		if ref, ok := m.object.Ref(); ok {
			at[ref] = i
		}
	}
	return at
}

// unknownIn reports for each of the members that a set has whether the original does not know it.
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

// isFree reports whether no other content set of the file holds a page or image. What the original says about that set
// counts more than the set.
func (r *restoration) isFree(ref, set object.Ref) bool {
	owner, ok := r.sets.owner[ref]
	return !ok || owner == set || r.sets.was[owner] != nil && r.changesBack(owner)
}

// counts returns R of a content set with other members, as text; nil if R is not parallel to O in the original. Where
// other pages show an image than in the original, they are counted anew.
func (r *restoration) counts(cs *webcapture.ContentSet, list []member) ([]byte, error) {
	stored, err := r.original.reader.Resolve(cs.R)
	if err != nil {
		return nil, object.IgnoreMalformed(err)
	}
	all, _ := cs.O.Array()
	var before []object.Object
	if array, ok := stored.Array(); ok {
		before = slices.Collect(array.All())
	} else if stored.Kind() == object.Integer && len(list) > 1 { // that of one image (table 390)
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
				continue // the file says itself that it is missing (WC522), and which member it replaces
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
