package rewrite

import (
	"bytes"
	"crypto/sha256"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// What pages and images of two files have in common, when tools have given their objects
// other numbers, and other dictionaries.

// A hash stands for content; that of none is zero.
type hash [16]byte

// A likeness is a page, or an image that pages show or sets list, by what it is known again.
type likeness struct {
	ref    object.Ref
	dict   object.Dict
	number int    // of a page, from 1
	id     string // that it carries
	stored hash   // of an image, as it is stored
	shown  hash   // decoded: the content of a page, with each run of white space as one; the pixels of an image
	text   []byte // of a page: the strings in its content
	images []object.Ref
	size   [2]int64 // of an image
}

// likenesses are those of a file, in page order.
type likenesses struct{ pages, images []*likeness }

// likenessesOf reads the pages and images of a file. What cannot be read has no likeness.
func likenessesOf(f *webcapture.File, db *webcapture.Database) (*likenesses, error) {
	r := f.NewReader()
	l := &likenesses{}
	seen := map[object.Ref]bool{}
	image := func(ref object.Ref) error {
		if seen[ref] {
			return nil
		}
		seen[ref] = true
		o, err := r.Get(ref)
		d, _ := o.Dict()
		if err != nil || o.Kind() != object.Stream || !d.Lookup("Subtype").IsName("Image") {
			return object.IgnoreMalformed(err)
		}
		im := &likeness{ref: ref, dict: d.Clone(), id: idIn(r, d)}
		im.size[0], _ = d.Lookup("Width").Int()
		im.size[1], _ = d.Lookup("Height").Int()
		if im.stored, err = hashOf(r.Stream(ref)); err != nil {
			return err
		}
		im.shown, err = hashOf(r.Data(ref))
		l.images = append(l.images, im)
		return err
	}
	for pg, err := range r.Pages(db) {
		if err != nil || pg.Again || pg.Ref.Num == 0 {
			if object.IgnoreMalformed(err) != nil {
				return nil, err
			}
			continue
		}
		page := &likeness{ref: pg.Ref, dict: pg.Dict.Clone(), number: pg.Index + 1, id: idIn(r, pg.Dict)}
		if page.shown, page.text, err = contentOf(r, pg.Dict); err != nil {
			return nil, err
		}
		for ref, err := range r.Images(pg.Resources) {
			if object.IgnoreMalformed(err) != nil {
				return nil, err
			}
			page.images = append(page.images, ref)
		}
		l.pages = append(l.pages, page)
		patterns := r.PatternImages(pg.Resources)
		for ref, err := range patterns {
			if err == nil {
				err = image(ref)
			}
			if object.IgnoreMalformed(err) != nil {
				return nil, err
			}
		}
		for _, resources := range append(appearances(r, pg.Dict), pg.Resources) {
			for ref, err := range r.Images(resources) {
				if err == nil {
					err = image(ref)
				}
				if object.IgnoreMalformed(err) != nil {
					return nil, err
				}
			}
		}
	}
	for c, err := range f.Contents(db).All(r) {
		if err != nil || c.Set == nil || c.Set.Subtype != webcapture.ImageSet {
			if object.IgnoreMalformed(err) != nil {
				return nil, err
			}
			continue
		}
		for _, m := range slices.Collect(c.Set.Members()) {
			if ref, ok := m.Ref(); ok {
				if err := image(ref); err != nil {
					return nil, err
				}
			}
		}
	}
	return l, nil
}

// appearances returns the resources of the appearances of a page's annotations (12.5.5):
// buttons of forms show images. What cannot be read has none.
func appearances(r *webcapture.Reader, page object.Dict) (list []object.Object) {
	annots, _ := annotationsOf(r, page)
	for _, a := range annots {
		d, _ := resolvedDict(r, a)
		ap, _ := resolvedDict(r, d.Lookup("AP"))
		normal, _ := r.Resolve(ap.Lookup("N"))
		streams := []object.Object{normal}
		if states, ok := normal.Dict(); ok && normal.Kind() == object.Dictionary {
			streams = nil
			for _, state := range states.All() {
				streams = append(streams, state)
			}
		}
		for _, s := range streams {
			form, _ := resolvedDict(r, s)
			list = append(list, form.Lookup("Resources"))
		}
	}
	return list
}

// idIn returns the ID in the dictionary of a page or image.
func idIn(r *webcapture.Reader, d object.Dict) string {
	s, _ := r.String(d.Lookup("ID")) // what cannot be read is none
	return string(s.Bytes)
}

// hashOf returns the hash of a stream; none if it cannot be read or decoded.
func hashOf(data io.Reader, err error) (sum hash, _ error) {
	if err != nil {
		return sum, object.IgnoreMalformed(err)
	}
	h := sha256.New()
	if n, err := io.Copy(h, data); err != nil || n == 0 {
		return sum, object.IgnoreMalformed(err)
	}
	copy(sum[:], h.Sum(nil))
	return sum, nil
}

// contentOf returns the hash of the content of a page, and the strings in it.
func contentOf(r *webcapture.Reader, page object.Dict) (sum hash, shown []byte, err error) {
	stored := page.Lookup("Contents")
	contents, err := r.Resolve(stored)
	if err != nil {
		return sum, nil, object.IgnoreMalformed(err)
	}
	parts := []object.Object{stored}
	if list, ok := contents.Array(); ok {
		parts = slices.Collect(list.All())
	}
	var text []byte
	for _, part := range parts {
		ref, _ := part.Ref()
		data, err := r.Data(ref)
		if err != nil {
			return hash{}, nil, object.IgnoreMalformed(err)
		}
		piece, err := io.ReadAll(io.LimitReader(data, maxContent))
		if err != nil {
			return hash{}, nil, object.IgnoreMalformed(err)
		}
		text = append(append(text, piece...), '\n')
	}
	if words := bytes.Fields(text); len(words) > 0 {
		whole := sha256.Sum256(bytes.Join(words, []byte{' '}))
		copy(sum[:], whole[:])
	}
	return sum, stringsIn(text), nil
}

// stringsIn returns the strings of a content stream (7.8.2), one after the other: tools that
// write content anew mostly keep what is shown.
func stringsIn(content []byte) (out []byte) {
	for i := 0; i < len(content); i++ {
		switch c := content[i]; {
		case c == '%':
			for i < len(content) && content[i] != '\n' && content[i] != '\r' {
				i++
			}
		case c == '(' || c == '<':
			o, end, err := object.Parse(content, i)
			if err != nil {
				continue
			}
			out, _ = o.AppendString(out)
			i = end - 1
		}
	}
	return out
}

// A key is what a likeness is known by, at one of the levels that matched tries.
type likenessKey struct {
	id     string
	stored hash
	shown  hash
}

// matched returns which of b each of a is. It tries ID and content together, content, ID,
// and the text of pages; those that have one of these in common have to be as many in
// both, and go in their order then.
func matched(a, b []*likeness) map[*likeness]*likeness {
	found, taken := map[*likeness]*likeness{}, map[*likeness]bool{}
	for _, level := range []func(*likeness) likenessKey{
		func(l *likeness) likenessKey {
			return whole(likenessKey{l.id, l.stored, l.shown}, l.id != "" && l.shown != hash{})
		},
		func(l *likeness) likenessKey { return whole(likenessKey{"", l.stored, l.shown}, l.shown != hash{}) },
		func(l *likeness) likenessKey { return likenessKey{"", l.stored, hash{}} },
		func(l *likeness) likenessKey { return likenessKey{"", hash{}, l.shown} },
		func(l *likeness) likenessKey { return likenessKey{l.id, hash{}, hash{}} },
		func(l *likeness) likenessKey { return whole(likenessKey{id: string(l.text)}, len(l.text) >= leastText) },
	} {
		of := func(list []*likeness, left func(*likeness) bool) (keys []likenessKey, groups map[likenessKey][]*likeness) {
			groups = map[likenessKey][]*likeness{}
			for _, l := range list {
				k := level(l)
				if k == (likenessKey{}) || !left(l) {
					continue
				}
				if groups[k] == nil {
					keys = append(keys, k)
				}
				groups[k] = append(groups[k], l)
			}
			return keys, groups
		}
		keys, groupsA := of(a, func(l *likeness) bool { return found[l] == nil })
		_, groupsB := of(b, func(l *likeness) bool { return !taken[l] })
		for _, k := range keys {
			if len(groupsA[k]) != len(groupsB[k]) {
				continue
			}
			for i, l := range groupsA[k] {
				found[l] = groupsB[k][i]
				taken[groupsB[k][i]] = true
			}
		}
	}
	return found
}

// resembles reports whether two pages have something in common by which they may be known.
func (l *likeness) resembles(m *likeness) bool {
	return l.id != "" && l.id == m.id || l.shown != hash{} && l.shown == m.shown || len(l.text) >= leastText && bytes.Equal(l.text, m.text)
}

// sameImages reports whether images are those of the other list, in any order.
func sameImages(a, b []object.Ref, is map[object.Ref]object.Ref) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(ref object.Ref) bool { return !slices.Contains(b, is[ref]) })
}

// leastText is how much text tells a page.
const leastText = 4

// matchedPages is matched for pages. Those that are left over may have got more text, of
// annotations that became content; show the same images; or stand between others in
// the same order.
func matchedPages(a, b []*likeness, images map[*likeness]*likeness) map[*likeness]*likeness {
	found := matched(a, b)
	taken := map[*likeness]bool{}
	for _, l := range found {
		taken[l] = true
	}
	is := map[object.Ref]object.Ref{}
	for l, m := range images {
		is[l.ref] = m.ref
	}
	for _, same := range []func(l, m *likeness) bool{
		func(l, m *likeness) bool { return len(l.text) >= leastText && bytes.HasPrefix(m.text, l.text) },
		func(l, m *likeness) bool {
			return len(l.images) > 0 && sameImages(l.images, m.images, is)
		},
		func(l, m *likeness) bool { return len(found) > 0 && len(a) == len(b) && l.number == m.number },
	} {
		for _, l := range a {
			if m := onlyOne(b, func(m *likeness) bool { return !taken[m] && same(l, m) }); found[l] == nil && m != nil &&
				onlyOne(a, func(k *likeness) bool { return found[k] == nil && same(k, m) }) == l {
				found[l], taken[m] = m, true
			}
		}
	}
	return found
}

// matchedImages adds to images those of pages that were found again which are the only
// ones of their size there.
func matchedImages(a, b *likenesses, pages, images map[*likeness]*likeness) {
	taken := map[*likeness]bool{}
	for _, m := range images {
		taken[m] = true
	}
	of := func(l *likenesses) map[object.Ref]*likeness {
		byRef := map[object.Ref]*likeness{}
		for _, im := range l.images {
			byRef[im.ref] = im
		}
		return byRef
	}
	inA, inB := of(a), of(b)
	for _, page := range a.pages {
		is := pages[page]
		if is == nil {
			continue
		}
		left := func(refs []object.Ref, by map[object.Ref]*likeness, gone func(*likeness) bool) (list []*likeness) {
			for _, ref := range refs {
				if im := by[ref]; im != nil && !gone(im) {
					list = append(list, im)
				}
			}
			return list
		}
		listA := left(page.images, inA, func(l *likeness) bool { return images[l] != nil })
		listB := left(is.images, inB, func(l *likeness) bool { return taken[l] })
		for _, l := range listA {
			same := func(m *likeness) bool { return m.size == l.size }
			if m := onlyOne(listB, same); m != nil && onlyOne(listA, same) == l {
				images[l], taken[m] = m, true
			}
		}
	}
}

// onlyOne returns the element of a list for which is returns true; nil if there is not
// exactly one.
func onlyOne(list []*likeness, is func(*likeness) bool) (one *likeness) {
	for _, l := range list {
		if is(l) {
			if one != nil {
				return nil
			}
			one = l
		}
	}
	return one
}

// whole returns a key if it says all that it should.
func whole(k likenessKey, ok bool) likenessKey {
	if !ok {
		return likenessKey{}
	}
	return k
}
