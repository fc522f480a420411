package object

import "bytes"

// AppendNormal appends o to dst in a normal notation: strings as by [AppendString], names as by [AppendName], and
// single blanks. For a stream, it appends only the dictionary.
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

// Same reports whether two objects are equal, ignoring notation: literal or hexadecimal strings, escapes in names, and
// white space. Numbers must have the same spelling, and dictionaries the same order of entries.
func Same(a, b Object) bool {
	if a.kind != b.kind {
		return false
	}
	if a.kind == Reference {
		return a.num == b.num && a.gen == b.gen
	}
	return bytes.Equal(a.AppendNormal(nil), b.AppendNormal(nil))
}
