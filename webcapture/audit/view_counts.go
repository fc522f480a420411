package audit

import (
	"iter"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

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
