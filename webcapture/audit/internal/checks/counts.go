package checks

// R of image sets: the number of pages that show each image (14.10.4.3, table 390).

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setCounts = &rule.Rule{
	ID:      "WC420",
	Title:   "R of an image set has a count of 0 or more for each image in O.",
	Problem: "Image sets without a valid reference count for each image",
	Clause:  "ISO 32000-2:2020, 14.10.4.3, table 390",
	Level:   rule.Warning,
	Doc: "R counts the pages that refer to each image, with one count for each element of O. If their lengths differ, " +
		"it is unknown which count belongs to which image. When a page is deleted, the counts of its images go down. " +
		"An image with the count 0 may leave the set; an invalid count never reaches 0.",
	Repair:   "None: a new count can differ from what Acrobat counted.",
	CheckSet: checkSetCounts,
}

var setCountsZero = &rule.Rule{
	ID:      "WC421",
	Title:   "Pages refer to the images in O.",
	Problem: "Images of content sets that no page shows",
	Clause:  "ISO 32000-2:2020, 14.10.4.3; PDF Reference 1.6, implementation note 165",
	Level:   rule.Note,
	Doc: "An image with the count 0 may be removed from O. While O lists it, Acrobat keeps it in the file, even if " +
		"no page shows it. Acrobat counts references in the resources of pages and of forms. An image that only a " +
		"pattern shows, such as the background of a page, also has the count 0. It is visible and has to stay.",
	Repair: "If neither resources nor patterns refer to an image, remove it from O, and its count from R. The image " +
		"object stays.",
	Basis: rule.Basis{
		Wrong:     "An image is in a content set with the count 0, and no page shows it",
		Right:     "The user, by naming the rule",
		Otherwise: "The image stays in O",
	},
	OnRequest:   true,
	Action:      rule.DropMember,
	CheckMember: checkSetCountsZero,
}

var ImageCount = &rule.Rule{
	ID:      "WC510",
	Title:   "R is the number of pages that show the image.",
	Problem: "Images with a wrong reference count",
	Clause:  "ISO 32000-2:2020, 14.10.4.3, table 390",
	Level:   rule.Warning,
	Doc: "R tells a viewer when no page shows the image any more, so that it can remove the image. webcap counts as " +
		"Acrobat does: each page that uses the image through its resources or those of forms. Patterns do not count.",
	Repair:      "None: the meaning of R is not settled, and Acrobat's own counts ignore patterns.",
	CheckMember: checkImageCount,
}

func checkSetCounts(p *rule.Pass, s *rule.Set) {
	c, ok := p.Counts(s)
	if !ok {
		return
	}
	switch n := c.List.Len(); {
	case c.IsArray && n != c.Images:
		p.Reportf(s.At(), nil, "R has the length %d, O has the length %d (table 390)", n, c.Images)
	case !c.IsArray && c.Images != 1:
		p.Reportf(s.At(), nil, "R is an integer, but O has the length %d; expected an array of that length (table 390)",
			c.Images)
	}
	if !c.IsArray && !isCount(c.Object) {
		p.Reportf(s.At(), nil, "R is %s, not a count (table 390)", Describe(p, c.Object))
	}
	i := 0
	for e := range c.List.All() {
		if o, ok := p.ResolveIn(s, e); ok && !isCount(o) {
			p.Reportf(s.At(), nil, "element %d of R is %s, not a count (table 390)", i, Describe(p, e))
		}
		i++
	}
}

// isCount reports whether an object is an integer of at least 0.
func isCount(o object.Object) bool {
	n, ok := o.Int()
	return ok && n >= 0
}

func checkSetCountsZero(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	if !doc.Counted || !m.IsImage() || doc.Uses(m.Ref) > 0 {
		return
	}
	for _, in := range m.In {
		switch {
		case in.Subtype != webcapture.ImageSet || in.Count != 0:
		case doc.ShownByPattern(m.Ref):
			p.Reportf(m.At(in), nil, "R of the image is 0: only a pattern shows it, and Acrobat does not count patterns")
		default:
			p.Reportf(m.At(in), dropMember(in.Set, in.Index),
				"R of the image is 0: neither a page nor its forms list the image as a resource")
		}
	}
}

func checkImageCount(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	in, ok := m.First(webcapture.ImageSet)
	if !ok || in.Count < 0 || !doc.Counted || !m.Fits(webcapture.ImageSet, doc) || len(m.Sets(webcapture.ImageSet)) > 1 {
		return
	}
	if uses := doc.Uses(m.Ref); in.Count != uses {
		p.Reportf(m.At(in), nil, "R of the image is %d, expected %d, the number of pages that show it", in.Count, uses)
	}
}
