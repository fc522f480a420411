package webcapture

import (
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// The caps of a walk over the page tree. What lies beyond is not visited.
const (
	maxPageNodes = 1 << 22
	maxPageDepth = 256
)

// ErrPageTree says that a page tree is deeper or larger than any writer makes
// one, or leads back to itself. It is an *object.Malformed.
var ErrPageTree error = &object.Malformed{Reason: "the page tree leads back to itself, or is larger than can be read"}

// A Page is one page of the document (ISO 32000-2:2020, 7.7.3.3).
type Page struct {
	Ref       object.Ref    // Num 0 if the page stands in its parent itself
	Index     int           // in page order, from 0
	Dict      object.Dict   // of the page
	Resources object.Object // as stored with the page, or with the node above that it is inherited from (7.7.3.4); not resolved
}

// Pages yields the pages of the document in page order. It yields an error, and
// goes on if it can, for a node that cannot be read, and ErrPageTree, as the
// last thing, if the pages make no tree.
func (r *Reader) Pages(db *Database) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		w := pageWalk{reader: r, yield: yield, todo: []pageNode{{o: db.Catalog.Lookup("Pages")}}}
		for len(w.todo) > 0 {
			last := len(w.todo) - 1
			n := w.todo[last]
			w.todo = w.todo[:last]
			if !w.visit(n) {
				return
			}
		}
	}
}

// A pageWalk goes over a page tree in page order.
type pageWalk struct {
	reader *Reader
	yield  func(Page, error) bool
	todo   []pageNode // a stack
	seen   object.RefSet
	nodes  int // that were visited
	pages  int // that were yielded
}

// A pageNode is a page, or a node above pages, as its parent refers to it.
type pageNode struct {
	o         object.Object
	resources object.Object // that it inherits
	depth     int
}

// visit yields a page, or puts the nodes below another on the stack. It reports
// whether to go on.
func (w *pageWalk) visit(n pageNode) bool {
	ref, isRef := n.o.Ref()
	if w.nodes++; w.nodes > maxPageNodes || n.depth > maxPageDepth || isRef && !w.seen.Add(ref) {
		w.yield(Page{}, ErrPageTree)
		return false
	}
	o, err := w.reader.Resolve(n.o)
	if err != nil {
		return w.yield(Page{Ref: ref}, err)
	}
	d, ok := o.Dict()
	if !ok {
		return true
	}
	if own := d.Lookup("Resources"); !own.IsNull() {
		n.resources = own
	}
	kids, err := w.reader.Resolve(d.Lookup("Kids"))
	if err != nil && !w.yield(Page{Ref: ref}, err) {
		return false
	}
	list, isNode := kids.Array()
	if !isNode {
		w.pages++
		return w.yield(Page{ref, w.pages - 1, d, n.resources}, nil)
	}
	first := len(w.todo)
	for kid := range list.All() {
		w.todo = append(w.todo, pageNode{kid, n.resources, n.depth + 1})
	}
	slices.Reverse(w.todo[first:])
	return true
}

// An xobject is what Images has to know of an XObject, so that one that many
// pages share is read once.
type xobject struct {
	isImage   bool
	resources object.Object // of a form; null of anything else
}

func (r *Reader) xobject(x object.Object, ref object.Ref) (xobject, error) {
	known, ok := r.xobjects[ref]
	if ok {
		return known, nil
	}
	o, err := r.Resolve(x)
	if err != nil {
		return known, err
	}
	d, _ := o.Dict()
	subtype, err := r.Resolve(d.Lookup("Subtype"))
	if err != nil {
		return known, err
	}
	switch {
	case subtype.IsName("Image"):
		known.isImage = true
	case subtype.IsName("Form"):
		known.resources = d.Lookup("Resources")
	}
	if r.xobjects == nil {
		r.xobjects = make(map[object.Ref]xobject)
	}
	r.xobjects[ref] = known
	return known, nil
}

// Images yields the image XObjects that resources lead to: those of the
// dictionary itself, and of the forms in it, at any depth. Patterns are left
// out, as Acrobat leaves them out when it counts references (14.10.4.3). Each
// image is yielded once, by its reference; one that stands in the dictionary
// itself, which is against the standard, is not.
func (r *Reader) Images(resources object.Object) iter.Seq2[object.Ref, error] {
	return func(yield func(object.Ref, error) bool) {
		seen := map[object.Ref]bool{}
		todo := []object.Object{resources}
		for len(todo) > 0 {
			o, err := r.Resolve(todo[len(todo)-1])
			todo = todo[:len(todo)-1]
			if err != nil && !yield(object.Ref{}, err) {
				return
			}
			d, _ := o.Dict()
			xobjects, err := r.Resolve(d.Lookup("XObject"))
			if err != nil && !yield(object.Ref{}, err) {
				return
			}
			list, _ := xobjects.Dict()
			for _, x := range list.All() {
				ref, ok := x.Ref()
				if !ok || seen[ref] {
					continue
				}
				seen[ref] = true
				xo, err := r.xobject(x, ref)
				switch {
				case err != nil || xo.isImage:
					if !yield(ref, err) {
						return
					}
				case !xo.resources.IsNull():
					todo = append(todo, xo.resources)
				}
			}
		}
	}
}
