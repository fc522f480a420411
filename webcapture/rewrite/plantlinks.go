package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// links brings back the links of a page that Web Capture has converted: those with PA
// (12.5.6.5). A link of the file is the same if it has the same place.
func (w *planter) links(l *likeness) error {
	is := w.is[l.ref]
	if is == nil {
		return nil
	}
	theirs, err := annotationsOf(w.reader, l.dict)
	if err != nil {
		return err
	}
	var ours []object.Object
	read, changed := false, false
	for _, a := range theirs {
		d, ok := resolvedDict(w.reader, a)
		if !ok || d.Lookup("PA").IsNull() {
			continue
		}
		if !read {
			read = true
			if ours, err = annotationsOf(w.planner.reader, is.dict); err != nil {
				return err
			}
		}
		i := slices.IndexFunc(ours, func(o object.Object) bool {
			own, ok := resolvedDict(w.planner.reader, o)
			return ok && own.Lookup("Subtype").IsName("Link") && rectOf(w.planner.reader, own) == rectOf(w.reader, d)
		})
		if i < 0 {
			text, err := w.copied(a, maxPlantDepth)
			if err != nil {
				return err
			}
			o, _, err := object.Parse(text, 0)
			if err != nil {
				return err
			}
			ours, changed = append(ours, o), true
			w.linkStep(is, "a link")
			continue
		}
		own, _ := resolvedDict(w.planner.reader, ours[i])
		changes, err := w.action(own, d)
		if err != nil {
			return err
		}
		if len(changes) == 0 {
			continue
		}
		w.linkStep(is, "PA of a link")
		text := own.AppendWith(nil, changes...)
		if ref, ok := ours[i].Ref(); ok {
			w.plan.update.Put(ref, text)
			continue
		}
		if ours[i], _, err = object.Parse(text, 0); err != nil {
			return err
		}
		changed = true
	}
	if !changed {
		return nil
	}
	text := []byte{'['}
	for _, o := range ours {
		text = append(o.Append(text), ' ')
	}
	return w.change(is, object.Setting{Key: "Annots", Value: append(text, ']')})
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
