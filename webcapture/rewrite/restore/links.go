package restore

import (
	"fmt"
	"math"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// links restores PA of the links of a page that Web Capture converted (12.5.6.5). was is the page in the original, and
// is the page in the file. Two links are the same if they have one rectangle, which no other link of their page has.
func (r *restoration) links(was, is *match.Page) error {
	rects, theirs, err := linksOf(r.original.Reader, was.Ref)
	if err != nil || len(theirs) == 0 {
		return err
	}
	_, own, err := linksOf(r.file.Reader, is.Ref)
	if err != nil {
		return err
	}
	for _, rect := range rects {
		l, to := theirs[rect], own[rect]
		if l.links != 1 || to.links != 1 || l.dict.Lookup("PA").IsNull() || !to.dict.Lookup("PA").IsNull() {
			continue
		}
		if err := r.restorePA(l.dict, to, is); err != nil {
			return err
		}
	}
	return nil
}

// restorePA gives a link of the file the entry PA of the same link of the original, if both lead to pages and the page
// of the original is in the file.
func (r *restoration) restorePA(was object.Dict, to link, page *match.Page) error {
	action, err := r.original.Reader.Dict(was.Lookup("A"))
	if object.IgnoreMalformed(err) != nil {
		return err
	}
	dest := action.Lookup("D")
	if dest.IsNull() {
		dest = was.Lookup("Dest")
	}
	target, err := r.target(dest)
	if err != nil || r.pairs.Page(target) == nil {
		return err
	}
	action, err = r.file.Reader.Dict(to.dict.Lookup("A"))
	if err != nil || action.Raw() != nil && !action.Lookup("S").IsName("GoTo") {
		return object.IgnoreMalformed(err)
	}
	text, err := r.copied(was.Lookup("PA"), maxDepth)
	if err == nil {
		r.step("", rule.Place{Page: page.Number, Object: page.Ref}, "PA of a link")
		r.Update.Put(to.ref, to.dict.AppendWith(nil, object.Setting{Key: "PA", Value: text}))
	}
	return err
}

// link is a link annotation with an object number, and the only one of its page with its rectangle if links is 1.
type link struct {
	ref   object.Ref
	dict  object.Dict
	links int // number of links of the page with this rectangle
}

// linksOf returns the links of a page by rectangle, and the rectangles in order. A rectangle is a text with its corners
// in tenths of a unit.
func linksOf(r *webcapture.Reader, page object.Ref) (rects []string, list map[string]link, err error) {
	d, err := r.Dict(object.MakeRef(page))
	if err != nil {
		return nil, nil, object.IgnoreMalformed(err)
	}
	o, err := r.Resolve(d.Clone().Lookup("Annots"))
	annots, _ := o.Clone().Array()
	list = map[string]link{}
	for a := range annots.All() {
		ref, _ := a.Ref()
		d, err := r.Dict(a)
		if object.IgnoreMalformed(err) != nil {
			return nil, nil, err
		}
		if err != nil || ref.Num == 0 || !d.Lookup("Subtype").IsName("Link") {
			continue
		}
		var rect strings.Builder
		corners, _ := d.Lookup("Rect").Array()
		for c := range corners.All() {
			n, _ := c.Number()
			fmt.Fprintf(&rect, "%.0f ", math.Round(10*n)+0) // -0 becomes 0
		}
		at := rect.String()
		list[at] = link{ref, d.Clone(), list[at].links + 1}
		rects = append(rects, at)
	}
	return rects, list, object.IgnoreMalformed(err)
}
