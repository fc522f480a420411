package audit

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// A Document is what the page tree and the sets say together.
type Document struct {
	Pages     int                    // in the page tree
	Whole     bool                   // the page tree could be walked to its end
	indexes   map[object.Ref]int     // of pages, by their references
	carriers  []carrier              // in the order in which they were met
	vacancies map[object.Ref]vacancy // by carriers
	repeated  []Place                // of pages, where they stand in the page tree again
	uses      map[object.Ref]int     // of images: pages that show them
	counted   bool                   // all pages' resources could be read, so that uses has all
	pattern   map[object.Ref]bool    // images to which patterns of pages lead; only if some R is 0
	tagged    int                    // pages with an ID
	masks     map[object.Ref]bool    // soft masks of images
	members   *memberTable
	whole     [webcapture.TreeCount]bool // the tree has entries and was read to its end, so what is not in it is missing
}

// PageIndex returns the place of a page in page order, from 0; false if the
// page tree does not have it.
func (d *Document) PageIndex(ref object.Ref) (int, bool) {
	i, ok := d.indexes[ref]
	return i, ok
}

// Uses returns the number of pages that lead to an image through their
// resources and those of forms, at any depth, but not through patterns: what
// Acrobat counts in R (14.10.4.3).
func (d *Document) Uses(image object.Ref) int { return d.uses[image] }

// ShownByPattern reports whether a pattern leads to an image: one of a page, or of
// a form or pattern that a page leads to. It is known of images for which R is 0.
func (d *Document) ShownByPattern(image object.Ref) bool { return d.pattern[image] }

// An Image is an image XObject that pages show, or sets list.
type Image struct {
	Ref  object.Ref
	Dict object.Dict
	ID   webcapture.String
}

// At returns the image's place.
func (im *Image) At() Place { return Place{Object: im.Ref, ID: knownBy(im.ID)} }

// A carrier is a page or image in use that has the ID of a content set and stands in O of
// none.
type carrier struct {
	ref  object.Ref
	id   digest.ID
	kind webcapture.Subtype // of the set that it may be a member of
	at   Place
}

// A vacancy is an element of O that a carrier may stand for.
type vacancy struct {
	set   object.Ref
	index int
}
