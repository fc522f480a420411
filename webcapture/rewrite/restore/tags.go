package restore

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// tag restores the ID and zoom of a page, or the ID of an image, in all its matches in the file.
func (r *restoration) tag(l *likeness) error {
	if !isID(l.id) {
		return nil
	}
	steps := len(r.changes.Steps)
	for _, is := range r.known.found(l.ref) {
		r.changes.Known = append(r.changes.Known, is.ref)
		if err := r.tagOne(l, is); err != nil {
			return err
		}
	}
	for i := range r.changes.Steps[steps:] {
		if lists := r.sets.lists[l.ref]; len(lists) > 0 {
			r.changes.Steps[steps+i].From = lists[0].ref
		}
	}
	return nil
}

func (r *restoration) tagOne(l, is *likeness) error {
	agrees, proven := r.provesTag(l)
	if !agrees {
		for _, t := range r.sets.lists[l.ref] {
			isDisputed := r.LeftOut[t.ref] == "" && t.id != "" && is.id != l.id
			r.sets.disputed[t] = r.sets.disputed[t] || isDisputed
		}
		return nil
	}
	back := proven && r.changesBack(is.ref) && r.known.sure[is.ref]
	if is.id != "" && is.id != l.id && !back {
		return nil // the other ID makes it a member of another content set
	}
	if owner, ok := r.sets.owner[is.ref]; ok && !r.hasID(owner, l.id) {
		return nil // another content set lists it
	}
	place := rule.Place{Page: is.number, Object: is.ref}
	var changes []object.Setting
	if is.id != l.id {
		changes = append(changes, object.Setting{Key: "ID", Value: object.AppendString(nil, []byte(l.id))})
		old := ""
		if is.id != "" {
			old = "ID " + nametree.Key(is.id).String()
		}
		r.replacement("", place, old, "ID "+nametree.Key(l.id).String())
	}
	zoom, now := l.dict.Lookup("PZ"), is.dict.Lookup("PZ")
	was, _, err := normal(r.original.reader, zoom)
	if err != nil {
		return err
	}
	own, _, err := normal(r.file.reader, now)
	if err != nil {
		return err
	}
	if was != "null" && was != own && (back || own == "null") {
		text, err := r.copied(zoom, maxDepth)
		if err != nil {
			return err
		}
		changes = append(changes, object.Setting{Key: "PZ", Value: text})
		if old := "PZ " + own; own != "null" {
			r.replacement("", place, old, "PZ "+was)
		} else if is.id == l.id {
			r.step("", place, "PZ "+was)
		}
	}
	if len(changes) == 0 {
		return nil
	}
	if err := r.change(is, changes...); err != nil {
		return err
	}
	is.id = l.id
	return nil
}

// hasID reports whether a content set of the file has an ID, or gets it restored.
func (r *restoration) hasID(set object.Ref, id string) bool {
	if t := r.sets.was[set]; t != nil && t.proof.id && r.changesBack(set) && !r.sets.agrees[set].id {
		return true // its ID and members are those of the original
	}
	t := r.sets.own[set]
	return t != nil && t.id == id
}

// change changes entries in the dictionary of a page or image of the file.
func (r *restoration) change(is *likeness, changes ...object.Setting) error {
	text := is.dict.AppendWith(nil, changes...)
	o, _, err := object.Parse(text, 0)
	if err != nil {
		return err
	}
	is.dict, _ = o.Dict()
	if is.number > 0 {
		r.Update.Put(is.ref, text)
	} else {
		r.Update.PutDict(is.ref, text)
	}
	return nil
}
