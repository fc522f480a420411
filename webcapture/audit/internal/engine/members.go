package engine

import (
	"math"
	"slices"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// memberSize is the size of a row of members in bytes.
const memberSize = 56

// keep counts memory that is kept for later phases.
func (w *Worker) keep(n int64) {
	if err := w.Reader.Keep(n); err != nil {
		w.Fail(err)
	}
}

// collectMembers records the references in O of a content set. If there are none, it records one row without a member.
func (w *Worker) collectMembers(s *rule.Set) {
	if !w.Run.rules.wantsDocument() {
		return
	}
	m := rule.MemberRow{Set: s.Ref, Subtype: s.Subtype, Count: -1, Listed: s.O.Kind() == object.Array}
	m.ID, m.HasID = s.Identifier()
	start := len(w.members)
	for o := range s.Members() {
		if ref, ok := o.Ref(); ok && ref.Num != 0 {
			m.Member = ref
			if len(w.members) == cap(w.members) {
				w.members = slices.Grow(w.members, max(len(w.members), 16)) // append copies more often
			}
			w.members = append(w.members, m)
		}
		m.Index++
		if !w.Spend(meter.Object) {
			return
		}
	}
	w.keep(memberSize * int64(max(1, len(w.members)-start)))
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
