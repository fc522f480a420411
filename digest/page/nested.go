package page

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/digest"
)

// enters returns the identifier by which the file f counts in the MD5 of the page.
func (p *Page) enters(f File, ref Reference, r Reading) digest.ID {
	if !r.Nested || f.Data == nil {
		return f.ID
	}
	k := entry{nestedFile{ref.URL, f.ID}, r}
	id, ok := p.entered[k]
	if !ok {
		d := &descent{p, r, []string{p.doc.url}, map[nestedFile]digest.ID{}}
		id = d.enters(f, ref)
		p.entered[k] = id
	}
	return id
}

// descent computes the composite identifier of one file of a page, and of the files to which that file refers.
type descent struct {
	p    *Page
	r    Reading
	path []string // URLs from the page to the current file
	done map[nestedFile]digest.ID
}

// enters returns the identifier of f that is part of the composite identifier of the file that refers to f: the
// composite identifier of f, or its MD5 if it has none. f has none if it is neither markup nor a style sheet, cannot be
// read, is inside itself, or is nested too deep, or if the files before it are too many or have too many references.
func (d *descent) enters(f File, ref Reference) digest.ID {
	k := nestedFile{ref.URL, f.ID}
	if id, ok := d.done[k]; ok {
		return id
	}
	if len(d.path) > maxDepth || slices.Contains(d.path, ref.URL) {
		return f.ID
	}
	doc := d.p.document(f, ref)
	if doc == nil {
		return f.ID
	}
	if d.p.followed[d.r] > maxFollowed {
		d.p.capped = true
		return f.ID
	}
	d.p.followed[d.r] += len(doc.refs)
	d.path = append(d.path, ref.URL)
	var files []digest.Auxiliary
	for _, ref := range doc.counting(d.r) {
		found := d.p.lookup(ref.URL)
		if i := slices.IndexFunc(found, func(f File) bool { return !f.Failed }); i >= 0 {
			files = append(files, digest.Auxiliary{Name: ref.URL, ID: d.enters(found[i], ref)})
		} else {
			d.p.lacking[ref.URL] = true
		}
	}
	d.path = d.path[:len(d.path)-1]
	id := doc.source.Page(files, d.r.Encoding)
	d.done[k] = id
	return id
}

// document parses a file and returns its digest and references. It returns nil if the file cannot have references,
// is unreadable, or exceeds a limit.
func (p *Page) document(f File, ref Reference) *document {
	k := nestedFile{ref.URL, f.ID}
	if doc, ok := p.nested[k]; ok {
		return doc
	}
	mediaType := f.MediaType
	if mediaType == "" {
		mediaType = ref.Kind.mediaType()
	}
	if f.Data == nil || grammarOf(mediaType) == opaque {
		return nil
	}
	if len(p.nested) == maxNested || p.weight > maxNestedBytes {
		p.capped = true
		return nil
	}
	var doc *document
	if data, plain, err := f.Read(); err == nil {
		doc = newDocument(data, plain, mediaType, cmp.Or(f.URL, ref.URL))
		p.weight += doc.size
		for _, r := range doc.refs {
			p.weight += int64(len(r.URL))
		}
	}
	p.nested[k] = doc
	return doc
}
