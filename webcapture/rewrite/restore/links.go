package restore

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// links restores the links of a page that Web Capture converted. They have PA (12.5.6.5). was is the page in the
// original, and is the page in the file.
func (r *restoration) links(was, is *match.Page) error {
	page, err := r.original.Reader.Dict(object.MakeRef(was.Ref))
	if object.IgnoreMalformed(err) != nil {
		return err
	}
	theirs, err := annotationsOf(r.original.Reader, page.Clone())
	if err != nil || !slices.ContainsFunc(theirs, annotation.isConverted) {
		return err
	}
	e, err := r.linksOf(is)
	if err != nil {
		return err
	}
	for _, a := range theirs {
		if err := e.bring(a); err != nil {
			return err
		}
	}
	if !e.changed {
		return nil
	}
	text := []byte{'['}
	for _, a := range e.annots {
		text = append(a.object.Append(text), ' ')
	}
	return e.change(is.Ref, object.Setting{Key: "Annots", Value: append(text, ']')})
}

// annotation is an annotation of a page.
type annotation struct {
	object object.Object // the element of Annots
	dict   object.Dict   // empty if it is missing or malformed
}

// isConverted reports whether an annotation is a link converted by Web Capture.
func (a annotation) isConverted() bool { return !a.dict.Lookup("PA").IsNull() }

// isLink reports whether an annotation is a link.
func (a annotation) isLink() bool { return a.dict.Lookup("Subtype").IsName("Link") }

// linkEdit restores the links of one page.
type linkEdit struct {
	*restoration
	page    *match.Page      // page of the file
	annots  []annotation     // annotations of the page
	links   map[string][]int // indexes of unmatched links, by rectangle
	changed bool             // annots has changed
}

func (r *restoration) linksOf(page *match.Page) (e *linkEdit, err error) {
	e = &linkEdit{restoration: r, page: page, links: map[string][]int{}}
	d, err := r.dictOf(page.Ref)
	if err != nil {
		return nil, err
	}
	if e.annots, err = annotationsOf(r.file.Reader, d); err != nil {
		return nil, err
	}
	for i, a := range e.annots {
		if !a.isLink() {
			continue
		}
		at, err := rectOf(r.file.Reader, a.dict)
		if err != nil {
			return nil, err
		}
		e.links[at] = append(e.links[at], i)
	}
	return e, nil
}

// bring restores PA of a link of the original, if the file has a link with the same rectangle, and the page to which it
// leads. Of several, the first one is the same link.
func (e *linkEdit) bring(a annotation) error {
	if !a.isConverted() && !a.isLink() {
		return nil
	}
	at, err := rectOf(e.original.Reader, a.dict)
	there := e.links[at]
	if err != nil || len(there) == 0 {
		return err
	}
	e.links[at] = there[1:] // even if it is not converted: otherwise a later link could get the wrong match
	if gone, err := e.isGone(a.dict); err != nil || gone || !a.isConverted() {
		return err
	}
	return e.complete(there[0], a.dict)
}

// complete adds the missing entries of an original link to annotation i. A link that leads to a URL needs none: its
// destination may be gone, although the file still has its name.
func (e *linkEdit) complete(i int, was object.Dict) error {
	own := e.annots[i].dict
	action, err := e.file.Reader.Dict(own.Lookup("A"))
	if object.IgnoreMalformed(err) != nil || action.Lookup("S").IsName("URI") {
		return object.IgnoreMalformed(err)
	}
	changes, err := e.action(own, was)
	if err != nil || len(changes) == 0 {
		return err
	}
	e.step("", rule.Place{Page: e.page.Number, Object: e.page.Ref}, "PA of a link")
	text := own.AppendWith(nil, changes...)
	if ref, ok := e.annots[i].object.Ref(); ok {
		e.Update.Put(ref, text)
		return nil
	}
	e.annots[i].object, _, err = object.Parse(text, 0)
	e.changed = true
	return err
}

// action returns the entries that a link of the file lacks: PA, and the named destination, if the file has it.
func (r *restoration) action(own, was object.Dict) (changes []object.Setting, err error) {
	if own.Lookup("PA").IsNull() {
		text, err := r.copied(was.Lookup("PA"), maxDepth)
		if err != nil {
			return nil, err
		}
		changes = append(changes, object.Setting{Key: "PA", Value: text})
	}
	theirs, err := destinationName(r.original.Reader, was)
	if err != nil || theirs == "" || !r.leads(theirs) {
		return changes, err
	}
	if name, err := destinationName(r.file.Reader, own); err != nil || name != "" {
		return changes, err
	}
	text, err := r.copied(was.Lookup("A"), maxDepth)
	return append(changes, object.Setting{Key: "A", Value: text}, object.Setting{Key: "Dest"}), err
}

// isGone reports whether a link of the original leads to a page that is not in the file.
func (r *restoration) isGone(link object.Dict) (bool, error) {
	action, err := r.original.Reader.Dict(link.Lookup("A"))
	if object.IgnoreMalformed(err) != nil {
		return false, err
	}
	dest := action.Lookup("D")
	if dest.IsNull() {
		dest = link.Lookup("Dest")
	}
	page, err := r.target(dest)
	return r.original.Page(page) != nil && r.pairs.Page(page) == nil, err
}

// destinationName returns the named destination of the action of a link; empty if it has none.
func destinationName(r *webcapture.Reader, link object.Dict) (nametree.Key, error) {
	action, err := r.Dict(link.Lookup("A"))
	if err != nil {
		return "", object.IgnoreMalformed(err)
	}
	name, err := r.String(action.Lookup("D"))
	return nametree.Key(name.Bytes), object.IgnoreMalformed(err)
}

// annotationsOf returns the annotations of a page.
func annotationsOf(r *webcapture.Reader, page object.Dict) (list []annotation, err error) {
	o, err := r.Resolve(page.Lookup("Annots"))
	annots, _ := o.Array()
	for a := range annots.All() {
		d, err := r.Dict(a)
		if object.IgnoreMalformed(err) != nil {
			return nil, err
		}
		list = append(list, annotation{a.Clone(), d.Clone()})
	}
	return list, object.IgnoreMalformed(err)
}

// rectOf returns the rectangle of an annotation as text, in tenths of a unit. A malformed one counts as absent.
func rectOf(r *webcapture.Reader, annotation object.Dict) (string, error) {
	o, err := r.Resolve(annotation.Lookup("Rect"))
	if object.IgnoreMalformed(err) != nil {
		return "", err
	}
	list, _ := o.Array()
	var b strings.Builder
	for e := range list.All() {
		e, err := r.Resolve(e)
		if object.IgnoreMalformed(err) != nil {
			return "", err
		}
		n, _ := e.Number()
		fmt.Fprintf(&b, "%.0f ", math.Round(10*n)+0) // -0 becomes 0
	}
	return b.String(), nil
}
