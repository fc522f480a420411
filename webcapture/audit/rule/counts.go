package rule

import (
	"iter"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// countList holds R of an image set, parallel to O.
type countList struct {
	set     *Set
	Object  object.Object // R: an integer or an array
	IsArray bool
	List    object.List // R if it is an array; empty for an integer
	Images  int         // number of elements of O
}

// Counts returns R of an image set. It returns false if R is absent, unreadable, or of another type, or if there is no
// O to compare it with.
func (p *Pass) Counts(s *Set) (c countList, ok bool) {
	if s.Subtype != webcapture.ImageSet || s.R.IsNull() {
		return c, false
	}
	members, ok := s.O.Array()
	if !ok {
		return c, false
	}
	c.set, c.Images = s, members.Len()
	if c.Object, ok = p.ResolveIn(s, s.R); !ok {
		return c, false
	}
	c.List, c.IsArray = c.Object.Array()
	return c, c.IsArray || c.Object.Kind() == object.Integer
}

// IsEven reports whether R has one count for each element of O.
func (c *countList) IsEven() bool {
	return c.IsArray && c.List.Len() == c.Images || !c.IsArray && c.Images == 1
}

// Elements yields the resolved elements of the array, or the integer, with their indexes. It skips unreadable elements.
func (c *countList) Elements(p *Pass) iter.Seq2[int, object.Object] {
	return func(yield func(int, object.Object) bool) {
		if !c.IsArray {
			yield(0, c.Object)
			return
		}
		i := 0
		for e := range c.List.All() {
			if o, ok := p.ResolveIn(c.set, e); ok && !yield(i, o) {
				return
			}
			i++
		}
	}
}
