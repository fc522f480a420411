package engine

import (
	"math"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// collectMembers records the references in O of a content set. If there are none, it records one row without a member.
func (w *Worker) collectMembers(s *rule.Set) {
	if !w.Run.rules.wantsDocument() || len(w.members) > w.Run.records {
		return
	}
	m := rule.MemberRow{Set: s.Ref, Subtype: s.Subtype, Count: -1, Listed: s.O.Kind() == object.Array}
	m.ID, m.HasID = s.Identifier()
	start := len(w.members)
	defer func() { w.Run.rows.Add(int64(len(w.members) - start)) }()
	for o := range s.Members() {
		if ref, ok := o.Ref(); ok && ref.Num != 0 {
			m.Member = ref
			if len(w.members) == cap(w.members) {
				w.members = slices.Grow(w.members, max(len(w.members), 16)) // append copies more often
			}
			w.members = append(w.members, m)
		}
		m.Index++
		if !w.Spend(rule.ElementCost) || len(w.members) > w.Run.records {
			return
		}
	}
	if len(w.members) == start {
		m.Index = -1
		w.members = append(w.members, m)
		return
	}
	w.collectCounts(s, w.members[start:])
}

// collectCounts records the counts in R of an image set, if R has one for each element of O.
func (w *Worker) collectCounts(s *rule.Set, rows []rule.MemberRow) {
	c, ok := w.Counts(s)
	if !ok || !c.IsEven() {
		return
	}
	k := 0
	for i, o := range c.Elements(&w.Pass) {
		for k < len(rows) && int(rows[k].Index) < i {
			k++
		}
		n, ok := o.Int()
		if ok && n >= 0 && n <= math.MaxInt32 && k < len(rows) && int(rows[k].Index) == i {
			rows[k].Count = int32(n)
		}
	}
}
