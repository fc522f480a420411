package diff

import (
	"crypto/sha256"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// pageTable holds the pages of a file in page order.
type pageTable struct {
	refs     []object.Ref
	contents []object.Ref   // Contents of each page; Num 0 for a direct object
	zooms    []float32      // PZ of each page; shorter if the last pages have none
	indexes  refTable       // page index plus 1, by page
	ids      []nametree.Key // ID of each page; shorter if the last pages have none
	tagged   []nametree.Key // IDs of pages, sorted
	hashes   []pageHash     // see pageHashes
}

// pageHash identifies a page by its stored content and ID. rank is the number of earlier pages with the same content
// and ID.
type pageHash struct {
	hash contentHash
	id   nametree.Key
	rank int
}

// linkTable holds the link annotations of a file that concern Web Capture.
type linkTable struct {
	retained []nametree.Key // URLs in PA, sorted
	named    []nametree.Key // named destinations of links, sorted
	tree     *nametree.Tree // tree Dests; nil if there is none
	old      map[string]bool
}

// finds reports whether a viewer finds a named destination (12.3.2.4).
func (l *linkTable) finds(name nametree.Key) bool {
	if l.old[string(name)] {
		return true
	}
	if l.tree == nil {
		return false
	}
	_, ok := l.tree.Find(name)
	return ok
}

// readPages walks the page tree, and reads the IDs and links of the pages.
func (c *content) readPages() error {
	for pg, err := range c.r.Pages(c.db) {
		at := rule.Place{Object: pg.Ref}
		if err == nil {
			at.Page = pg.Index + 1
			for len(c.pages.refs) < pg.Index { // unreadable pages
				c.pages.refs = append(c.pages.refs, object.Ref{})
				c.pages.contents = append(c.pages.contents, object.Ref{})
			}
			c.pages.refs = append(c.pages.refs, pg.Ref)
			c.pages.contents = append(c.pages.contents, object.Ref{})
			if pg.Ref.Num != 0 && !pg.Again {
				c.pages.indexes.set(pg.Ref, int32(len(c.pages.refs)))
			}
			if !pg.Again {
				err = c.readPage(pg.Dict)
			}
		}
		if err == nil {
			err = c.spend(elementCost)
		} else {
			err = c.couldNotRead(at, err)
		}
		if err != nil {
			return err
		}
	}
	slices.Sort(c.pages.tagged)
	slices.Sort(c.links.retained)
	slices.Sort(c.links.named)
	return c.readDestinations()
}

func (c *content) readPage(d object.Dict) error {
	var id, annots object.Object
	for k, v := range d.All() {
		switch string(k) {
		case "Contents":
			c.pages.contents[len(c.pages.contents)-1], _ = v.Ref()
		case "PZ":
			if err := c.readZoom(v); err != nil {
				return err
			}
		case "ID":
			id = v
		case "Annots":
			annots = v
		}
	}
	s, err := c.r.String(id)
	if err != nil {
		return err
	}
	if s.OK() {
		id := nametree.Key(s.Bytes)
		c.pages.tagged = append(c.pages.tagged, id)
		c.pages.ids = append(c.pages.ids, make([]nametree.Key, len(c.pages.refs)-len(c.pages.ids))...)
		c.pages.ids[len(c.pages.refs)-1] = id
	}
	o, err := c.r.Resolve(annots)
	if err != nil {
		return err
	}
	list, _ := o.Array()
	for e := range list.All() {
		if err := c.spend(elementCost); err != nil {
			return err
		}
		a, err := c.r.Resolve(e)
		if err != nil {
			return err
		}
		d, _ := a.Dict()
		if err := c.readLink(d); err != nil {
			return err
		}
	}
	return nil
}

// readZoom reads PZ of the last read page (table 31).
func (c *content) readZoom(o object.Object) error {
	o, err := c.r.Resolve(o)
	if f, ok := o.Number(); ok {
		c.pages.zooms = append(c.pages.zooms, make([]float32, len(c.pages.refs)-len(c.pages.zooms))...)
		c.pages.zooms[len(c.pages.refs)-1] = float32(f)
	}
	return err
}

// id returns the ID of a page; "" if it has none.
func (t *pageTable) id(page int32) nametree.Key {
	if int(page) > len(t.ids) {
		return ""
	}
	return t.ids[page-1]
}

// zoom returns PZ of a page; 0 if it has none.
func (t *pageTable) zoom(page int32) float32 {
	if int(page) > len(t.zooms) {
		return 0
	}
	return t.zooms[page-1]
}

func (c *content) readLink(d object.Dict) error {
	pa, err := c.lookup(d, "PA")
	if err != nil {
		return err
	}
	action, _ := pa.Dict()
	uri, err := c.r.String(action.Lookup("URI"))
	if err != nil {
		return err
	}
	if uri.OK() {
		c.links.retained = append(c.links.retained, nametree.Key(uri.Bytes))
	}
	dest, err := c.lookup(d, "Dest")
	if err != nil {
		return err
	}
	if dest.IsNull() {
		a, err := c.lookup(d, "A")
		if err != nil {
			return err
		}
		action, _ := a.Dict()
		if s, err := c.lookup(action, "S"); err != nil || !s.IsName("GoTo") {
			return err
		}
		if dest, err = c.lookup(action, "D"); err != nil {
			return err
		}
	}
	name, ok := dest.Name()
	if !ok {
		name, ok = dest.AppendString(nil)
	}
	if ok {
		c.links.named = append(c.links.named, nametree.Key(name))
	}
	return nil
}

// lookup returns the resolved value of an entry.
func (c *content) lookup(d object.Dict, key string) (object.Object, error) {
	return c.r.Resolve(d.Lookup(key))
}

// readDestinations reads the named destinations.
func (c *content) readDestinations() error {
	at := rule.Place{Part: "Dests"}
	if root := c.db.Names.Lookup("Dests"); !root.IsNull() {
		t, err := c.r.Tree(root)
		if err != nil {
			return c.couldNotRead(at, err)
		}
		c.links.tree = t
		for d := range t.Defects() {
			if err := d.Unread(); err != nil {
				c.report.Unread = append(c.report.Unread, rule.Unread{Place: at, Err: err})
			}
		}
	}
	old, err := c.lookup(c.db.Catalog, "Dests")
	if err != nil {
		return c.couldNotRead(at, err)
	}
	c.links.old = map[string]bool{}
	d, _ := old.Dict()
	for name, v := range d.All() {
		if !v.IsNull() {
			c.links.old[string(name)] = true
		}
	}
	return nil
}

// member is an element of O.
type member struct {
	ref     object.Ref // Num 0 for a direct object
	direct  object.Kind
	page    int32 // page number, from 1; 0 if it is not a page
	nonPage int32 // index in nonPages plus 1; 0 for a page or a direct object
}

// nonPage is an object that is not a page: a member of a content set, or an XObject that a page paints.
type nonPage struct {
	kind          object.Kind
	unread        bool
	isImage       bool
	width, height int64
	id            nametree.Key
	data          contentHash // hash of an image that is stored as fetched; otherwise zero
	ref           object.Ref
	form          contentHash // form of the samples, see formOf; set by the first comparison
}

// readMembers reads the members of content sets, each object once, in file order.
func (c *content) readMembers() error {
	var todo []object.Ref
	for i := range c.members {
		m := &c.members[i]
		if m.page = c.pages.indexes.of(m.ref); m.page == 0 && m.ref.Num != 0 {
			todo = append(todo, m.ref)
		}
	}
	c.file.SortByPosition(todo)
	for _, ref := range slices.Compact(todo) {
		if err := c.spend(elementCost); err != nil {
			return err
		}
		o, err := c.readNonPage(ref)
		if err != nil {
			if err := c.couldNotRead(rule.Place{Object: ref}, err); err != nil {
				return err
			}
			o = nonPage{unread: true}
		}
		c.nonPages = append(c.nonPages, o)
		c.seen.set(ref, int32(len(c.nonPages)))
	}
	for i := range c.members {
		c.members[i].nonPage = c.seen.of(c.members[i].ref)
	}
	return nil
}

func (c *content) readNonPage(ref object.Ref) (out nonPage, err error) {
	o, err := c.r.Get(ref)
	if err != nil {
		return out, err
	}
	out.kind, out.ref = o.Kind(), ref
	d, _ := o.Dict()
	subtype, err := c.lookup(d, "Subtype")
	if err != nil {
		return out, err
	}
	out.isImage = o.Kind() == object.Stream && subtype.IsName("Image")
	id, err := c.r.String(d.Lookup("ID"))
	if err != nil {
		return out, err
	}
	out.id = nametree.Key(id.Bytes)
	if !out.isImage {
		return out, nil
	}
	for _, e := range []struct {
		key string
		to  *int64
	}{{"Width", &out.width}, {"Height", &out.height}} {
		v, err := c.lookup(d, e.key)
		if err != nil {
			return out, err
		}
		*e.to, _ = v.Int()
	}
	fetched, err := c.asFetched(d)
	if err != nil || !fetched {
		return out, err
	}
	out.data, err = c.hashOfStream(ref)
	return out, err
}

// asFetched reports whether an image is stored as the fetched file, with the filter of the file format only. Most
// tools do not change such images.
func (c *content) asFetched(d object.Dict) (bool, error) {
	f, err := c.lookup(d, "Filter")
	if list, _ := f.Array(); list.Len() == 1 {
		for e := range list.All() {
			f, err = c.r.Resolve(e)
		}
	}
	return f.IsName("DCTDecode") || f.IsName("JPXDecode"), err
}

// hashOfStream returns the hash of the stored data of a stream.
func (c *content) hashOfStream(ref object.Ref) (contentHash, error) {
	return c.hashOfData(c.r.Stream(ref))
}

func (c *content) hashOfData(data io.Reader, err error) (sum contentHash, _ error) {
	if err != nil {
		return sum, err
	}
	h := sha256.New()
	_, err = io.CopyBuffer(h, data, c.buffer)
	copy(sum[:], h.Sum(nil))
	return sum, err
}

// pageHashes returns the hashes of the pages. They are computed on first use, because only moved pages need them.
func (c *content) pageHashes() ([]pageHash, error) {
	if c.pages.hashes != nil {
		return c.pages.hashes, nil
	}
	rank := map[contentHash]int{}
	hashes := make([]pageHash, len(c.pages.refs))
	for i, ref := range c.pages.refs {
		if ref.Num == 0 { // an unreadable page
			continue
		}
		s, id, err := c.hashOfPage(ref, int32(i+1))
		if err != nil && !object.IsMalformed(err) {
			return nil, c.failed(err)
		}
		hashes[i] = pageHash{s, id, rank[s]}
		rank[s]++
	}
	c.pages.hashes = hashes
	return hashes, nil
}

// hashOfPage returns the hash of a page's ID and stored content, and the ID.
func (c *content) hashOfPage(ref object.Ref, page int32) (contentHash, nametree.Key, error) {
	o, err := c.r.Get(ref)
	if err != nil {
		return contentHash{}, "", err
	}
	d, _ := o.Dict()
	id, err := c.r.String(d.Lookup("ID"))
	if err != nil {
		return contentHash{}, "", err
	}
	key := nametree.Key(id.Bytes)
	stored, err := c.storedContent(page)
	return hashOf(append(appendBytes(nil, []byte(key)), stored[:]...)), key, err
}
