package match

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// The limits of a value with all objects to which it refers, except data of streams. Only settings of commands nest,
// and they take a few hundred bytes.
const (
	maxNesting = 32
	maxValue   = 1 << 20
)

// maxPlain is the maximum size in bytes of a string or of data that a value contains. Of longer ones, it contains the
// hash.
const maxPlain = 4 << 10

var (
	errNesting = &object.Malformed{Reason: "objects nest too deeply to be compared"}
	errSize    = &object.Malformed{Reason: "an object too large to be compared"}
)

// Value returns the hash of a value. Two values have the same hash if they differ only in object numbers, notation, the
// order of dictionary entries, or null entries. A stream counts as a string with its data (table 393). The error is an
// *object.Malformed if the value is unreadable or too large, or a failure to read the file.
func (d *Document) Value(o object.Object) (Hash, error) {
	b, err := d.AppendValue(nil, o)
	return sumOf(b), err
}

// AppendValue appends the bytes of which Value returns the hash.
func (d *Document) AppendValue(dst []byte, o object.Object) ([]byte, error) {
	return d.appendValue(dst, o, maxNesting, d.Reader.BytesRead()+maxValue)
}

// Text returns the hash of a text string (7.9.2.2), which does not depend on its encoding. For any other value, it is
// the same as Value.
func (d *Document) Text(o object.Object) (Hash, error) {
	b, err := d.AppendText(nil, o)
	return sumOf(b), err
}

// AppendText appends the bytes of which Text returns the hash.
func (d *Document) AppendText(dst []byte, o object.Object) ([]byte, error) {
	s, err := d.Reader.String(o)
	if err != nil || !s.OK() {
		return d.AppendValue(dst, o)
	}
	text := rule.TitleText(s.Bytes)
	return append(binary.AppendUvarint(append(dst, "text"...), uint64(len(text))), text...), nil
}

func sumOf(b []byte) Hash {
	s := sha256.Sum256(b)
	return Hash(s[:])
}

func (d *Document) appendValue(dst []byte, stored object.Object, depth int, end int64) ([]byte, error) {
	o, err := d.Reader.Resolve(stored)
	switch {
	case err != nil:
		return dst, err
	case depth == 0:
		return dst, errNesting
	case d.Reader.BytesRead() > end:
		return dst, errSize
	}
	dst = append(dst, byte(o.Kind()))
	switch o.Kind() {
	case object.Boolean:
		dst = append(dst, o.Raw()[0])
	case object.Integer, object.Real: // 1 and 1.0 are the same number
		dst[len(dst)-1] = byte(object.Real)
		if f, ok := o.Number(); ok {
			return binary.Append(dst, binary.BigEndian, f+0) // minus zero is zero
		}
		dst = appendBytes(dst, o.Raw())
	case object.String:
		d.text, _ = o.AppendString(d.text[:0])
		if len(d.text) > maxPlain {
			return d.appendString(dst, bytes.NewReader(d.text))
		}
		dst = appendBytes(dst, d.text)
	case object.Name:
		b, _ := o.Name()
		dst = appendBytes(dst, b)
	case object.Array:
		list, _ := o.Array()
		dst = binary.AppendUvarint(dst, uint64(list.Len()))
		for e := range list.All() {
			if dst, err = d.appendValue(dst, e, depth-1, end); err != nil {
				return dst, err
			}
		}
	case object.Dictionary:
		return d.appendDict(dst, o, depth, end)
	case object.Stream:
		return d.appendData(dst, stored)
	}
	return dst, nil
}

// appendDict appends the entries of a dictionary in the order of their keys, except null entries.
func (d *Document) appendDict(dst []byte, o object.Object, depth int, end int64) ([]byte, error) {
	type entry struct{ key, value []byte }
	var entries []entry
	dict, _ := o.Dict()
	for k, v := range dict.All() {
		b, err := d.appendValue(nil, v, depth-1, end)
		if err != nil {
			return dst, err
		}
		if b[0] != byte(object.Null) {
			entries = append(entries, entry{bytes.Clone(k), b})
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	dst = binary.AppendUvarint(dst, uint64(len(entries)))
	for _, e := range entries {
		dst = append(appendBytes(dst, e.key), e.value...)
	}
	return dst, nil
}

// appendData appends the data of a stream like a string.
func (d *Document) appendData(dst []byte, stored object.Object) ([]byte, error) {
	ref, _ := stored.Ref()
	data, err := d.Reader.Data(ref)
	if err != nil {
		return dst, err
	}
	dst[len(dst)-1] = byte(object.String)
	return d.appendString(dst, data)
}

// appendString appends a string, or the hash of a long one.
func (d *Document) appendString(dst []byte, data io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(data, maxPlain+1))
	if err != nil || len(b) <= maxPlain {
		return appendBytes(dst, b), err
	}
	h := sha256.New()
	h.Write(b)
	n, err := io.CopyBuffer(h, data, d.buffer)
	d.extra += n
	return h.Sum(binary.AppendUvarint(dst, uint64(n)+uint64(len(b)))), err
}
