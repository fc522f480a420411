package webcapture

import (
	"iter"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A Name is the name of a destination or a form field, which Web Capture may have made unique (14.10.3.4).
type Name struct {
	Kind NameKind
	Name string     // for a field, the partial name T
	Full string     // for a field, the fully qualified name: joined with the names of its ancestors (12.7.4.2)
	Ref  object.Ref // field; number 0 for other names
}

// A NameKind is the kind of named object.
type NameKind uint8

// The kinds of names.
const (
	TreeDestination NameKind = iota // entry of the name tree Dests (12.3.2.4)
	OldDestination                  // entry of the catalog's dictionary Dests, from PDF 1.1
	FormField                       // field of the interactive form (12.7.4)
)

// String returns the kind in words.
func (k NameKind) String() string {
	return [...]string{"destination", "destination of PDF 1.1", "form field"}[k]
}

// The limits of a walk over form fields. Further fields are not visited.
const (
	maxFieldDepth = 64
	maxFieldBytes = 128 << 20 // bytes of the objects of fields, and of full names
)

var errFields = &object.Malformed{
	Reason: "the form fields are nested too deeply, or are too large; webcap skipped the others"}

// Names yields the names of the document. Destinations of the tree come first, in stored order; then those of PDF
// 1.1; then form fields, parents before kids. For an unreadable object, Names yields an error with Kind and Ref of
// the Name, and continues if possible.
func (f *File) Names(db *Database) iter.Seq2[Name, error] {
	return func(yield func(Name, error) bool) {
		r := f.NewReader()
		_ = f.yieldTree(r, db, yield) && r.yieldDests(db, yield) && r.yieldFields(db, yield)
	}
}

// yieldTree yields destinations of the name tree. Like the next two functions, it reports whether to continue.
func (f *File) yieldTree(r *Reader, db *Database, yield func(Name, error) bool) bool {
	root := db.Names.Lookup("Dests")
	if root.IsNull() {
		return true
	}
	t, err := r.Tree(root)
	if err != nil {
		return yield(Name{}, err)
	}
	for _, e := range t.Entries() {
		if !yield(Name{Kind: TreeDestination, Name: string(e.Key)}, nil) {
			return false
		}
	}
	for d := range t.Defects() {
		if err := d.Unread(); err != nil && !yield(Name{}, err) {
			return false
		}
	}
	return true
}

func (r *Reader) yieldDests(db *Database, yield func(Name, error) bool) bool {
	o, err := r.Resolve(db.Catalog.Lookup("Dests"))
	if err != nil {
		return yield(Name{Kind: OldDestination}, err)
	}
	d, _ := o.Dict()
	for name := range d.All() {
		if !yield(Name{Kind: OldDestination, Name: string(name)}, nil) {
			return false
		}
	}
	return true
}

func (r *Reader) yieldFields(db *Database, yield func(Name, error) bool) bool {
	form, err := r.Resolve(db.Catalog.Lookup("AcroForm"))
	if err != nil {
		return yield(Name{Kind: FormField}, err)
	}
	w := fieldWalk{reader: r, yield: yield, end: r.read + maxFieldBytes}
	d, _ := form.Dict()
	more := w.push(d.Lookup("Fields"), "")
	for more && len(w.todo) > 0 {
		n := &w.todo[len(w.todo)-1]
		field, rest, ok := n.fields.Cut()
		if !ok {
			w.todo = w.todo[:len(w.todo)-1]
			continue
		}
		n.fields = rest
		more = w.visit(field, n.above, len(w.todo)-1)
	}
	return more
}

// A fieldWalk visits form fields, parents first. Its methods report whether to continue.
type fieldWalk struct {
	reader *Reader
	yield  func(Name, error) bool
	end    int64       // limit of the bytes that reader reads
	todo   []fieldNode // nodes with unvisited fields, from the form down
	seen   object.RefSet
}

// A fieldNode is the form itself, or a field with child fields.
type fieldNode struct {
	fields object.List // not yet visited
	above  string      // full name of this field
}

// push adds an array of fields, to be visited.
func (w *fieldWalk) push(list object.Object, above string) bool {
	list, err := w.reader.Resolve(list)
	if err != nil {
		return w.yield(Name{Kind: FormField}, err)
	}
	if fields, ok := list.Array(); ok {
		w.todo = append(w.todo, fieldNode{fields, above})
	}
	return true
}

// visit yields the name of a field, and adds its child fields.
func (w *fieldWalk) visit(stored object.Object, above string, depth int) bool {
	ref, ok := stored.Ref()
	if w.reader.read += perObject; w.reader.read <= w.end && (!ok || w.seen.Has(ref)) {
		return true // not a field, because fields are indirect objects, or visited before
	}
	if depth > maxFieldDepth || w.reader.read > w.end {
		w.todo = nil
		return w.yield(Name{Kind: FormField, Ref: ref}, errFields)
	}
	w.seen.Add(ref)
	o, err := w.reader.Resolve(stored)
	if err != nil {
		return w.yield(Name{Kind: FormField, Ref: ref}, err)
	}
	field, ok := o.Dict()
	if !ok {
		return true
	}
	t, err := w.reader.String(field.Lookup("T"))
	if err != nil && !w.yield(Name{Kind: FormField, Ref: ref}, err) {
		return false
	}
	full := above
	if t.OK() { // a child without a name is only a widget of its parent
		full = fullName(above, t.Bytes)
		w.reader.read += int64(len(full))
		if !w.yield(Name{FormField, string(t.Bytes), full, ref}, nil) {
			return false
		}
	}
	return w.push(field.Lookup("Kids"), full)
}

func fullName(above string, own []byte) string {
	if above == "" {
		return string(own)
	}
	return above + "." + string(own)
}
