package restore

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// This file recognizes pages and images in two files with different object numbers and dictionaries.

// hash identifies content; it is zero if there is no content.
type hash [16]byte

// likeness holds the properties that identify a page or an image. The image may be shown by a page or listed by a
// content set.
type likeness struct {
	ref    object.Ref
	dict   object.Dict
	number int    // page number, from 1; 0 for an image
	id     string // ID in the dictionary
	stored hash   // only for an image: hash of its stored data and size
	shown  hash   // hash of decoded data: a page's content with white space collapsed, or an image's pixels and size
	text   []byte // only for a page: the strings in its content
	images []object.Ref
	size   [2]int64 // only for an image: width and height
}

// likenesses are the pages and images of a file, in page order.
type likenesses struct{ pages, images []*likeness }

// ids returns the IDs of pages and images.
func (l *likenesses) ids() map[object.Ref]string {
	ids := map[object.Ref]string{}
	for _, list := range [][]*likeness{l.pages, l.images} {
		for _, l := range list {
			if l.id != "" {
				ids[l.ref] = l.id
			}
		}
	}
	return ids
}

// likenessesOf reads the pages and images of a file. Unreadable ones are omitted.
func likenessesOf(f *webcapture.File, db *webcapture.Database) (*likenesses, error) {
	r := likenessReader{Reader: f.NewReader(), seen: map[object.Ref]bool{}}
	for pg, err := range r.Pages(db) {
		if err == nil && !pg.Again && pg.Ref.Num != 0 {
			err = r.page(pg)
		}
		if object.IgnoreMalformed(err) != nil {
			return nil, err
		}
	}
	for c, err := range f.Contents(db).All(r.Reader) {
		if err == nil && c.Set != nil { // an image may also be in O of a page set
			err = r.members(c.Set)
		}
		if object.IgnoreMalformed(err) != nil {
			return nil, err
		}
	}
	return &r.likenesses, nil
}

// likenessReader collects the pages and images of a file, each image once.
type likenessReader struct {
	*webcapture.Reader
	likenesses
	seen map[object.Ref]bool // pages and images that were added
}

// page adds a page and its images.
func (r *likenessReader) page(pg webcapture.Page) (err error) {
	l := &likeness{ref: pg.Ref, dict: pg.Dict.Clone(), number: pg.Index + 1}
	if l.id, err = idIn(r.Reader, pg.Dict); err != nil {
		return err
	}
	if l.shown, l.text, err = contentOf(r.Reader, pg.Dict); err != nil {
		return err
	}
	for ref, err := range r.Images(pg.Resources) {
		if object.IgnoreMalformed(err) != nil {
			return err
		}
		l.images = append(l.images, ref)
	}
	r.pages, r.seen[pg.Ref] = append(r.pages, l), true
	if err := r.images(r.PatternImages(pg.Resources)); err != nil {
		return err
	}
	more, err := appearances(r.Reader, pg.Dict)
	if err != nil {
		return err
	}
	for _, resources := range append(more, pg.Resources) {
		if err := r.images(r.Images(resources)); err != nil {
			return err
		}
	}
	return nil
}

// members adds the images in O of a content set, because some may be on no page.
func (r *likenessReader) members(set *webcapture.ContentSet) error {
	for _, m := range slices.Collect(set.Members()) {
		if ref, ok := m.Ref(); ok {
			if err := r.image(ref); err != nil {
				return err
			}
		}
	}
	return nil
}

// images adds all images of a list.
func (r *likenessReader) images(list iter.Seq2[object.Ref, error]) error {
	for ref, err := range list {
		if err == nil {
			err = r.image(ref)
		}
		if object.IgnoreMalformed(err) != nil {
			return err
		}
	}
	return nil
}

// image adds an object if it is an image.
func (r *likenessReader) image(ref object.Ref) error {
	if r.seen[ref] {
		return nil
	}
	r.seen[ref] = true
	o, err := r.Get(ref)
	d, _ := o.Dict()
	if err != nil || o.Kind() != object.Stream || !d.Lookup("Subtype").IsName("Image") {
		return object.IgnoreMalformed(err)
	}
	l := &likeness{ref: ref, dict: d.Clone()}
	if l.id, err = idIn(r.Reader, d); err != nil {
		return err
	}
	for i, key := range []string{"Width", "Height"} {
		n, err := r.Resolve(d.Lookup(key))
		if object.IgnoreMalformed(err) != nil {
			return err
		}
		l.size[i], _ = n.Int()
	}
	if l.stored, err = l.hashOf(r.Stream(ref)); err != nil {
		return err
	}
	l.shown, err = l.hashOf(r.Data(ref))
	r.likenesses.images = append(r.likenesses.images, l)
	return err
}

// appearances returns the resources of the appearances of a page's annotations (12.5.5), because buttons of forms may
// show images. It skips malformed ones.
func appearances(r *webcapture.Reader, page object.Dict) (list []object.Object, err error) {
	annots, err := annotationsOf(r, page)
	if err != nil {
		return nil, err
	}
	for _, a := range annots {
		ap, err := dictOf(r, a.dict.Lookup("AP"))
		if err != nil {
			return nil, err
		}
		normal, err := r.Resolve(ap.Lookup("N"))
		if object.IgnoreMalformed(err) != nil {
			return nil, err
		}
		streams := []object.Object{normal}
		if states, _ := normal.Dict(); normal.Kind() == object.Dictionary {
			streams = nil
			for _, state := range states.All() {
				streams = append(streams, state)
			}
		}
		for _, s := range streams {
			form, err := dictOf(r, s)
			if err != nil {
				return nil, err
			}
			list = append(list, form.Lookup("Resources"))
		}
	}
	return list, nil
}

// idIn returns the ID in the dictionary of a page or image; empty if it has none, or a malformed one.
func idIn(r *webcapture.Reader, d object.Dict) (string, error) {
	s, err := r.String(d.Lookup("ID"))
	return string(s.Bytes), object.IgnoreMalformed(err)
}

// hashOf returns the hash of an image's data and size; zero if the stream is unreadable. The size is included because
// images with the same bytes may differ in size.
func (l *likeness) hashOf(data io.Reader, err error) (sum hash, _ error) {
	if err != nil {
		return sum, object.IgnoreMalformed(err)
	}
	h := sha256.New()
	w := jpegTrimmer{to: h}
	if n, err := io.Copy(&w, data); err != nil || n == 0 {
		return sum, object.IgnoreMalformed(err)
	}
	h.Write(w.end())
	fmt.Fprint(h, l.size)
	copy(sum[:], h.Sum(nil))
	return sum, nil
}

// jpegTrimmer writes the data of an image without up to two bytes after the end of a JPEG file, because some tools add
// or remove a line end there.
type jpegTrimmer struct {
	to         io.Writer
	head, tail []byte // first bytes, and last bytes not written yet
}

// endSize is the size of the end of a JPEG file: the end marker and a line end.
const endSize = 4

// Write implements io.Writer.
func (t *jpegTrimmer) Write(p []byte) (int, error) {
	t.head = append(t.head, p[:min(len(p), 2-len(t.head))]...)
	t.tail = append(t.tail, p...)
	n := max(0, len(t.tail)-endSize)
	_, err := t.to.Write(t.tail[:n])
	t.tail = append(t.tail[:0], t.tail[n:]...)
	return len(p), err
}

// end returns the bytes that are still to be written.
func (t *jpegTrimmer) end() []byte {
	if i := bytes.LastIndex(t.tail, []byte{0xFF, 0xD9}); i >= 0 && string(t.head) == "\xFF\xD8" {
		return t.tail[:i+2]
	}
	return t.tail
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

// stringsIn returns the strings of a content stream (7.8.2) in order. Tools that rewrite content usually keep these.
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
