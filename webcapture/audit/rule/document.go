package rule

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// A Document has the pages and what the sets say about them.
type Document struct {
	Pages      int                    // in the page tree
	Whole      bool                   // the page tree could be walked to its end
	Indexes    map[object.Ref]int     // of pages, by their references
	Carriers   []Carrier              // in the order in which they were met
	Vacancies  map[object.Ref]Vacancy // by carriers
	Wanting    map[digest.ID]bool     // IDs of carriers without a vacancy: an element of O may stand for one
	Repeated   []Place                // of pages, where they stand in the page tree again
	UseCounts  map[object.Ref]int     // of images: pages that show them
	Counted    bool                   // all pages' resources could be read, so that uses has all
	Patterns   map[object.Ref]bool    // images to which patterns of pages lead; only if some R is 0
	Tagged     int                    // pages with an ID
	Masks      map[object.Ref]bool    // soft masks of images
	Members    *MemberTable
	WholeTrees [webcapture.TreeCount]bool // the tree has entries and was read to its end, so what is not in it is missing
}

// PageIndex returns the place of a page in page order, from 0; false if the
// page tree does not have it.
func (d *Document) PageIndex(ref object.Ref) (int, bool) {
	i, ok := d.Indexes[ref]
	return i, ok
}

// Uses returns the number of pages that lead to an image through their
// resources and those of forms, at any depth, but not through patterns: what
// Acrobat counts in R (14.10.4.3).
func (d *Document) Uses(image object.Ref) int { return d.UseCounts[image] }

// ShownByPattern reports whether a pattern leads to an image: one of a page, or of
// a form or pattern that a page leads to. It is known of images for which R is 0.
func (d *Document) ShownByPattern(image object.Ref) bool { return d.Patterns[image] }

// An Image is an image XObject that pages show, or sets list.
type Image struct {
	Ref  object.Ref
	Dict object.Dict
	ID   webcapture.String
}

// At returns the image's place.
func (im *Image) At() Place { return Place{Object: im.Ref, ID: KnownBy(im.ID)} }

// A Carrier is a page or image in use that has the ID of a content set and stands in O of
// none.
type Carrier struct {
	Ref  object.Ref
	ID   digest.ID
	Kind webcapture.Subtype // of the set that it may be a member of
	At   Place
}

// A Vacancy is an element of O that a carrier may stand for.
type Vacancy struct {
	Set   object.Ref
	Index int
}
