package restore

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
)

// normal returns a value as text. The texts of equal values are equal in both files: references are followed, entries
// of dictionaries are sorted, and a stream is represented by its data. normal returns false if the value is too large,
// nests too deeply, or is unreadable.
func normal(r *webcapture.Reader, o object.Object) (text string, ok bool, err error) {
	n := &normalizer{reader: r, ok: true}
	if err := n.add(o, maxDepth); err != nil {
		return "", false, object.IgnoreMalformed(err)
	}
	return n.text.String(), n.ok, nil
}

// normalizer builds the text of one value.
type normalizer struct {
	reader *webcapture.Reader
	text   bytes.Buffer
	ok     bool
}

func (n *normalizer) add(o object.Object, depth int) error {
	if depth == 0 || n.text.Len() > maxNormal {
		n.ok = false
		return nil
	}
	ref, isRef := o.Ref()
	o, err := n.reader.Resolve(o)
	if err != nil {
		return err
	}
	switch o.Kind() {
	case object.Array:
		n.text.WriteByte('[')
		list, _ := o.Array()
		for e := range list.All() {
			if err := n.add(e, depth-1); err != nil {
				return err
			}
			n.text.WriteByte(' ')
		}
		n.text.WriteByte(']')
	case object.Dictionary:
		return n.dict(o, depth)
	case object.Stream:
		if !isRef {
			n.ok = false
			return nil
		}
		data, err := n.reader.Data(ref)
		if err != nil {
			return err
		}
		b, err := infile.ReadAll(data, maxNormal)
		if errors.Is(err, infile.ErrTooLong) {
			n.ok = false
			return nil
		}
		n.text.Write(object.AppendString(nil, b)) // the same form as in copiedObject
		return err
	case object.Real, object.Integer:
		f, _ := o.Number()
		n.text.Write(strconv.AppendFloat(nil, f, 'f', -1, 64)) // 1.0 and 1 are equal
	default:
		n.text.Write(o.AppendNormal(nil))
	}
	return nil
}

func (n *normalizer) dict(o object.Object, depth int) error {
	type entry struct {
		key   string
		value object.Object
	}
	var entries []entry
	d, _ := o.Dict()
	for k, v := range d.All() {
		entries = append(entries, entry{string(k), v})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return bytes.Compare([]byte(a.key), []byte(b.key)) })
	n.text.WriteString("<<")
	for _, e := range entries {
		v, err := n.reader.Resolve(e.value)
		if err != nil {
			return err
		}
		if v.IsNull() {
			continue
		}
		n.text.WriteString("/" + e.key + " ")
		if err := n.add(e.value, depth-1); err != nil {
			return err
		}
	}
	n.text.WriteString(">>")
	return nil
}
