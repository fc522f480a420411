package restore

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// tag gives a page or image of the file the ID that it has in the original, and a page
// its zoom.
func (r *restoration) tag(l *likeness) error {
	is := r.known.is[l.ref]
	if is == nil || l.id == "" || is.id != "" && is.id != l.id {
		return nil // one with another ID is a member of another set
	}
	if set, ok := r.sets.listed[is.ref]; ok && string(set) != l.id {
		return nil // so is one that another set lists
	}
	var changes []object.Setting
	if is.id == "" {
		changes = append(changes, object.Setting{Key: "ID", Value: object.AppendString(nil, []byte(l.id))})
	}
	if zoom := l.dict.Lookup("PZ"); !zoom.IsNull() && is.dict.Lookup("PZ").IsNull() {
		text, err := r.copied(zoom, maxDepth)
		if err != nil {
			return err
		}
		changes = append(changes, object.Setting{Key: "PZ", Value: text})
	}
	if len(changes) == 0 {
		return nil
	}
	if err := r.change(is, changes...); err != nil {
		return err
	}
	is.id = l.id
	r.step("", rule.Place{Page: is.number, Object: is.ref}, "ID "+nametree.Key(l.id).String())
	return nil
}

// change changes entries of a page or image of the file.
func (r *restoration) change(is *likeness, changes ...object.Setting) error {
	text := is.dict.AppendWith(nil, changes...)
	o, _, err := object.Parse(text, 0)
	if err != nil {
		return err
	}
	is.dict, _ = o.Dict()
	if is.number > 0 {
		r.update.Put(is.ref, text)
	} else {
		r.update.PutDict(is.ref, text)
	}
	return nil
}
