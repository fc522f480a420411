package webcapture

import (
	"cmp"
	"iter"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// Contents holds the content sets to which the entries of both trees refer.
type Contents struct {
	trees []*Tree
	refs  []object.Ref  // values that are references, in file order, without duplicates
	known object.RefSet // set of refs
}

// Contents returns the content sets of a database of f. It does not read them yet.
func (f *File) Contents(db *Database) *Contents {
	c := &Contents{trees: db.Trees()}
	for _, t := range c.trees {
		for _, e := range t.Entries() {
			if ref, _ := e.Value.Ref(); ref.Num != 0 && c.known.Add(ref) { // number 0 is never an object
				c.refs = append(c.refs, ref)
			}
		}
	}
	f.SortByPosition(c.refs)
	return c
}

// A Content is an object to which entries refer (14.10.3.2, 14.10.3.3). It is a content set, an object in place of
// a content set, or an array of these.
type Content struct {
	Ref      object.Ref  // number 0 for a direct object in an entry or array
	Set      *ContentSet // nil for an array; valid only until the next step
	Elements object.List // elements of an array, as stored

	// Value refers to the value of an entry: this object or, for an element, its array.
	Value object.Ref     // number 0 for a direct value of an entry
	Tree  *Tree          // tree of a direct value; nil for an indirect value, which many entries may share
	Entry nametree.Entry // entry of a direct value
	Index int            // index of an element in its array; -1 for the value itself
}

// Kind returns the kind of object, in the terms of the standard.
func (c *Content) Kind() string {
	switch {
	case c.Set == nil:
		return object.Array.String()
	case c.Set.Recognized():
		return c.Set.Subtype.String()
	}
	return c.Set.Object.Kind().String()
}

// All yields the contents, each indirect object once. Indirect values come first, in file order. Direct values
// follow in stored order, URLS first. An array comes before its elements; an element that is also the value of an
// entry is yielded as a value only. All may be called several times.
//
// If a part cannot be read, All yields its place and the error. It continues after an *object.Malformed, and ends
// after any other error.
func (c *Contents) All(r *Reader) iter.Seq2[*Content, error] {
	return func(yield func(*Content, error) bool) {
		v := visit{reader: r, yield: yield, seen: c.known.Clone()}
		for _, ref := range c.refs {
			if !v.value(object.MakeRef(ref), Content{Ref: ref, Value: ref, Index: -1}) {
				return
			}
		}
		for _, t := range c.trees {
			for _, e := range t.Entries() {
				if ref, _ := e.Value.Ref(); ref.Num == 0 && !v.value(e.Value, Content{Tree: t, Entry: e, Index: -1}) {
					return
				}
			}
		}
	}
}

// A visit is one walk over Contents. Its methods report whether to continue.
type visit struct {
	reader *Reader
	yield  func(*Content, error) bool
	seen   object.RefSet // values of entries, and elements already visited
	set    ContentSet
}

// value visits a value: a content set or an array of content sets.
func (v *visit) value(o object.Object, at Content) bool {
	err := v.reader.Read(o, &v.set)
	list, isArray := v.set.Object.Array()
	if err = cmp.Or(err, v.reader.Pay(meter.Object*int64(1+list.Len()))); err != nil {
		return v.yield(&at, err) && object.IsMalformed(err)
	}
	if !isArray {
		at.Set = &v.set
		return v.yield(&at, nil)
	}
	at.Elements = list
	if !v.yield(&at, nil) {
		return false
	}
	i := 0
	for e := range list.All() {
		if !v.element(e, Content{Value: at.Value, Tree: at.Tree, Entry: at.Entry, Index: i}) {
			return false
		}
		i++
	}
	return true
}

// element visits an element of an array. It does not visit the elements of a nested array, because only values may be
// arrays of content sets.
func (v *visit) element(o object.Object, at Content) bool {
	if ref, ok := o.Ref(); ok && ref.Num != 0 {
		if !v.seen.Add(ref) {
			return true
		}
		at.Ref = ref
	}
	if err := v.reader.Read(o, &v.set); err != nil {
		return v.yield(&at, err) && object.IsMalformed(err)
	}
	at.Set = &v.set
	return v.yield(&at, nil)
}
