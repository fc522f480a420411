package match

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Property is a property by which a page of the original matches one of the file.
type Property uint8

// The properties, in the order in which pages are matched.
const (
	ByIDAndContent Property = iota // ID, and operators with the images that they paint
	ByContent                      // operators with the images that they paint
	ByText                         // strings in the content
	ByImages                       // the set of images, each of which has a match
	ByID
	properties
)

// Pairing maps the pages and images of an original to those of a file. A page has at most one match. An image has all
// images of the file with equal data and size, because tools copy images for each page.
type Pairing struct {
	Unmatched []*Page // pages of the original without a match, in page order
	Whole     bool    // each page of either file has a match

	original, file *Document
	pages          map[object.Ref]pagePair   // by page of the original
	images         map[object.Ref][]*Image   // by image of the original
	originals      map[object.Ref]object.Ref // pages and images of the original, by match in the file
}

type pagePair struct {
	page *Page // of the file
	by   Property
}

// Pairs matches the images of two files, and then the pages. The Documents must be those of Read.
func Pairs(original, file *Document) *Pairing {
	p := &Pairing{
		original: original, file: file, pages: map[object.Ref]pagePair{}, images: map[object.Ref][]*Image{},
		originals: map[object.Ref]object.Ref{},
	}
	p.pairImages(func(im *Image) imageKey { return imageKey{im.ID, im.Data} })
	p.pairImages(func(im *Image) imageKey { return imageKey{data: im.Data} })
	for by := range properties {
		p.pairPages(by)
	}
	for _, pg := range original.Pages {
		if p.pages[pg.Ref].page == nil {
			p.Unmatched = append(p.Unmatched, pg)
		}
	}
	p.Whole = len(p.Unmatched) == 0 && len(p.pages) == len(file.Pages)
	return p
}

// Page returns the page of the file for a page of the original; nil if it has no match.
func (p *Pairing) Page(original object.Ref) *Page { return p.pages[original].page }

// HasContent reports whether a page or image of the original matches by its content, not only by its ID.
func (p *Pairing) HasContent(original object.Ref) bool {
	pair, ok := p.pages[original]
	return ok && pair.by != ByID || len(p.images[original]) > 0
}

// Images returns the images of the file for an image of the original.
func (p *Pairing) Images(original object.Ref) []*Image { return p.images[original] }

// Found returns the page or the images of the file for a page or image of the original.
func (p *Pairing) Found(original object.Ref) (refs []object.Ref) {
	if pg := p.Page(original); pg != nil {
		return []object.Ref{pg.Ref}
	}
	for _, im := range p.images[original] {
		refs = append(refs, im.Ref)
	}
	return refs
}

// Original returns the page or image of the original for one of the file; its number is 0 if there is none.
func (p *Pairing) Original(file object.Ref) object.Ref { return p.originals[file] }

// imageKey identifies images. An empty ID counts as any.
type imageKey struct {
	id   string
	data Hash
}

// pairImages matches images with equal keys. Several images of the original with equal keys must have the same ID;
// otherwise it is unknown which of them is in the file. With the same ID, they belong to the same content set.
func (p *Pairing) pairImages(key func(*Image) imageKey) {
	theirs, own := map[imageKey][]*Image{}, map[imageKey][]*Image{}
	for _, im := range p.original.Images {
		theirs[key(im)] = append(theirs[key(im)], im)
	}
	for _, im := range p.file.Images {
		if im.Data != (Hash{}) && p.originals[im.Ref].Num == 0 {
			own[key(im)] = append(own[key(im)], im)
		}
	}
	for k, list := range theirs {
		isOther := func(im *Image) bool { return im.ID != list[0].ID || im.ID == "" }
		if len(list) > 1 && slices.ContainsFunc(list, isOther) {
			continue
		}
		for _, im := range own[k] {
			p.originals[im.Ref] = list[0].Ref
		}
		all := slices.Concat(p.images[list[0].Ref], own[k]) // shared, because a file may have many copies
		for _, im := range list {
			p.images[im.Ref] = all
		}
	}
}

// pageKey identifies pages by one property.
type pageKey struct {
	by   Property
	id   string
	hash Hash
}

// keyOf returns the key of a page for a property; false if the page lacks the property. label returns the image of the
// original for an image of the page.
func (d *Document) keyOf(pg *Page, by Property, label func(object.Ref) object.Ref) (k pageKey, ok bool) {
	k.by = by
	switch by {
	case ByIDAndContent:
		k.id, k.hash = pg.ID, d.Content(pg)
		return k, k.id != "" && k.hash != Hash{}
	case ByContent:
		k.hash = d.Content(pg)
	case ByText:
		k.hash = d.traitsOf(pg).text
	case ByImages:
		k.hash, ok = d.hashOfImages(pg, label)
		return k, ok
	case ByID:
		k.id = pg.ID
		return k, k.id != ""
	}
	return k, k.hash != Hash{}
}

func (d *Document) traitsOf(pg *Page) traits { return d.traits[d.pages.Get(pg.Ref)-1] }

// hashOfImages returns the hash of the set of a page's images; false if it has none, or one without a match.
func (d *Document) hashOfImages(pg *Page, label func(object.Ref) object.Ref) (sum Hash, ok bool) {
	var refs []object.Ref
	for _, ref := range d.traitsOf(pg).images {
		was := label(ref)
		if was.Num == 0 {
			return sum, false
		}
		refs = append(refs, was)
	}
	slices.SortFunc(refs, object.Ref.Compare)
	d.sum.Reset()
	for _, ref := range slices.Compact(refs) {
		d.sum.Write(ref.Append(nil))
	}
	return hashOf(d.sum), len(refs) > 0
}

// pairPages matches the pages that have no match yet by a property. Each key must be that of one page in each file.
// Several pages of the original with the same content and ID belong to the same content set, so they match as many
// pages of the file, in page order.
func (p *Pairing) pairPages(by Property) {
	theirs, own := p.unmatched(by)
	for k, list := range theirs {
		is := own[k]
		if len(list) != len(is) || len(list) > 1 && !(by <= ByContent && haveSameID(list)) {
			continue
		}
		for i, pg := range list {
			p.pages[pg.Ref] = pagePair{is[i], by}
			p.originals[is[i].Ref] = pg.Ref
		}
	}
}

// unmatched returns the pages of both files that have no match yet, by their keys for a property.
func (p *Pairing) unmatched(by Property) (theirs, own map[pageKey][]*Page) {
	theirs, own = map[pageKey][]*Page{}, map[pageKey][]*Page{}
	for _, pg := range p.original.Pages {
		if k, ok := p.original.keyOf(pg, by, p.labelInOriginal); ok && p.pages[pg.Ref].page == nil {
			theirs[k] = append(theirs[k], pg)
		}
	}
	for _, pg := range p.file.Pages {
		if k, ok := p.file.keyOf(pg, by, p.Original); ok && p.originals[pg.Ref].Num == 0 {
			own[k] = append(own[k], pg)
		}
	}
	return theirs, own
}

// labelInOriginal returns the image of the original that Original returns for the matches of an image.
func (p *Pairing) labelInOriginal(ref object.Ref) object.Ref {
	if len(p.images[ref]) == 0 {
		return object.Ref{}
	}
	return p.Original(p.images[ref][0].Ref)
}

func haveSameID(list []*Page) bool {
	return list[0].ID != "" && !slices.ContainsFunc(list, func(pg *Page) bool { return pg.ID != list[0].ID })
}

// Candidates returns, for each page of the original without a match, the pages of the file without a match that share a
// property with it, in page order.
func (p *Pairing) Candidates() map[*Page][]*Page {
	list := map[*Page][]*Page{}
	for by := range properties {
		theirs, own := p.unmatched(by)
		for k, pages := range theirs {
			for _, pg := range pages {
				list[pg] = append(list[pg], own[k]...)
			}
		}
	}
	for pg, pages := range list {
		slices.SortFunc(pages, func(a, b *Page) int { return a.Number - b.Number })
		if list[pg] = slices.Compact(pages); len(pages) == 0 {
			delete(list, pg)
		}
	}
	return list
}
