package audit

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// A Member is an object that stands in O of some content set.
type Member struct {
	Ref           object.Ref
	Object        object.Object // resolved; null if the file does not have it
	Dict          object.Dict   // of Object
	Type, Subtype object.Object // resolved
	ID            webcapture.String
	In            []Membership // where it stands, by set
}

// A Membership is one place of an object in O of a content set.
type Membership struct {
	Set     object.Ref // Num 0 for a set that stands in a tree itself
	Index   int        // in O
	Subtype webcapture.Subtype
	ID      digest.ID // of the set
	HasID   bool      // the set has one
	Count   int       // what R says of the image; -1 if R does not say
}

// At returns the place of the member in a set.
func (m *Member) At(in Membership) Place {
	at := Place{Set: in.Set, Object: m.Ref}
	if in.HasID {
		at.ID = nametree.Key(in.ID[:])
	}
	return at
}

// Carries reports whether the member's ID is that of the set.
func (m *Member) Carries(in Membership) bool {
	id, ok := identifier(m.ID)
	return ok && in.HasID && id == in.ID
}

// first returns the first place of the member in a set of a subtype.
func (m *Member) first(t webcapture.Subtype) (in Membership, ok bool) {
	for _, in := range m.In {
		if in.Subtype == t {
			return in, true
		}
	}
	return in, false
}

// sets returns the sets of a subtype that have the member, each once.
func (m *Member) sets(t webcapture.Subtype) []object.Ref {
	var list []object.Ref
	for _, in := range m.In { // those of one set stand together
		if in.Subtype == t && in.Set.Num != 0 && (len(list) == 0 || list[len(list)-1] != in.Set) {
			list = append(list, in.Set)
		}
	}
	return list
}

// isPage reports whether the member is a page.
func (m *Member) isPage(doc *Document) bool {
	if m.Object.Kind() != object.Dictionary {
		return false
	}
	_, inTree := doc.PageIndex(m.Ref)
	return m.Type.IsName("Page") || m.Type.IsNull() && inTree
}

// isTemplate reports whether the member is a page that is not shown, from which
// others are made.
func (m *Member) isTemplate() bool {
	return m.Object.Kind() == object.Dictionary && m.Type.IsName("Template")
}

// isImage reports whether the member is an image XObject.
func (m *Member) isImage() bool {
	return m.Object.Kind() == object.Stream && m.Subtype.IsName("Image")
}

// fits reports whether the member is what sets of a subtype list.
func (m *Member) fits(t webcapture.Subtype, doc *Document) bool {
	switch t {
	case webcapture.PageSet:
		return m.isPage(doc) || m.isTemplate()
	case webcapture.ImageSet:
		return m.isImage() && !doc.masks[m.Ref]
	}
	return false
}

// some names the first three of a list, and says how many there are beyond.
func some(list []object.Ref) string {
	const shown = 3
	s := ""
	for i, ref := range list[:min(len(list), shown)] {
		if i > 0 {
			s += ", "
		}
		s += ref.String()
	}
	if n := len(list) - shown; n > 0 {
		s += fmt.Sprintf(" and %d more", n)
	}
	return s
}

// describeMember says what a member is that is not what it should be.
func describeMember(p *Pass, m *Member) string {
	is := m.Type
	if m.Object.Kind() == object.Stream {
		is = m.Subtype // Type is that of all XObjects
	}
	if raw := is.Raw(); is.Kind() == object.Name {
		return article(m.Object.Kind()) + " with the type " + printable(raw[:min(len(raw), 40)])
	}
	return describe(p, m.Object)
}

// A membership is a row of a memberTable: a Membership with its member. A
// million of them are 44 MB. A set without members has a row without one.
type membership struct {
	member, set   object.Ref
	id            digest.ID
	index, count  int32
	subtype       webcapture.Subtype
	hasID, listed bool // listed: O is an array
}

// collectMembers notes what O of a set lists.
func (w *worker) collectMembers(s *Set) {
	if !w.run.rules.wantsDocument() {
		return
	}
	m := membership{set: s.Ref, subtype: s.Subtype, count: -1, listed: s.O.Kind() == object.Array}
	m.id, m.hasID = s.Identifier()
	start, any := len(w.members), false
	for o := range s.Members() {
		if ref, ok := o.Ref(); ok && ref.Num != 0 {
			m.member, any = ref, true
			if len(w.members) == cap(w.members) {
				w.members = slices.Grow(w.members, max(len(w.members), 256)) // append would copy more often
			}
			w.members = append(w.members, m)
		}
		m.index++
		if !w.spend(elementCost) {
			return
		}
	}
	if !any {
		m.member, m.index = object.Ref{}, -1
		w.members = append(w.members, m)
		return
	}
	w.collectCounts(s, w.members[start:])
}

// collectCounts notes what R of an image set says of its members, if it says
// it of all.
func (w *worker) collectCounts(s *Set, rows []membership) {
	c, ok := w.countsOf(s)
	if !ok || c.isArray && c.list.Len() != c.images || !c.isArray && c.images != 1 {
		return
	}
	k := 0
	for i, o := range c.elements(&w.Pass) {
		for k < len(rows) && int(rows[k].index) < i {
			k++
		}
		n, ok := o.Int()
		if ok && n >= 0 && n <= math.MaxInt32 && k < len(rows) && int(rows[k].index) == i {
			rows[k].count = int32(n)
		}
	}
}

// A memberTable finds the places of an object in sets. Rows stand in the order
// of collection: those of a set together, in the order of O. It is a hash table
// of chains, without pointers.
type memberTable struct {
	rows  []membership
	first []int32 // by hash of the member: a row, or -1
	next  []int32 // by row
	seed  maphash.Seed

	once   sync.Once
	listed map[digest.ID]bool // see known
}

func newMemberTable(rows []membership) *memberTable {
	t := &memberTable{rows: rows, seed: maphash.MakeSeed()}
	t.first = slices.Repeat([]int32{-1}, len(rows)+1)
	t.next = make([]int32, len(rows))
	for i, m := range rows {
		if m.member.Num == 0 {
			continue
		}
		h := t.hash(m.member)
		t.next[i], t.first[h] = t.first[h], int32(i)
	}
	return t
}

func (t *memberTable) hash(ref object.Ref) int {
	return int(maphash.Comparable(t.seed, ref) % uint64(len(t.first)))
}

// has reports whether an object stands in O of some set.
func (t *memberTable) has(ref object.Ref) bool {
	for i := t.first[t.hash(ref)]; i >= 0; i = t.next[i] {
		if t.rows[i].member == ref {
			return true
		}
	}
	return false
}

// of returns the places of an object in sets, by set.
func (t *memberTable) of(ref object.Ref) []Membership {
	var in []Membership
	for i := t.first[t.hash(ref)]; i >= 0; i = t.next[i] {
		if m := &t.rows[i]; m.member == ref {
			in = append(in, Membership{m.set, int(m.index), m.subtype, m.id, m.hasID, int(m.count)})
		}
	}
	slices.SortFunc(in, func(a, b Membership) int { return cmp.Or(a.Set.Compare(b.Set), cmp.Compare(a.Index, b.Index)) })
	return in
}

// sets yields the rows of each page set or image set that has members, in the
// order of O.
func (t *memberTable) sets() iter.Seq[[]membership] {
	return func(yield func([]membership) bool) {
		for from := 0; from < len(t.rows); {
			to := from + 1
			for to < len(t.rows) && t.rows[to].set == t.rows[from].set && t.rows[to].index > t.rows[to-1].index {
				to++
			}
			if !yield(t.rows[from:to]) {
				return
			}
			from = to
		}
	}
}

// known reports whether there is a set with an ID, and whether all of them
// have an array for O, so that it is known what they list.
func (t *memberTable) known(id digest.ID) (exists, listed bool) {
	t.once.Do(func() {
		t.listed = make(map[digest.ID]bool)
		for _, m := range t.rows {
			if before, ok := t.listed[m.id]; m.hasID {
				t.listed[m.id] = m.listed && (before || !ok)
			}
		}
	})
	listed, exists = t.listed[id]
	return exists, listed
}
