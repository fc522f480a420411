package rewrite

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// tag gives a page or image of the file the ID that it has in the original, and a page
// its zoom.
func (w *planter) tag(l *likeness) error {
	is := w.is[l.ref]
	if is == nil || l.id == "" || is.id != "" && is.id != l.id {
		return nil // one with another ID is a member of another set
	}
	if set, ok := w.listed[is.ref]; ok && string(set) != l.id {
		return nil // so is one that another set lists
	}
	var changes []object.Setting
	if is.id == "" {
		changes = append(changes, object.Setting{Key: "ID", Value: object.AppendString(nil, []byte(l.id))})
	}
	if zoom := l.dict.Lookup("PZ"); !zoom.IsNull() && is.dict.Lookup("PZ").IsNull() {
		text, err := w.copied(zoom, maxPlantDepth)
		if err != nil {
			return err
		}
		changes = append(changes, object.Setting{Key: "PZ", Value: text})
	}
	if len(changes) == 0 {
		return nil
	}
	if err := w.change(is, changes...); err != nil {
		return err
	}
	is.id = l.id
	w.plan.Steps.Add(Step{
		Action: audit.Plant, Place: audit.Place{Page: is.number, Object: is.ref},
		New: "ID " + nametree.Key(l.id).String(), Reason: w.name + " has it",
	})
	return nil
}

// change changes entries of a page or image of the file.
func (w *planter) change(is *likeness, changes ...object.Setting) error {
	text := is.dict.AppendWith(nil, changes...)
	o, _, err := object.Parse(text, 0)
	if err != nil {
		return err
	}
	is.dict, _ = o.Dict()
	if is.number > 0 {
		w.plan.update.Put(is.ref, text)
	} else {
		w.plan.update.PutDict(is.ref, text)
	}
	return nil
}
