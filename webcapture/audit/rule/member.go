package rule

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Member is an object in O of at least one content set.
type Member struct {
	Ref           object.Ref
	Object        object.Object // resolved; null if it is missing in the file
	Dict          object.Dict   // Object as a dictionary
	Type, Subtype object.Object // resolved
	ID            webcapture.String
	In            []Membership // its places in O, sorted by content set
}

// Membership is one place of an object in O of a content set.
type Membership struct {
	Set     object.Ref // Num 0 for a direct object in a tree
	Index   int        // index in O
	Subtype webcapture.Subtype
	ID      digest.ID // ID of the content set
	HasID   bool      // the content set has an ID
	Count   int       // count of the image in R; -1 if R has no count for it
}

// At returns the place of the member within a content set.
func (m *Member) At(in Membership) Place {
	at := Place{Set: in.Set, Object: m.Ref}
	if in.HasID {
		at.ID = nametree.Key(in.ID[:])
	}
	return at
}

// Carries reports whether the member has the ID of the content set.
func (m *Member) Carries(in Membership) bool {
	id, ok := Identifier(m.ID)
	return ok && in.HasID && id == in.ID
}

// First returns the member's first place in a content set of a subtype.
func (m *Member) First(t webcapture.Subtype) (in Membership, ok bool) {
	for _, in := range m.In {
		if in.Subtype == t {
			return in, true
		}
	}
	return in, false
}

// Sets returns the content sets of a subtype that list the member, each once. It omits content sets that are direct
// objects.
func (m *Member) Sets(t webcapture.Subtype) []object.Ref {
	var list []object.Ref
	for _, in := range m.In { // places in the same content set are adjacent
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
	inTree := doc.IsPage(m.Ref)
	return m.Type.IsName("Page") || m.Type.IsNull() && inTree
}

// IsTemplate reports whether the member is a named page (type Template), which is not shown itself.
func (m *Member) IsTemplate() bool {
	return m.Object.Kind() == object.Dictionary && m.Type.IsName("Template")
}

// IsImage reports whether the member is an image XObject.
func (m *Member) IsImage() bool {
	return m.Object.Kind() == object.Stream && m.Subtype.IsName("Image")
}

// Fits reports whether the member has the right type for a content set: a page or named page for a page set, an image
// that is not a soft mask for an image set.
func (m *Member) Fits(t webcapture.Subtype, doc *Document) bool {
	switch t {
	case webcapture.PageSet:
		return m.IsPage(doc) || m.IsTemplate()
	case webcapture.ImageSet:
		return m.IsImage() && !doc.Masks[m.Ref]
	}
	return false
}
