package match

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/webcap-tools/webcap/nametree/object"
)

// maxNesting is the maximum nesting of a value with all objects to which it refers. Only settings of commands nest.
const maxNesting = 32

// maxPlain is the maximum size in bytes of a string or of data that a value contains. Of longer ones, it contains the
// hash.
const maxPlain = 4 << 10

var (
	errNesting = &object.Malformed{Reason: "objects nest too deeply to be compared"}
	errSize    = &object.Malformed{Reason: "an object too large to be compared"}
)

// AppendValue appends a value in the notation of PDF, with objects in place of references. Two values have the same
// text if they differ only in object numbers, notation, the order of dictionary entries, or null entries. A stream
// counts as a string with its data (table 393). The error is an *object.Malformed if the value is unreadable or too
// large, or a failure to read the file.
func (d *Document) AppendValue(dst []byte, o object.Object) ([]byte, error) {
	return d.appendValue(dst, o, maxNesting, int64(len(dst))+d.File.Piece())
}

// Sum returns the hash of a text.
func Sum(b []byte) Hash {
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
	case int64(len(dst)) > end:
		return dst, errSize
	}
	switch o.Kind() {
	case object.Null:
		return append(dst, null...), nil
	case object.Integer, object.Real: // 1 and 1.0 are the same number
		if f, ok := o.Number(); ok {
			return strconv.AppendFloat(dst, f+0, 'g', -1, 64), nil // minus zero is zero
		}
	case object.String:
		if d.text, _ = o.AppendString(d.text[:0]); len(d.text) <= maxPlain {
			return object.AppendString(dst, d.text), nil
		}
		return d.appendString(dst, bytes.NewReader(d.text))
	case object.Name:
		b, _ := o.Name()
		return object.AppendName(dst, b), nil
	case object.Array:
		list, _ := o.Array()
		dst = append(dst, '[')
		for e := range list.All() {
			if dst, err = d.appendValue(append(dst, ' '), e, depth-1, end); err != nil {
				return dst, err
			}
		}
		return append(dst, " ]"...), nil
	case object.Dictionary:
		return d.appendDict(dst, o, depth, end)
	case object.Stream:
		ref, _ := stored.Ref()
		data, err := d.Reader.Data(ref)
		if err != nil {
			return dst, err
		}
		return d.appendString(dst, data)
	}
	return append(dst, o.Raw()...), nil
}

const null = "null"

// appendDict appends the entries of a dictionary in the order of their keys, except null entries.
func (d *Document) appendDict(dst []byte, o object.Object, depth int, end int64) ([]byte, error) {
	var entries [][]byte
	dict, _ := o.Dict()
	for k, v := range dict.All() {
		key := append(object.AppendName([]byte{' '}, k), ' ')
		b, err := d.appendValue(key, v, depth-1, d.File.Piece())
		if err != nil {
			return dst, err
		}
		if string(b[len(key):]) != null {
			entries = append(entries, b)
		}
	}
	slices.SortFunc(entries, bytes.Compare)
	return append(append(append(dst, "<<"...), bytes.Join(entries, nil)...), " >>"...), nil
}

// appendString appends a string, or the hash of a long one.
func (d *Document) appendString(dst []byte, data io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(data, maxPlain+1))
	if err != nil || len(b) <= maxPlain {
		return object.AppendString(dst, b), err
	}
	h := sha256.New()
	h.Write(b)
	n, err := io.CopyBuffer(h, data, d.buffer)
	err = cmp.Or(err, d.Reader.Pay(n))
	return fmt.Appendf(dst, "%d bytes with SHA-256 %x", n+int64(len(b)), h.Sum(nil)), err
}
