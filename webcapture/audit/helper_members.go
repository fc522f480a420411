package audit

import (
	"fmt"
	"iter"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// What rules about O and R share.

// members yields the elements of O with their indexes, as long as the budget lasts: what is
// found after that will be dropped.
func (p *Pass) members(s *Set) iter.Seq2[int, object.Object] {
	return func(yield func(int, object.Object) bool) {
		i := 0
		for o := range s.Members() {
			if p.over || !yield(i, o) {
				return
			}
			i++
		}
	}
}

// ascendingMembers reports whether the references in O ascend, as they do in
// most sets; then none is there twice.
func ascendingMembers(s *Set) bool {
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

// A countList is R of an image set, beside O.
type countList struct {
	set     *Set
	object  object.Object // R: an integer, or
	isArray bool
	list    object.List // empty for an integer
	images  int         // elements of O
}

// countsOf returns R of an image set; false if it is absent or of another type,
// or if there is no O to hold it against.
func (p *Pass) countsOf(s *Set) (c countList, ok bool) {
	if s.Subtype != webcapture.ImageSet || s.R.IsNull() {
		return c, false
	}
	members, ok := s.O.Array()
	if !ok {
		return c, false
	}
	c.set, c.images = s, members.Len()
	if c.object, ok = p.resolve(s, s.R); !ok {
		return c, false
	}
	c.list, c.isArray = c.object.Array()
	return c, c.isArray || c.object.Kind() == object.Integer
}

// elements yields the elements of an array, resolved, or the integer. One that
// cannot be read is left out.
func (c *countList) elements(p *Pass) iter.Seq2[int, object.Object] {
	return func(yield func(int, object.Object) bool) {
		if !c.isArray {
			yield(0, c.object)
			return
		}
		i := 0
		for e := range c.list.All() {
			if o, ok := p.resolve(c.set, e); ok && !yield(i, o) {
				return
			}
			i++
		}
	}
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
