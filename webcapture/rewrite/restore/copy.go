package restore

import (
	"cmp"
	"errors"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
)

// copySize is the memory of a copy without its text, in bytes.
const copySize = 128

// copied returns an object of the original as text for the file. It copies the objects to which the object refers.
// References to recognized pages and images become references to those of the file; references to other pages become
// null. Other streams become strings.
func (r *restoration) copied(o object.Object, depth int) ([]byte, error) {
	if depth == 0 {
		return []byte("null"), nil
	}
	if ref, ok := o.Ref(); ok {
		return r.copiedObject(ref, depth)
	}
	if list, ok := o.Array(); ok {
		text := []byte{'['}
		for e := range list.All() {
			b, err := r.copied(e, depth-1)
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
			b, err := r.copied(v, depth-1)
			if err != nil {
				return nil, err
			}
			changes = append(changes, object.Setting{Key: string(k), Value: b})
		}
		return object.Dict{}.AppendWith(nil, changes...), nil
	}
	return o.Append(nil), nil
}

// copiedObject is like copied for the target of a reference. It returns the new reference.
func (r *restoration) copiedObject(ref object.Ref, depth int) ([]byte, error) {
	if found := r.pairs.Found(ref); len(found) > 0 {
		return found[0].Append(nil), nil
	}
	if known, ok := r.copies[ref]; ok {
		return known.Append(nil), nil
	}
	target, err := r.original.Reader.Get(ref)
	d, isDict := target.Dict()
	isPage := isDict && (d.Lookup("Type").IsName("Page") || d.Lookup("Type").IsName("Pages"))
	if err != nil || target.IsNull() || isPage {
		return []byte("null"), object.IgnoreMalformed(err)
	}
	if target.Kind() == object.Stream { // posted data, which may also be a string (table 393)
		data, err := r.original.Reader.Data(ref)
		if err != nil {
			return []byte("null"), object.IgnoreMalformed(err)
		}
		b, err := infile.ReadAll(data, r.original.File.Piece())
		if errors.Is(err, infile.ErrTooLong) {
			return []byte("null"), nil
		}
		if err != nil {
			return []byte("null"), object.IgnoreMalformed(err)
		}
		return object.AppendString(nil, b), r.original.Reader.Keep(2 * int64(len(b)))
	}
	own := r.Update.New()
	r.copies[ref] = own
	text, err := r.copied(target, depth-1)
	if err = cmp.Or(err, r.original.Reader.Keep(copySize+int64(len(text)))); err != nil {
		return nil, err
	}
	r.Update.Put(own, text)
	return own.Append(nil), nil
}
