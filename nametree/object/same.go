package object

import "bytes"

// AppendNormal appends o in the notation of [AppendString] and [AppendName], with single blanks. For a stream it
// appends the dictionary.
func (o Object) AppendNormal(dst []byte) []byte {
	if list, ok := o.Array(); ok {
		dst = append(dst, '[')
		for e := range list.All() {
			dst = append(e.AppendNormal(dst), ' ')
		}
		return append(dst, ']')
	}
	if d, ok := o.Dict(); ok {
		dst = append(dst, "<<"...)
		for k, v := range d.All() {
			dst = append(v.AppendNormal(append(AppendName(dst, k), ' ')), ' ')
		}
		return append(dst, ">>"...)
	}
	if n, ok := o.Name(); ok {
		return AppendName(dst, n)
	}
	if o.kind == String {
		s, _ := o.AppendString(nil)
		return AppendString(dst, s)
	}
	return o.Append(dst)
}

// Same reports whether two objects are equal except for notation: literal and hexadecimal strings, escapes in
// names, white space. Numbers are equal if they have the same spelling, dictionaries if their entries are in the
// same order.
func Same(a, b Object) bool {
	if a.kind != b.kind {
		return false
	}
	if a.kind == Reference {
		return a.num == b.num && a.gen == b.gen
	}
	return bytes.Equal(a.AppendNormal(nil), b.AppendNormal(nil))
}
