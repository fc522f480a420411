package webcapture

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// Lookup looks up a key in one of the trees, and returns the value of its entry as stored. It reads only the nodes
// on the way, see [nametree.Lookup]. The error is that of the disk, or about the catalog.
func (r *Reader) Lookup(tree TreeName, k nametree.Key) (value object.Object, ok bool, err error) {
	names, err := r.catalogEntry("Names")
	if err != nil {
		return object.Object{}, false, err
	}
	d, _ := names.Dict()
	return nametree.Lookup(r, d.Lookup(tree.String()), k)
}

// catalogEntry returns an entry of the catalog, resolved; null if it is malformed.
func (r *Reader) catalogEntry(key string) (object.Object, error) {
	catalog, err := r.Resolve(r.file.pdf.Trailer().Lookup("Root"))
	if err != nil {
		return object.Object{}, err
	}
	d, _ := catalog.Dict()
	o, err := r.Resolve(d.Lookup(key))
	return o, object.IgnoreMalformed(err)
}

// PageNumber returns the number of a page in page order, from 1; 0 if it is not in the page tree (7.7.3.2). It
// reads the ancestors of the page and the siblings before them, and trusts their counts of pages. If the ancestors
// do not lead to the root, or for many pages, it counts all pages, once.
func (r *Reader) PageNumber(page object.Ref) (int, error) {
	catalog, err := r.Resolve(r.file.pdf.Trailer().Lookup("Root"))
	if err != nil {
		return 0, err
	}
	d, _ := catalog.Dict()
	if r.pages == nil {
		if r.asked++; r.asked <= maxAsked {
			root, _ := d.Lookup("Pages").Ref()
			if n, err := r.numberBelow(root, page); n > 0 || err != nil {
				return n, err
			}
		}
		r.pages = map[object.Ref]int{}
		for p, err := range r.Pages(&Database{Catalog: d}) {
			if err = object.IgnoreMalformed(err); err != nil {
				return 0, err
			}
			if p.Ref.Num != 0 && !p.Again {
				r.pages[p.Ref] = p.Index + 1
			}
		}
	}
	return r.pages[page], nil
}

// maxAsked is the maximum number of pages that are looked up one by one.
const maxAsked = 16

// numberBelow returns the number of a page below the root of the page tree; 0 if its ancestors do not lead to the
// root.
func (r *Reader) numberBelow(root, page object.Ref) (int, error) {
	n := 1
	for range maxPageDepth {
		if page == root {
			return n, nil
		}
		parent, before, err := r.pagesBefore(page)
		if err != nil || parent.Num == 0 {
			return 0, object.IgnoreMalformed(err)
		}
		page, n = parent, n+before
	}
	return 0, nil
}

// pagesBefore returns the parent of a node of the page tree, and the number of pages in the parent before the node.
// Num of the parent is 0 if there is none, or it does not have the node.
func (r *Reader) pagesBefore(node object.Ref) (parent object.Ref, n int, err error) {
	o, err := r.Get(node)
	if err != nil {
		return parent, 0, err
	}
	d, _ := o.Dict()
	up, ok := d.Lookup("Parent").Ref()
	if !ok {
		return parent, 0, nil
	}
	if o, err = r.Get(up); err != nil {
		return parent, 0, err
	}
	d, _ = o.Dict()
	kids, err := r.Resolve(d.Lookup("Kids"))
	if err != nil {
		return parent, 0, err
	}
	list, _ := kids.Array()
	count, _ := d.Lookup("Count").Int()
	arePages := count == int64(list.Len()) // then none of them has to be read
	for kid := range list.All() {
		ref, _ := kid.Ref()
		if ref == node {
			return up, n, nil
		}
		below := 1
		if !arePages {
			if below, err = r.pagesBelow(kid); err != nil {
				return parent, 0, err
			}
		}
		n += below
	}
	return parent, 0, nil
}

// pagesBelow returns the number of pages below a kid of the page tree.
func (r *Reader) pagesBelow(kid object.Object) (int, error) {
	o, err := r.Resolve(kid)
	if object.IsMalformed(err) {
		return 1, nil // as in Pages
	}
	d, ok := o.Dict()
	if err != nil || !ok {
		return 0, err
	}
	if d.Lookup("Kids").IsNull() {
		return 1, nil
	}
	count, err := r.Resolve(d.Lookup("Count"))
	n, _ := count.Int()
	return int(min(max(n, 0), maxPageNodes)), object.IgnoreMalformed(err)
}
