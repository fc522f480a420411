package restore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// links restores the links of a page that Web Capture converted. They have PA (12.5.6.5).
func (r *restoration) links(l *likeness) error {
	is := r.known.is[l.ref]
	if is == nil {
		return nil
	}
	theirs, err := annotationsOf(r.original.reader, l.dict)
	if err != nil || !slices.ContainsFunc(theirs,
		func(a object.Object) bool { return isConverted(r.original.reader, a) }) {
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
	return e.put()
}

// isConverted reports whether an annotation is a link converted by Web Capture.
func isConverted(r *webcapture.Reader, annotation object.Object) bool {
	d, ok := resolvedDict(r, annotation)
	return ok && !d.Lookup("PA").IsNull()
}

// linkEdit restores the links of one page.
type linkEdit struct {
	*restoration
	page    *likeness        // page of the file
	annots  []object.Object  // annotations of the page
	links   map[string][]int // indexes of unmatched links, by rectangle
	changed bool             // annots has changed
}

func (r *restoration) linksOf(page *likeness) (e *linkEdit, err error) {
	e = &linkEdit{restoration: r, page: page, links: map[string][]int{}}
	e.annots, err = annotationsOf(r.file.reader, page.dict)
	for i, a := range e.annots {
		if d, ok := resolvedDict(r.file.reader, a); ok && d.Lookup("Subtype").IsName("Link") {
			at := rectOf(r.file.reader, d)
			e.links[at] = append(e.links[at], i)
		}
	}
	return e, err
}

// bring restores a link of the original. If the file has a link with the same rectangle, the first one gets the missing
// entries; otherwise the whole link is added.
func (e *linkEdit) bring(a object.Object) error {
	was, _ := resolvedDict(e.original.reader, a) // an unreadable dictionary counts as absent
	at, converted := rectOf(e.original.reader, was), !was.Lookup("PA").IsNull()
	if !converted && !was.Lookup("Subtype").IsName("Link") {
		return nil
	}
	switch there := e.links[at]; {
	case len(there) > 0: // even if it is not converted: otherwise a later link could get the wrong match
		e.links[at] = there[1:]
		if !converted {
			return nil
		}
		return e.complete(there[0], was)
	case !converted:
		return nil
	}
	text, err := e.copied(a, maxDepth)
	if err != nil {
		return err
	}
	o, _, err := object.Parse(text, 0)
	if err != nil {
		return err
	}
	e.annots, e.changed = append(e.annots, o), true
	e.linkStep(e.page, "a link")
	return nil
}

// complete adds the missing entries of an original link to annotation i.
func (e *linkEdit) complete(i int, was object.Dict) error {
	own, _ := resolvedDict(e.file.reader, e.annots[i])
	changes, err := e.action(own, was)
	if err != nil || len(changes) == 0 {
		return err
	}
	e.linkStep(e.page, "PA of a link")
	text := own.AppendWith(nil, changes...)
	if ref, ok := e.annots[i].Ref(); ok {
		e.Update.Put(ref, text)
		return nil
	}
	e.annots[i], _, err = object.Parse(text, 0)
	e.changed = true
	return err
}

// put plans the new annotations of the page.
func (e *linkEdit) put() error {
	if !e.changed {
		return nil
	}
	text := []byte{'['}
	for _, o := range e.annots {
		text = append(o.Append(text), ' ')
	}
	return e.change(e.page, object.Setting{Key: "Annots", Value: append(text, ']')})
}

// action returns the entries that a link of the file lacks: PA, and the named destination.
func (r *restoration) action(own, was object.Dict) (changes []object.Setting, err error) {
	if own.Lookup("PA").IsNull() {
		text, err := r.copied(was.Lookup("PA"), maxDepth)
		if err != nil {
			return nil, err
		}
		changes = append(changes, object.Setting{Key: "PA", Value: text})
	}
	a, _ := resolvedDict(r.original.reader, was.Lookup("A"))
	name, _ := r.original.reader.String(a.Lookup("D"))
	there, _ := resolvedDict(r.file.reader, own.Lookup("A"))
	named, _ := r.file.reader.String(there.Lookup("D"))
	if !name.OK() || named.OK() {
		return changes, nil
	}
	text, err := r.copied(was.Lookup("A"), maxDepth)
	return append(changes, object.Setting{Key: "A", Value: text}, object.Setting{Key: "Dest"}), err
}

func (r *restoration) linkStep(is *likeness, what string) {
	r.step("", rule.Place{Page: is.number, Object: is.ref}, what)
}

// annotationsOf returns the elements of Annots of a page.
func annotationsOf(r *webcapture.Reader, page object.Dict) (list []object.Object, err error) {
	o, err := r.Resolve(page.Lookup("Annots"))
	annots, _ := o.Array()
	for a := range annots.All() {
		list = append(list, a)
	}
	return list, object.IgnoreMalformed(err)
}

// resolvedDict returns a dictionary; false if it is missing or unreadable.
func resolvedDict(r *webcapture.Reader, o object.Object) (object.Dict, bool) {
	o, err := r.Resolve(o)
	d, ok := o.Dict()
	return d, ok && err == nil
}

// rectOf returns the rectangle of an annotation as text, rounded to a tenth of a unit.
func rectOf(r *webcapture.Reader, annotation object.Dict) string {
	o, _ := r.Resolve(annotation.Lookup("Rect")) // an unreadable rectangle counts as absent
	list, _ := o.Array()
	var b strings.Builder
	for e := range list.All() {
		e, _ = r.Resolve(e)
		n, _ := e.Number()
		fmt.Fprintf(&b, "%.1f ", n+0)
	}
	return b.String()
}
