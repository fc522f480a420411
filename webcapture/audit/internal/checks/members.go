package checks

import (
	"fmt"
	"iter"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules about O and R.

// membersOf yields the elements of O with their indexes. It stops if the budget is exceeded, because later findings
// would be dropped.
func membersOf(p *rule.Pass, s *rule.Set) iter.Seq2[int, object.Object] {
	return func(yield func(int, object.Object) bool) {
		i := 0
		for o := range s.Members() {
			if p.Over() || !yield(i, o) {
				return
			}
			i++
		}
	}
}

// ascendingMembers reports whether the references in O ascend, as in most content sets. Then no member is repeated.
func ascendingMembers(s *rule.Set) bool {
	var last object.Ref
	for o := range s.Members() {
		ref, ok := o.Ref()
		if !ok {
			continue
		}
		if ref.Compare(last) <= 0 {
			return false
		}
		last = ref
	}
	return true
}

// isCount reports whether an object is an integer of at least 0.
func isCount(o object.Object) bool {
	n, ok := o.Int()
	return ok && n >= 0
}

// withArticle returns a subtype with its article.
func withArticle(t webcapture.Subtype) string {
	if t == webcapture.ImageSet {
		return "an " + t.String()
	}
	return "a " + t.String()
}

// Some returns the first three references of a list, and the number of the others, as text.
func Some(list []object.Ref) string {
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

// describeMember describes a member of the wrong type.
func describeMember(p *rule.Pass, m *rule.Member) string {
	is := m.Type
	if m.Object.Kind() == object.Stream {
		is = m.Subtype // all XObjects have the same Type
	}
	if raw := is.Raw(); is.Kind() == object.Name {
		return rule.Article(m.Object.Kind()) + " with the type " + printable(raw[:min(len(raw), 40)])
	}
	return Describe(p, m.Object)
}
