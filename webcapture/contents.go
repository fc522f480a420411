package webcapture

import (
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// Contents holds the content sets to which the entries of both trees refer.
type Contents struct {
	trees []*Tree
	refs  []object.Ref  // the values that are references, in file order, without duplicates
	known object.RefSet // set of refs
}

// Contents returns the content sets of a database of f. It does not read them yet.
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

// A Content is an object to which entries refer (14.10.3.2, 14.10.3.3): a content set, an object in place of one,
// or an array of them.
type Content struct {
	Ref      object.Ref      // Num 0 for an object directly in an entry or array
	Set      *ContentSet     // nil for an array; the next step overwrites it
	Elements []object.Object // of an array, as stored

	// The value that is this object or, for an element of an array, contains it.
	Value object.Ref     // Num 0 for a direct value of an entry
	Tree  *Tree          // of that entry; nil for an indirect value, which many entries may share
	Entry nametree.Entry // that entry
	Index int            // of an element; -1 for the value itself
}

// Kind returns the kind of object, in the standard's words.
func (c *Content) Kind() string {
	switch {
	case c.Set == nil:
		return object.Array.String()
	case c.Set.Recognized():
		return c.Set.Subtype.String()
	}
	return c.Set.Object.Kind().String()
}

// All yields the contents; indirect objects once: first indirect values in file order, then direct values in stored
// order, URLS first. An array comes before its elements; elements that are also values of entries come with the
// values. All may be called several times.
//
// With an error, All yields the place that could not be read. It continues after an *object.Malformed, and ends
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

// ErrArray means that the array of a value has more elements than the [Budget] of the file allows. It is an
// *object.Malformed.
var ErrArray error = &object.Malformed{Reason: "the array of content sets has more elements than the limit for a " +
	"file of this size"}

// A visit is one walk over Contents. Its methods report whether to continue.
type visit struct {
	reader *Reader
	yield  func(*Content, error) bool
	seen   object.RefSet // values of entries, and visited elements
	set    ContentSet
}

// value visits a value: a content set or an array of content sets.
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

// element visits an element of an array. Nested arrays are not opened: only values may be arrays.
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
