// Package object reads PDF objects (ISO 32000-2:2020, 7.3) as views of bytes.
//
// Most callers have an [Object], [Resolve] it if it may be a reference, and convert it to the expected type:
//
//	o, err := object.Resolve(src, o)           // err: it could not be read
//	d, ok := o.Dict()                          // ok: it is a dictionary
//	id, ok := d.Lookup("ID").AppendString(nil) // ok: ID is a string
//
// An Object is a small value: a kind and its bytes. Values are copied and decoded on demand, so an unused object
// costs one scan over its bytes. [Parse] accepts only well-formed bytes. So accessors cannot fail; they only report
// whether the object has the requested kind.
//
// A view keeps the underlying bytes in memory, which may contain many objects. [Object.Clone] copies only the bytes of
// one object.
//
// A [Source] reads indirect objects, and a [Sink] writes changed ones. Both are usually a file, and in tests the store
// of package objecttest.
package object

import (
	"bytes"
	"cmp"
	"iter"
	"strconv"
)

// A Kind is the type of an object (ISO 32000-2:2020, 7.3.1).
type Kind uint8

// The kinds of objects. The zero Object is the null object.
const (
	Null Kind = iota
	Boolean
	Integer
	Real
	String
	Name
	Array
	Dictionary
	Stream
	Reference
)

var kindNames = [...]string{"null", "boolean", "integer", "real", "string", "name", "array", "dictionary", "stream",
	"reference"}

// String returns the standard's name of the kind, in lower case.
func (k Kind) String() string { return kindNames[k] }

// A Ref is the number and generation of an indirect object (ISO 32000-2:2020, 7.3.10).
type Ref struct {
	Num uint32 `json:"num"`
	Gen uint16 `json:"gen"`
}

// IsZero reports whether the number is 0, so there is no object.
func (r Ref) IsZero() bool { return r.Num == 0 }

// String returns the reference in PDF syntax, such as "12 0 R".
func (r Ref) String() string { return string(r.Append(nil)) }

// Compare orders references by number, then by generation.
func (r Ref) Compare(s Ref) int { return cmp.Or(cmp.Compare(r.Num, s.Num), cmp.Compare(r.Gen, s.Gen)) }

// An Object is a view of one PDF object. The zero value is null.
type Object struct {
	raw  []byte // the object's bytes, from the first to the last of its tokens
	num  uint32 // object number of a reference
	gen  uint16 // generation of a reference
	kind Kind
}

// MakeRef returns a reference to r. It has no bytes: Raw returns nil.
func MakeRef(r Ref) Object { return Object{kind: Reference, num: r.Num, gen: r.Gen} }

// Kind returns the object's kind.
func (o Object) Kind() Kind { return o.kind }

// IsNull reports whether o is the null object, which also stands for an absent dictionary entry (ISO 32000-2:2020,
// 7.3.7).
func (o Object) IsNull() bool { return o.kind == Null }

// Raw returns the bytes of o; for a stream, only the dictionary. The caller must not change them.
func (o Object) Raw() []byte { return o.raw }

// Clone returns o with a copy of its bytes, for callers that keep o longer than its source.
func (o Object) Clone() Object {
	o.raw = bytes.Clone(o.raw)
	return o
}

// Over returns o as a view of raw, which must be a copy of the bytes of o.
func (o Object) Over(raw []byte) Object {
	o.raw = raw
	return o
}

// Ref returns the target of a reference; false if o is not a reference.
func (o Object) Ref() (Ref, bool) { return Ref{o.num, o.gen}, o.kind == Reference }

// Bool returns the value of a boolean; ok is false if o is not a boolean.
func (o Object) Bool() (value, ok bool) {
	return o.kind == Boolean && o.raw[0] == 't', o.kind == Boolean
}

// Int returns the value of an integer; false if o is not an integer or exceeds an int64.
func (o Object) Int() (int64, bool) {
	if o.kind != Integer {
		return 0, false
	}
	n, err := strconv.ParseInt(string(o.raw), 10, 64)
	return n, err == nil
}

// Number returns the value of an integer or real. It returns false if o is neither, or if its spelling is not a number
// (7.3.3), such as "1.2.3".
func (o Object) Number() (float64, bool) {
	if o.kind != Integer && o.kind != Real {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(o.raw), 64)
	return f, err == nil
}

// Name returns a name without its solidus, with number-sign escapes decoded (7.3.5). If there are no escapes, the
// result is a view. For the empty name, the result is not nil. If o is not a name, Name returns nil, false.
func (o Object) Name() ([]byte, bool) {
	if o.kind != Name {
		return nil, false
	}
	return decodeName(o.raw[1:]), true
}

// IsName reports whether o is the name s.
func (o Object) IsName(s string) bool {
	n, ok := o.Name()
	return ok && string(n) == s
}

// Dict returns a dictionary, or the dictionary of a stream. It returns false if o is neither a dictionary nor a stream.
func (o Object) Dict() (Dict, bool) {
	if o.kind != Dictionary && o.kind != Stream {
		return Dict{}, false
	}
	return Dict{o.raw}, true
}

// Array returns the elements of an array; false if o is not an array.
func (o Object) Array() (List, bool) {
	if o.kind != Array {
		return List{}, false
	}
	return List{o.raw}, true
}

// AppendString appends the decoded bytes of a literal (7.3.4.2) or hexadecimal (7.3.4.3) string to dst. It returns
// dst, false if o is not a string.
func (o Object) AppendString(dst []byte) ([]byte, bool) {
	if o.kind != String {
		return dst, false
	}
	if o.raw[0] == '<' {
		return appendHex(dst, o.raw[1:len(o.raw)-1]), true
	}
	return appendLiteral(dst, o.raw[1:len(o.raw)-1]), true
}

// String returns the object in PDF syntax, as by [Object.Append].
func (o Object) String() string { return string(o.Append(nil)) }

// A Dict is a view of a dictionary. The zero value is the empty dictionary.
type Dict struct{ raw []byte }

// String returns the bytes of the dictionary.
func (d Dict) String() string {
	if d.raw == nil {
		return "<<>>"
	}
	return string(d.raw)
}

// All yields the entries in stored order. The key is decoded and has no solidus; its slice is valid only until the next
// step. A repeated key is yielded each time.
func (d Dict) All() iter.Seq2[[]byte, Object] {
	return func(yield func([]byte, Object) bool) {
		if d.raw == nil {
			return
		}
		p := skipSpace(d.raw, 2)
		for d.raw[p] == '/' {
			end := skipRegular(d.raw, p+1)
			key := decodeName(d.raw[p+1 : end])
			var v Object
			v, p = view(d.raw, skipSpace(d.raw, end))
			if !yield(key, v) {
				return
			}
			p = skipSpace(d.raw, p)
		}
	}
}

// Lookup returns the value of key, or null if there is none. The standard forbids repeated keys. For a repeated key,
// Lookup returns the last value, as most readers do.
func (d Dict) Lookup(key string) Object {
	var found Object
	if !bytes.Contains(d.raw, []byte(key)) && bytes.IndexByte(d.raw, '#') < 0 {
		return found // most keys that callers look up are missing
	}
	for k, v := range d.All() {
		if string(k) == key {
			found = v
		}
	}
	return found
}

// Len returns the number of entries.
func (d Dict) Len() int {
	n := 0
	for range d.All() {
		n++
	}
	return n
}

// Raw returns the bytes of the dictionary, from "<<" to ">>"; nil for the zero Dict.
func (d Dict) Raw() []byte { return d.raw }

// Clone returns d with a copy of its bytes.
func (d Dict) Clone() Dict {
	d.raw = bytes.Clone(d.raw)
	return d
}

// A List is a view of an array. The zero value is the empty array.
type List struct{ raw []byte }

// All yields the elements in order.
func (l List) All() iter.Seq[Object] {
	return func(yield func(Object) bool) {
		if l.raw == nil {
			return
		}
		for p := skipSpace(l.raw, 1); l.raw[p] != ']'; p = skipSpace(l.raw, p) {
			var v Object
			v, p = view(l.raw, p)
			if !yield(v) {
				return
			}
		}
	}
}

// Cut returns the first element and the list of the other elements; ok is false if l is empty. It is for walks that
// should not keep all elements at once.
func (l List) Cut() (first Object, rest List, ok bool) {
	if l.raw == nil {
		return first, rest, false
	}
	p := skipSpace(l.raw, 1)
	if l.raw[p] == ']' {
		return first, rest, false
	}
	first, p = view(l.raw, p)
	return first, List{l.raw[p-1:]}, true // All skips the byte before the elements
}

// Len returns the number of elements.
func (l List) Len() int {
	n := 0
	for range l.All() {
		n++
	}
	return n
}
