package pdffile

import (
	"encoding/hex"

	"github.com/webcap-tools/webcap/nametree/object"
)

// rebuild appends o as text. leaf appends each object in o that is not an array, a dictionary, or null. Contents of a
// signature stays unchanged: it is never encrypted (7.6.2), and its position matters.
func rebuild(dst []byte, o object.Object, leaf func([]byte, object.Object) ([]byte, error)) ([]byte, error) {
	var err error
	if list, ok := o.Array(); ok {
		dst = append(dst, '[')
		for e := range list.All() {
			if dst, err = rebuild(dst, e, leaf); err != nil {
				return nil, err
			}
			dst = append(dst, ' ')
		}
		return append(dst, ']'), nil
	}
	if d, ok := o.Dict(); ok {
		dst = append(dst, "<<"...)
		for k, v := range d.All() {
			dst = append(object.AppendName(dst, k), ' ')
			if string(k) == "Contents" && isSignature(d) {
				dst = v.Append(dst)
			} else if dst, err = rebuild(dst, v, leaf); err != nil {
				return nil, err
			}
		}
		return append(dst, ">>"...), nil
	}
	if o.IsNull() {
		return append(dst, "null"...), nil
	}
	return leaf(dst, o)
}

// isSignature reports whether a dictionary is a signature (12.8.1, table 255). Type may be missing, so ByteRange
// and Contents decide.
func isSignature(d object.Dict) bool {
	return !d.Lookup("ByteRange").IsNull() && !d.Lookup("Contents").IsNull()
}

// rebuildStrings returns o as text with every string replaced.
func rebuildStrings(o object.Object, replace func(s []byte) ([]byte, error)) ([]byte, error) {
	return rebuild(nil, o, func(dst []byte, leaf object.Object) ([]byte, error) {
		s, ok := leaf.AppendString(nil)
		if !ok {
			return append(dst, leaf.Raw()...), nil
		}
		s, err := replace(s)
		return append(hex.AppendEncode(append(dst, '<'), s), '>'), err
	})
}
