package webcapture

import (
	"iter"

	"github.com/webcap-tools/webcap/nametree/object"
)

// The caps of a walk over the page tree. What lies beyond is not visited.
const (
	maxPageNodes = 1 << 22
	maxPageDepth = 256
)

// ErrPageTree says that a page tree is deeper or larger than any writer makes
// one, or reaches a node above pages twice. It is an *object.Malformed.
var ErrPageTree error = &object.Malformed{Reason: "the page tree reaches a node above pages twice, or is larger than can be read"}

// A Page is one page of the document (ISO 32000-2:2020, 7.7.3.3).
type Page struct {
	Ref       object.Ref    // Num 0 if the page stands in its parent itself
	Index     int           // in page order, from 0
	Again     bool          // the page came before: it stands in Kids a second time, and viewers show it a second time
	Dict      object.Dict   // of the page
	Resources object.Object // as stored with the page, or with the node above that it is inherited from (7.7.3.4); not resolved
}

// Pages yields the pages of the document in page order. It yields an error, and
// goes on if it can, for a node that cannot be read, which counts as one page, and
// ErrPageTree, as the last thing, if the pages make no tree.
func (r *Reader) Pages(db *Database) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		w := pageWalk{reader: r, yield: yield}
		more := w.visit(db.Catalog.Lookup("Pages"), object.Object{}, 0)
		for more && len(w.todo) > 0 {
			n := &w.todo[len(w.todo)-1]
			kid, rest, ok := n.kids.Cut()
			if !ok {
				w.todo = w.todo[:len(w.todo)-1]
				continue
			}
			n.kids = rest
			more = w.visit(kid, n.resources, len(w.todo))
		}
	}
}

// A pageWalk goes over a page tree in page order.
type pageWalk struct {
	reader *Reader
	yield  func(Page, error) bool
	todo   []pageNode // from the root down, those that are being visited
	seen   object.RefSet
	nodes  int // that were visited
	pages  int // that were yielded
}

// A pageNode is a node above pages.
type pageNode struct {
	kids      object.List   // that were not visited yet
	resources object.Object // that they inherit
}

// visit yields a page, or goes down to the nodes below another. It reports whether to
// go on.
func (w *pageWalk) visit(stored, resources object.Object, depth int) bool {
	ref, isRef := stored.Ref()
	again := isRef && !w.seen.Add(ref)
	if w.nodes++; w.nodes > maxPageNodes || depth > maxPageDepth {
		return w.noTree()
	}
	o, err := w.reader.Resolve(stored)
	if err != nil {
		w.pages++
		return w.yield(Page{Ref: ref, Index: w.pages - 1}, err)
	}
	d, ok := o.Dict()
	if !ok {
		return true
	}
	var own, kids object.Object
	for k, v := range d.All() {
		switch string(k) {
		case "Resources":
			own = v
		case "Kids":
			kids = v
		}
	}
	if !own.IsNull() {
		resources = own
	}
	kids, err = w.reader.Resolve(kids)
	if err != nil && !w.yield(Page{Ref: ref}, err) {
		return false
	}
	list, isNode := kids.Array()
	switch {
	case !isNode:
		w.pages++
		return w.yield(Page{ref, w.pages - 1, again, d, resources}, nil)
	case again:
		return w.noTree()
	}
	w.todo = append(w.todo, pageNode{list, resources})
	return true
}

// noTree ends the walk.
func (w *pageWalk) noTree() bool {
	w.yield(Page{}, ErrPageTree)
	return false
}
