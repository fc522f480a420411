package audit

import (
	"math"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// collectMembers notes what O of a set lists.
func (w *worker) collectMembers(s *Set) {
	if !w.run.rules.wantsDocument() || len(w.members) > w.run.records {
		return
	}
	m := membership{set: s.Ref, subtype: s.Subtype, count: -1, listed: s.O.Kind() == object.Array}
	m.id, m.hasID = s.Identifier()
	start, any := len(w.members), false
	defer func() { w.run.rows.Add(int64(len(w.members) - start)) }()
	for o := range s.Members() {
		if ref, ok := o.Ref(); ok && ref.Num != 0 {
			m.member, any = ref, true
			if len(w.members) == cap(w.members) {
				w.members = slices.Grow(w.members, max(len(w.members), 16)) // append would copy more often
			}
			w.members = append(w.members, m)
		}
		m.index++
		if !w.Spend(elementCost) || len(w.members) > w.run.records {
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
