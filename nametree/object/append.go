package object

import (
	"encoding/hex"
	"strconv"
)

// AppendString appends s to dst as a string object. The string is literal if all bytes are printable ASCII (7.3.4.2),
// otherwise hexadecimal (7.3.4.3).
func AppendString(dst, s []byte) []byte {
	for _, c := range s {
		if c < ' ' || c > '~' {
			return append(hex.AppendEncode(append(dst, '<'), s), '>')
		}
	}
	dst = append(dst, '(')
	for _, c := range s {
		if c == '(' || c == ')' || c == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, c)
	}
	return append(dst, ')')
}

// AppendName appends the name n, given without its solidus and escapes, in PDF syntax (7.3.5).
func AppendName(dst, n []byte) []byte {
	dst = append(dst, '/')
	for _, c := range n {
		if c < '!' || c > '~' || c == '#' || !IsRegular(c) {
			dst = hex.AppendEncode(append(dst, '#'), []byte{c})
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

// Append appends the reference in PDF syntax, such as "12 0 R".
func (r Ref) Append(dst []byte) []byte {
	dst = strconv.AppendUint(dst, uint64(r.Num), 10)
	dst = strconv.AppendUint(append(dst, ' '), uint64(r.Gen), 10)
	return append(dst, " R"...)
}

// Append appends the bytes of the object to dst. For a stream, it appends only the dictionary. References and null are
// appended in PDF syntax, even if they have no bytes (see [MakeRef]).
func (o Object) Append(dst []byte) []byte {
	switch {
	case o.kind == Reference:
		return Ref{o.num, o.gen}.Append(dst)
	case o.kind == Null:
		return append(dst, "null"...)
	}
	return append(dst, o.raw...)
}

// AppendWith appends a copy of the dictionary in which the entries of set have new values. A Setting with a nil value
// removes its entry. All entries keep their position, and other entries the spelling of their values; new entries come
// last, in the order of set.
func (d Dict) AppendWith(dst []byte, set ...Setting) []byte {
	dst = append(dst, "<<"...)
	done := make([]bool, len(set))
	for k, v := range d.All() {
		value, replaced := []byte(nil), false
		for i, s := range set {
			if s.Key == string(k) {
				replaced = true
				if !done[i] {
					value, done[i] = s.Value, true
				}
			}
		}
		switch {
		case !replaced:
			dst = v.Append(append(AppendName(dst, k), ' '))
			dst = append(dst, '\n')
		case value != nil:
			dst = append(appendSetting(dst, k, value), '\n')
		}
	}
	for i, s := range set {
		if !done[i] && s.Value != nil {
			dst = append(appendSetting(dst, []byte(s.Key), s.Value), '\n')
		}
	}
	return append(dst, ">>"...)
}

func appendSetting(dst, key, value []byte) []byte {
	return append(append(AppendName(dst, key), ' '), value...)
}

// A Setting is an entry to set with [Dict.AppendWith]. Key has no solidus. Value is the text of the value; nil removes
// the entry.
type Setting struct {
	Key   string
	Value []byte
}
