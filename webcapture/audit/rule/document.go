package rule

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Document holds the pages, images, and members of a file, for rules about the whole document.
type Document struct {
	Pages        int                 // number of pages in the page tree
	Whole        bool                // the page tree could be read to its end
	Numbers      object.RefTable     // numbers of pages, from 1
	Carriers     []Carrier           // in the order of reading
	UseCounts    map[object.Ref]int  // number of pages that show an image, by image
	ShownOn      object.RefTable     // number of the first page that shows an image, from 1; only with Audit.WantsKeys
	Counted      bool                // the resources of all pages were readable, so UseCounts is complete
	Patterns     map[object.Ref]bool // images shown by patterns of pages; filled only if some R is 0
	Tagged       int                 // number of pages with an ID
	TaggedImages int                 // number of images with an ID, among those that pages show or content sets list
	Masks        map[object.Ref]bool // soft masks of images
	Members      *MemberTable
	WholeTrees   [webcapture.TreeCount]bool // the tree has entries, all read: an absent key is missing
}

// IsPage reports whether the page tree has a page.
func (d *Document) IsPage(ref object.Ref) bool { return d.Numbers.Get(ref) != 0 }

// Uses returns the number of pages that show an image through their resources, or through those of forms at any depth.
// Patterns do not count. Acrobat counts R in this way (14.10.4.3).
func (d *Document) Uses(image object.Ref) int { return d.UseCounts[image] }

// ShownByPattern reports whether a pattern shows an image. The pattern may belong to a page, or to a form or pattern of
// a page. The result is known only for images with the count 0 in R.
func (d *Document) ShownByPattern(image object.Ref) bool { return d.Patterns[image] }

// Image is an image XObject that a page shows or a content set lists.
type Image struct {
	Ref  object.Ref
	Dict object.Dict
	ID   webcapture.String
}

// At returns the image's place.
func (im *Image) At() Place { return Place{Object: im.Ref, ID: KnownBy(im.ID)} }

// Carrier is a page, or an image that a page shows, whose ID is a digital identifier, but which is in O of no content
// set.
type Carrier struct {
	Ref  object.Ref
	ID   digest.ID
	Kind webcapture.Subtype // subtype of the content set to which it may belong
	At   Place
}
