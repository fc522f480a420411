package webcapture

import (
	"iter"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
)

// ErrPageTree means that a page tree is deeper than object.MaxDepth, or that an inner node is reached twice. It is an
// *object.Malformed.
var ErrPageTree error = &object.Malformed{
	Reason: "an inner node of the page tree is reached twice, or the page tree is too deep"}

// A Page is one page of the document (ISO 32000-2:2020, 7.7.3.3).
type Page struct {
	Ref       object.Ref    // number 0 for a direct page
	Index     int           // index in page order, from 0
	Again     bool          // the page is in Kids a second time, so viewers show it again
	Dict      object.Dict   // of the page
	Resources object.Object // value in the page or in the ancestor from which it is inherited (7.7.3.4), as stored
}

// Pages yields the pages of the document in page order. An unreadable node counts as one page: Pages yields an
// error for it, and continues if possible. If the page tree is not a tree, the last result is ErrPageTree.
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

// A pageWalk visits a page tree in page order.
type pageWalk struct {
	reader *Reader
	yield  func(Page, error) bool
	todo   []pageNode // nodes with unvisited kids, from the root down
	seen   object.RefSet
	pages  int // pages yielded
}

// A pageNode is an inner node of the page tree.
type pageNode struct {
	kids      object.List   // not yet visited
	resources object.Object // inherited by the pages below
}

// visit yields a page, or adds the kids of an inner node. It reports whether to continue.
func (w *pageWalk) visit(stored, resources object.Object, depth int) bool {
	ref, isRef := stored.Ref()
	again := isRef && !w.seen.Add(ref)
	if depth > object.MaxDepth {
		return w.noTree()
	}
	if err := w.reader.Pay(meter.Object); err != nil {
		w.yield(Page{Ref: ref, Index: w.pages}, err)
		return false
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

// noTree yields ErrPageTree, which ends the walk.
func (w *pageWalk) noTree() bool {
	w.yield(Page{}, ErrPageTree)
	return false
}

// PageNumber returns the number of a page in page order, from 1; 0 if the page is not in the page tree (7.7.3.2). The
// first call reads the page tree.
func (r *Reader) PageNumber(page object.Ref) (int, error) {
	if r.pages != nil {
		return r.pages[page], nil
	}
	catalog, err := r.Resolve(r.file.pdf.Trailer().Lookup("Root"))
	if err != nil {
		return 0, err
	}
	d, _ := catalog.Dict()
	pages := map[object.Ref]int{}
	for p, err := range r.Pages(&Database{Catalog: d}) {
		if err = object.IgnoreMalformed(err); err != nil {
			return 0, err
		}
		if p.Ref.Num != 0 && !p.Again {
			pages[p.Ref] = p.Index + 1
			if err := r.Keep(pageSize); err != nil {
				return 0, err
			}
		}
	}
	r.pages = pages
	return pages[page], nil
}

// pageSize is the memory of an entry of Reader.pages, in bytes.
const pageSize = 48
