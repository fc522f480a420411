package rewrite

import (
	"io"

	"github.com/webcap-tools/webcap/nametree/object"
)

// copied returns an object of the original as text, with copies of what it refers to. Of a
// page or image it is that of the file, null if there is none.
func (w *planter) copied(o object.Object, depth int) ([]byte, error) {
	if depth == 0 || len(w.copies) > maxPlanted {
		return []byte("null"), nil
	}
	if ref, ok := o.Ref(); ok {
		return w.copiedObject(ref, depth)
	}
	if list, ok := o.Array(); ok {
		text := []byte{'['}
		for e := range list.All() {
			b, err := w.copied(e, depth-1)
			if err != nil {
				return nil, err
			}
			text = append(append(text, b...), ' ')
		}
		return append(text, ']'), nil
	}
	if d, ok := o.Dict(); ok {
		var changes []object.Setting
		for k, v := range d.All() {
			b, err := w.copied(v, depth-1)
			if err != nil {
				return nil, err
			}
			changes = append(changes, object.Setting{Key: string(k), Value: b})
		}
		return object.Dict{}.AppendWith(nil, changes...), nil
	}
	return o.Append(nil), nil
}

// copiedObject is copied for what a reference leads to: it returns another reference.
func (w *planter) copiedObject(ref object.Ref, depth int) ([]byte, error) {
	if is := w.is[ref]; is != nil {
		return is.ref.Append(nil), nil
	}
	if known, ok := w.copies[ref]; ok {
		return known.Append(nil), nil
	}
	target, err := w.reader.Get(ref)
	d, isDict := target.Dict()
	if err != nil || target.IsNull() || isDict && (d.Lookup("Type").IsName("Page") || d.Lookup("Type").IsName("Pages")) {
		return []byte("null"), object.IgnoreMalformed(err)
	}
	if target.Kind() == object.Stream { // posted data, which may be a string as well (table 393)
		data, err := w.reader.Data(ref)
		if err != nil {
			return []byte("null"), object.IgnoreMalformed(err)
		}
		b, err := io.ReadAll(io.LimitReader(data, maxContent))
		return object.AppendString(nil, b), object.IgnoreMalformed(err)
	}
	own := w.plan.update.New()
	w.copies[ref] = own
	text, err := w.copied(target, depth-1)
	if err != nil {
		return nil, err
	}
	w.plan.update.Put(own, text)
	return own.Append(nil), nil
}
