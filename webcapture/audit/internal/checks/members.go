package checks

import (
	"fmt"
	"iter"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// What rules about O and R share.

// members yields the elements of O with their indexes, as long as the budget lasts: what is
// found after that will be dropped.
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

// ascendingMembers reports whether the references in O ascend, as they do in
// most sets; then none is there twice.
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

// isCount reports whether an object is an integer that is not negative.
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

// Some names the first three of a list, and says how many there are beyond.
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

// describeMember says what a member is that is not what it should be.
func describeMember(p *rule.Pass, m *rule.Member) string {
	is := m.Type
	if m.Object.Kind() == object.Stream {
		is = m.Subtype // Type is that of all XObjects
	}
	if raw := is.Raw(); is.Kind() == object.Name {
		return rule.Article(m.Object.Kind()) + " with the type " + printable(raw[:min(len(raw), 40)])
	}
	return Describe(p, m.Object)
}
