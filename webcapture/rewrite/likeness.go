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
	images []object.Ref
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
		if page.shown, err = contentOf(r, pg.Dict); err != nil {
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

// contentOf returns the hash of the content of a page.
func contentOf(r *webcapture.Reader, page object.Dict) (sum hash, err error) {
	stored := page.Lookup("Contents")
	contents, err := r.Resolve(stored)
	if err != nil {
		return sum, object.IgnoreMalformed(err)
	}
	parts := []object.Object{stored}
	if list, ok := contents.Array(); ok {
		parts = slices.Collect(list.All())
	}
	h := sha256.New()
	any := false
	for _, part := range parts {
		ref, _ := part.Ref()
		data, err := r.Data(ref)
		if err != nil {
			return hash{}, object.IgnoreMalformed(err)
		}
		text, err := io.ReadAll(io.LimitReader(data, maxContent))
		if err != nil {
			return hash{}, object.IgnoreMalformed(err)
		}
		for _, word := range bytes.Fields(text) {
			h.Write(word)
			h.Write([]byte{' '})
			any = true
		}
	}
	if any {
		copy(sum[:], h.Sum(nil))
	}
	return sum, nil
}

// A key is what a likeness is known by, at one of the levels that matched tries.
type likenessKey struct {
	id     string
	stored hash
	shown  hash
}

// matched returns which of b each of a is. It tries ID and content together, content, and
// ID; those that have one of these in common have to be as many in both, and go in their
// order then.
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

// whole returns a key if it says all that it should.
func whole(k likenessKey, ok bool) likenessKey {
	if !ok {
		return likenessKey{}
	}
	return k
}
