package webcapture

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// Lookup returns the value, as stored, of the entry with a key in one of the trees. It reads only the nodes on the
// path to the key, see [nametree.Lookup]. The error is an I/O error, or about the catalog.
func (r *Reader) Lookup(tree TreeName, k nametree.Key) (value object.Object, ok bool, err error) {
	names, err := r.catalogEntry("Names")
	if err != nil {
		return object.Object{}, false, err
	}
	d, _ := names.Dict()
	return nametree.Lookup(r, d.Lookup(tree.String()), k)
}

// catalogEntry returns an entry of the catalog, resolved. It returns null if the entry is malformed.
func (r *Reader) catalogEntry(key string) (object.Object, error) {
	catalog, err := r.Resolve(r.file.pdf.Trailer().Lookup("Root"))
	if err != nil {
		return object.Object{}, err
	}
	d, _ := catalog.Dict()
	o, err := r.Resolve(d.Lookup(key))
	return o, object.IgnoreMalformed(err)
}

// PageNumber returns the number of a page in page order, from 1; 0 if the page is not in the page tree (7.7.3.2).
// It reads the ancestors of the page and the siblings before them, and trusts their page counts. If the path of
// ancestors does not end at the root, or after maxAsked calls, it counts all pages once.
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
				if err := r.Keep(pageSize); err != nil {
					return 0, err
				}
			}
		}
	}
	return r.pages[page], nil
}

// pageSize is the memory of an entry of Reader.pages, in bytes.
const pageSize = 48

// maxAsked is the maximum number of pages that are looked up one by one.
const maxAsked = 16

// numberBelow returns the number of a page below the root of the page tree; 0 if the path of ancestors does not end
// at the root.
func (r *Reader) numberBelow(root, page object.Ref) (int, error) {
	n := 1
	for range maxPageDepth {
		parent, before, err := r.pagesBefore(page)
		if err != nil || parent.Num == 0 {
			return 0, object.IgnoreMalformed(err)
		}
		page, n = parent, n+before
		if page == root { // not before the first step: the root itself is not a page
			return n, nil
		}
	}
	return 0, nil
}

// pagesBefore returns the parent of a node of the page tree, and the number of pages in the parent before the node.
// The parent's number is 0 if there is no parent, or if the node is not among the parent's kids.
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
	arePages := count == int64(list.Len()) // then all kids are pages, and none has to be read
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
		return 1, nil // as Pages counts it
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
	return int(min(max(n, 0), object.MaxNumber)), object.IgnoreMalformed(err)
}
