package restore

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// tagMembers restores the ID and PZ of the members of a content set. An ID is restored if it is absent, or differs from
// that of the content set.
func (r *restoration) tagMembers(m *setMatch) error {
	if !m.hasOriginalID() {
		return nil
	}
	listed := refSet(m.members)
	for _, was := range m.was.members {
		for _, is := range r.pairs.Found(was) {
			if !listed[is] || !r.isFree(is, m.is) {
				continue
			}
			if err := r.tag(was, is, m.id); err != nil {
				return err
			}
		}
	}
	return nil
}

// tag restores the ID of a page or image of the file, and PZ of a page. was is its match in the original.
func (r *restoration) tag(was, is object.Ref, id string) error {
	at := rule.Place{Object: is}
	if pg := r.file.Page(is); pg != nil {
		at.Page = pg.Number
	}
	dict, err := r.dictOf(is)
	if err != nil {
		return err
	}
	var changes []object.Setting
	if own := idIn(r.file, is); own != id && idIn(r.original, was) == id {
		old := ""
		if own != "" {
			old = "ID " + nametree.Key(own).String()
		}
		changes = append(changes, object.Setting{Key: "ID", Value: object.AppendString(nil, []byte(id))})
		r.replacement("", at, old, "ID "+nametree.Key(id).String())
		r.ids[is] = id
	}
	if at.Page > 0 {
		own, err := zoomOf(r.file.Reader, dict)
		if err != nil {
			return err
		}
		page, err := r.original.Reader.Dict(object.MakeRef(was))
		if object.IgnoreMalformed(err) != nil {
			return err
		}
		theirs, err := zoomOf(r.original.Reader, page)
		if err != nil {
			return err
		}
		if own == nil && theirs != nil {
			changes = append(changes, object.Setting{Key: "PZ", Value: theirs})
			r.step("", at, "PZ "+string(theirs))
		}
	}
	if len(changes) > 0 {
		return r.change(is, changes...)
	}
	return nil
}

// zoomOf returns the preferred zoom of a page as text; nil if it is not a positive number (table 31).
func zoomOf(r *webcapture.Reader, page object.Dict) ([]byte, error) {
	o, err := r.Resolve(page.Lookup("PZ"))
	if f, ok := o.Number(); err != nil || !ok || f <= 0 {
		return nil, object.IgnoreMalformed(err)
	}
	return o.Append(nil), nil
}

// idOf returns the ID of a page or image of the file after the restoration.
func (r *restoration) idOf(ref object.Ref) string {
	if id, ok := r.ids[ref]; ok {
		return id
	}
	return idIn(r.file, ref)
}

// dictOf returns the dictionary of a page or image of the file, with the changes so far.
func (r *restoration) dictOf(ref object.Ref) (object.Dict, error) {
	if d, ok := r.dicts[ref]; ok {
		return d, nil
	}
	o, err := r.file.Reader.Get(ref)
	d, _ := o.Dict()
	return d.Clone(), err
}

// change changes entries in the dictionary of a page or image of the file.
func (r *restoration) change(ref object.Ref, changes ...object.Setting) error {
	d, err := r.dictOf(ref)
	if err != nil {
		return err
	}
	text := d.AppendWith(nil, changes...)
	o, _, err := object.Parse(text, 0)
	if err != nil {
		return err
	}
	r.dicts[ref], _ = o.Dict()
	if r.file.Page(ref) != nil {
		r.Update.Put(ref, text)
	} else {
		r.Update.PutDict(ref, text)
	}
	return nil
}
