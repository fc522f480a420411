package match

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// property is a property by which a page of the original matches one of the file.
type property uint8

// The properties, in the order in which pages are matched. Pages that share a property with the other file do not match
// by a later one.
const (
	byContent property = iota // operators with the images that they paint
	byText                    // strings in the content
	byImages                  // the set of images, each of which has a match
	byID
	properties
)

// Pairing maps the pages and images of an original to those of a file. A page has at most one match. An image has all
// images of the file with equal data and size, because tools copy images for each page.
type Pairing struct {
	Unmatched []*Page // pages of the original without a match, in page order
	Whole     bool    // each page of either file has a match

	// Candidates are, for pages in Unmatched, the pages of the file that share a property with them, in page order.
	Candidates map[*Page][]*Page

	original, file *Document
	pages          map[object.Ref]pagePair   // by page of the original
	images         map[object.Ref][]*Image   // by image of the original
	originals      map[object.Ref]object.Ref // pages and images of the original, by match in the file
	decided        map[*Page]bool            // pages of either file that share a property with the other one
}

type pagePair struct {
	page *Page // of the file
	by   property
}

// Pairs matches the images of two files, and then the pages. The Documents must be those of Read.
func Pairs(original, file *Document) *Pairing {
	p := &Pairing{
		Candidates: map[*Page][]*Page{}, original: original, file: file, pages: map[object.Ref]pagePair{},
		images: map[object.Ref][]*Image{}, originals: map[object.Ref]object.Ref{}, decided: map[*Page]bool{},
	}
	p.pairImages(func(im *Image) imageKey { return imageKey{im.ID, im.Data} })
	p.pairImages(func(im *Image) imageKey { return imageKey{data: im.Data} })
	for by := range properties {
		inFile := file.groups(p.undecided(file.Pages), by, p.Original)
		for k, list := range original.groups(p.undecided(original.Pages), by, p.labelInOriginal) {
			if inFile[k] != nil {
				p.pairGroups(by, list, inFile[k])
			}
		}
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

// Empty reports whether no page and no image of the original has a match.
func (p *Pairing) Empty() bool { return len(p.originals) == 0 }

// HasContent reports whether a page or image of the original matches by its content, not only by its ID.
func (p *Pairing) HasContent(original object.Ref) bool {
	pair, ok := p.pages[original]
	return ok && pair.by != byID || len(p.images[original]) > 0
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

// Shown returns the images of the file that pages with a match show, also in patterns and annotations.
func (p *Pairing) Shown() map[object.Ref]bool {
	shown := map[object.Ref]bool{}
	for _, pair := range p.pages {
		t := p.file.traitsOf(pair.page)
		for _, ref := range slices.Concat(t.images, t.others) {
			shown[ref] = true
		}
	}
	return shown
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

// keyOf returns the hash or ID that is a property of a page; empty if the page lacks the property. label returns the
// image of the original for an image of the page.
func (d *Document) keyOf(pg *Page, by property, label func(object.Ref) object.Ref) string {
	var hash Hash
	switch by {
	case byContent:
		hash = pg.Content
	case byText:
		hash = d.traitsOf(pg).text
	case byImages:
		hash = d.hashOfImages(pg, label)
	case byID:
		return pg.ID
	}
	if hash == (Hash{}) {
		return ""
	}
	return string(hash[:])
}

func (d *Document) traitsOf(pg *Page) traits { return d.traits[d.pages.Get(pg.Ref)-1] }

// hashOfImages returns the hash of the set of a page's images; zero if it has none, or one without a match.
func (d *Document) hashOfImages(pg *Page, label func(object.Ref) object.Ref) Hash {
	var refs []object.Ref
	for _, ref := range d.traitsOf(pg).images {
		was := label(ref)
		if was.Num == 0 {
			return Hash{}
		}
		refs = append(refs, was)
	}
	if len(refs) == 0 {
		return Hash{}
	}
	slices.SortFunc(refs, object.Ref.Compare)
	d.sum.Reset()
	for _, ref := range slices.Compact(refs) {
		d.sum.Write(ref.Append(nil))
	}
	return hashOf(d.sum)
}

// undecided returns the pages that share no property with the other file so far.
func (p *Pairing) undecided(pages []*Page) []*Page {
	return slices.DeleteFunc(slices.Clone(pages), func(pg *Page) bool { return p.decided[pg] })
}

// groups returns the pages of a list by a property.
func (d *Document) groups(list []*Page, by property, label func(object.Ref) object.Ref) map[string][]*Page {
	groups := map[string][]*Page{}
	for _, pg := range list {
		if k := d.keyOf(pg, by, label); k != "" {
			groups[k] = append(groups[k], pg)
		}
	}
	return groups
}

// pairGroups matches pages with one property. If the file has more of them, some are copies, and only those in content
// sets count. If it still has more, it is unknown which of them belong to the original. Otherwise, those with one ID
// match.
func (p *Pairing) pairGroups(by property, theirs, own []*Page) {
	candidates := own
	for _, pg := range slices.Concat(theirs, own) {
		p.decided[pg] = true
	}
	if len(own) > len(theirs) {
		own = listed(own)
	}
	if !p.pairAll(by, theirs, own) && len(theirs) >= len(own) {
		inFile := p.file.groups(own, byID, nil)
		for id, list := range p.original.groups(theirs, byID, nil) {
			p.pairAll(by, list, inFile[id])
		}
	}
	isMatched := func(pg *Page) bool { return p.originals[pg.Ref].Num != 0 }
	candidates = slices.DeleteFunc(slices.Clone(candidates), isMatched)
	for _, pg := range theirs {
		if p.pages[pg.Ref].page == nil && len(candidates) > 0 {
			p.Candidates[pg] = candidates
		}
	}
}

// pairAll matches two groups of pages with one property. It reports false if they have different sizes, or if it is
// unknown which page is which. Several pages of the original with the same content and ID belong to one content set, so
// they match in page order.
func (p *Pairing) pairAll(by property, theirs, own []*Page) bool {
	if len(theirs) != len(own) || len(theirs) > 1 && !(by == byContent && haveSameID(theirs)) {
		return false
	}
	for i, pg := range theirs {
		p.pages[pg.Ref] = pagePair{own[i], by}
		p.originals[own[i].Ref] = pg.Ref
	}
	return true
}

func haveSameID(list []*Page) bool {
	return list[0].ID != "" && !slices.ContainsFunc(list, func(pg *Page) bool { return pg.ID != list[0].ID })
}

// listed returns the pages that are in O of a content set.
func listed(pages []*Page) []*Page {
	return slices.DeleteFunc(slices.Clone(pages), func(pg *Page) bool { return !pg.Listed })
}

// labelInOriginal returns the image of the original that Original returns for the matches of an image.
func (p *Pairing) labelInOriginal(ref object.Ref) object.Ref {
	if len(p.images[ref]) == 0 {
		return object.Ref{}
	}
	return p.Original(p.images[ref][0].Ref)
}
