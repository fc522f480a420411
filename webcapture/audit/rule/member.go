package rule

import (
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
	id, ok := Identifier(m.ID)
	return ok && in.HasID && id == in.ID
}

// First returns the first place of the member in a set of a subtype.
func (m *Member) First(t webcapture.Subtype) (in Membership, ok bool) {
	for _, in := range m.In {
		if in.Subtype == t {
			return in, true
		}
	}
	return in, false
}

// Sets returns the sets of a subtype that have the member, each once.
func (m *Member) Sets(t webcapture.Subtype) []object.Ref {
	var list []object.Ref
	for _, in := range m.In { // those of one set stand together
		if in.Subtype == t && in.Set.Num != 0 && (len(list) == 0 || list[len(list)-1] != in.Set) {
			list = append(list, in.Set)
		}
	}
	return list
}

// IsPage reports whether the member is a page.
func (m *Member) IsPage(doc *Document) bool {
	if m.Object.Kind() != object.Dictionary {
		return false
	}
	_, inTree := doc.PageIndex(m.Ref)
	return m.Type.IsName("Page") || m.Type.IsNull() && inTree
}

// IsTemplate reports whether the member is a page that is not shown, from which
// others are made.
func (m *Member) IsTemplate() bool {
	return m.Object.Kind() == object.Dictionary && m.Type.IsName("Template")
}

// IsImage reports whether the member is an image XObject.
func (m *Member) IsImage() bool {
	return m.Object.Kind() == object.Stream && m.Subtype.IsName("Image")
}

// Fits reports whether the member is what sets of a subtype list.
func (m *Member) Fits(t webcapture.Subtype, doc *Document) bool {
	switch t {
	case webcapture.PageSet:
		return m.IsPage(doc) || m.IsTemplate()
	case webcapture.ImageSet:
		return m.IsImage() && !doc.Masks[m.Ref]
	}
	return false
}
