package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// links brings back the links of a page that Web Capture has converted: those with PA
// (12.5.6.5).
func (w *planter) links(l *likeness) error {
	is := w.is[l.ref]
	if is == nil {
		return nil
	}
	theirs, err := annotationsOf(w.reader, l.dict)
	if err != nil || !slices.ContainsFunc(theirs, func(a object.Object) bool { return isConverted(w.reader, a) }) {
		return err
	}
	p, err := w.linksOf(is)
	if err != nil {
		return err
	}
	for _, a := range theirs {
		if err := p.bring(a); err != nil {
			return err
		}
	}
	return p.put()
}

// isConverted reports whether an annotation is a link that Web Capture has converted.
func isConverted(r objectReader, annotation object.Object) bool {
	d, ok := resolvedDict(r, annotation)
	return ok && !d.Lookup("PA").IsNull()
}

// A linkPlanter brings back the links of one page.
type linkPlanter struct {
	*planter
	page    *likeness        // of the file
	annots  []object.Object  // its annotations
	links   map[string][]int // those that are links and are not one of the original's yet, by their place
	changed bool             // annots is not what the page has
}

func (w *planter) linksOf(page *likeness) (p *linkPlanter, err error) {
	p = &linkPlanter{planter: w, page: page, links: map[string][]int{}}
	p.annots, err = annotationsOf(p.planner.reader, page.dict)
	for i, a := range p.annots {
		if d, ok := resolvedDict(p.planner.reader, a); ok && d.Lookup("Subtype").IsName("Link") {
			at := rectOf(p.planner.reader, d)
			p.links[at] = append(p.links[at], i)
		}
	}
	return p, err
}

// bring brings back a link of the original: the first one of the file with the same place gets what
// it lacks; if there is none, the whole link comes.
func (p *linkPlanter) bring(a object.Object) error {
	was, _ := resolvedDict(p.reader, a) // what cannot be read is none
	at, converted := rectOf(p.reader, was), !was.Lookup("PA").IsNull()
	if !converted && !was.Lookup("Subtype").IsName("Link") {
		return nil
	}
	switch there := p.links[at]; {
	case len(there) > 0: // also if it is not converted: then the next one is not for another that is
		p.links[at] = there[1:]
		if !converted {
			return nil
		}
		return p.complete(there[0], was)
	case !converted:
		return nil
	}
	text, err := p.copied(a, maxPlantDepth)
	if err != nil {
		return err
	}
	o, _, err := object.Parse(text, 0)
	if err != nil {
		return err
	}
	p.annots, p.changed = append(p.annots, o), true
	p.linkStep(p.page, "a link")
	return nil
}

// complete gives annotation i what it lacks of the link that it was.
func (p *linkPlanter) complete(i int, was object.Dict) error {
	own, _ := resolvedDict(p.planner.reader, p.annots[i])
	changes, err := p.action(own, was)
	if err != nil || len(changes) == 0 {
		return err
	}
	p.linkStep(p.page, "PA of a link")
	text := own.AppendWith(nil, changes...)
	if ref, ok := p.annots[i].Ref(); ok {
		p.plan.update.Put(ref, text)
		return nil
	}
	p.annots[i], _, err = object.Parse(text, 0)
	p.changed = true
	return err
}

// put plans what the page gets.
func (p *linkPlanter) put() error {
	if !p.changed {
		return nil
	}
	text := []byte{'['}
	for _, o := range p.annots {
		text = append(o.Append(text), ' ')
	}
	return p.change(p.page, object.Setting{Key: "Annots", Value: append(text, ']')})
}

// action returns what a link lacks of the one that it was: PA, and the destination that is
// named there.
func (w *planter) action(own, was object.Dict) (changes []object.Setting, err error) {
	if own.Lookup("PA").IsNull() {
		text, err := w.copied(was.Lookup("PA"), maxPlantDepth)
		if err != nil {
			return nil, err
		}
		changes = append(changes, object.Setting{Key: "PA", Value: text})
	}
	a, _ := resolvedDict(w.reader, was.Lookup("A"))
	name, _ := w.reader.String(a.Lookup("D"))
	there, _ := resolvedDict(w.planner.reader, own.Lookup("A"))
	named, _ := w.planner.reader.String(there.Lookup("D"))
	if !name.OK() || named.OK() {
		return changes, nil
	}
	text, err := w.copied(was.Lookup("A"), maxPlantDepth)
	return append(changes, object.Setting{Key: "A", Value: text}, object.Setting{Key: "Dest"}), err
}

func (w *planter) linkStep(is *likeness, what string) {
	w.plan.Steps.Add(Step{Action: audit.Plant, Place: audit.Place{Page: is.number, Object: is.ref}, New: what, Reason: w.name + " has it"})
}

// annotationsOf returns the elements of Annots of a page.
func annotationsOf(r objectReader, page object.Dict) (list []object.Object, err error) {
	o, err := r.Resolve(page.Lookup("Annots"))
	annots, _ := o.Array()
	for a := range annots.All() {
		list = append(list, a)
	}
	return list, object.IgnoreMalformed(err)
}

// resolvedDict returns a dictionary; false if there is none, or it cannot be read.
func resolvedDict(r objectReader, o object.Object) (object.Dict, bool) {
	o, err := r.Resolve(o)
	d, ok := o.Dict()
	return d, ok && err == nil
}

// rectOf returns where an annotation is, as text, to a tenth of a unit.
func rectOf(r objectReader, annotation object.Dict) string {
	o, _ := r.Resolve(annotation.Lookup("Rect")) // what cannot be read is nowhere
	list, _ := o.Array()
	var b strings.Builder
	for e := range list.All() {
		e, _ = r.Resolve(e)
		n, _ := e.Number()
		fmt.Fprintf(&b, "%.1f ", n+0)
	}
	return b.String()
}
