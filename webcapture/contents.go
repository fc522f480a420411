package webcapture

import (
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// Contents is what the entries of both trees lead to.
type Contents struct {
	trees []*Tree
	refs  []object.Ref  // the values that are references, in the order of the file, each once
	known object.RefSet // of refs
}

// Contents returns what the entries of a database of f lead to. Nothing of it has
// been read yet.
func (f *File) Contents(db *Database) *Contents {
	c := &Contents{trees: db.Trees()}
	for _, t := range c.trees {
		for _, e := range t.Entries() {
			if ref, _ := e.Value.Ref(); ref.Num != 0 && c.known.Add(ref) { // no object has the number 0
				c.refs = append(c.refs, ref)
			}
		}
	}
	f.SortByPosition(c.refs)
	return c
}

// A Content is one thing that entries lead to (14.10.3.2, 14.10.3.3): a content set,
// what stands in the place of one, or an array of them.
type Content struct {
	Ref      object.Ref      // Num 0 for what stands in an entry or an array itself
	Set      *ContentSet     // as it was read; nil for an array; the next step overwrites it
	Elements []object.Object // of an array, as stored

	// Of the value that it is or, for an element of an array, that leads to it.
	Value object.Ref     // Num 0 for a value that stands in an entry itself
	Tree  *Tree          // of that entry; nil for a value with a number, which many entries may have
	Entry nametree.Entry // that entry
	Index int            // of an element; -1 for the value itself
}

// Kind returns what the object is, in the standard's words.
func (c *Content) Kind() string {
	switch {
	case c.Set == nil:
		return object.Array.String()
	case c.Set.Recognized():
		return c.Set.Subtype.String()
	}
	return c.Set.Object.Kind().String()
}

// All yields the contents, each object with a number once: the values in the order
// of the file, then those that stand in entries, in stored order, URLS first; each array before those of its
// elements that are not values of entries themselves. It may be called again.
//
// With an error comes the place of what could not be read. All goes on after an
// *object.Malformed, and ends with any other error.
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

// ErrArray says that the array in a value has more elements than the [Budget] of the file
// allows. It is an *object.Malformed.
var ErrArray error = &object.Malformed{Reason: "the array of content sets has more elements than are read of a file of this size"}

// A visit is one walk over Contents. Its methods report whether to go on.
type visit struct {
	reader *Reader
	yield  func(*Content, error) bool
	seen   object.RefSet // values of entries, and elements that were visited
	set    ContentSet
}

// value visits a value: a content set, or an array of them.
func (v *visit) value(o object.Object, at Content) bool {
	if err := v.reader.Read(o, &v.set); err != nil {
		return v.yield(&at, err) && object.IsMalformed(err)
	}
	list, isArray := v.set.Object.Array()
	if !isArray {
		at.Set = &v.set
		return v.yield(&at, nil)
	}
	if list.Len() > v.reader.file.Budget().Records {
		return v.yield(&at, ErrArray)
	}
	at.Elements = slices.Collect(list.All())
	if !v.yield(&at, nil) {
		return false
	}
	for i, e := range at.Elements {
		if !v.element(e, Content{Value: at.Value, Tree: at.Tree, Entry: at.Entry, Index: i}) {
			return false
		}
	}
	return true
}

// element visits an element of an array. An array there is not opened: only values
// may be arrays.
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
