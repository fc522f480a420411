// Package match tells which pages, images, and values of two files are the same, although their object numbers,
// compression, and names of resources differ.
//
//	original, err := match.Read(a, dbA)
//	file, err := match.Read(b, dbB)
//	p := match.Pairs(original, file)
//	p.Page(ref)   // the page of the file for a page of the original
//	p.Images(ref) // the images of the file for an image of the original
//
// A match is certain or absent: no property outweighs another one. Two images are the same if their data and size are
// equal. Of content, text, set of images, and ID, the first that a page has in common with any page of the other file
// decides.
// Two pages are the same if no other page of either file has it; or if as many pages of both files have it, and they
// have the same ID. If the file has more such pages, those in no content set are copies, and do not count.
//
// A comparison of whole files reads them with [New] and [Document.Visit], which is faster than Read.
package match

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"hash"
	"io"
	"iter"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Hash identifies content: equal contents have equal hashes. The zero Hash means that there is no content, or that it
// is unreadable.
type Hash [16]byte

// Document holds the properties that identify the pages and images of a file. It is not safe for concurrent use.
type Document struct {
	File     *webcapture.File
	Database *webcapture.Database
	Reader   *webcapture.Reader
	Pages    []*Page       // in page order; a page that is in the page tree twice only once
	Images   []*Image      // images that pages paint or content sets list, each once; with Read, all images of pages
	Unread   []rule.Unread // pages and images without content, because it is unreadable

	traits   []traits // by page; nil if they are not read
	pages    object.RefTable
	images   object.RefTable // index in Images plus 1; notImage for any other object
	forms    map[object.Ref]Hash
	contents map[string]*content // by the references of their streams

	// Reused, because a file may have a million pages.
	sum, strings hash.Hash
	tokens       *bufio.Writer
	buffer, text []byte
}

// notImage marks an object that is not an image in Document.images.
const notImage = -1

// Page is a page of a file.
type Page struct {
	Ref     object.Ref
	Number  int    // in page order, from 1
	ID      string // ID in its dictionary; empty if it has none
	Content Hash   // operators, operands, and what they paint; names of resources do not count; zero without content
	Unread  bool   // Content is incomplete, because a part is unreadable
	Listed  bool   // in O of a content set
}

// traits are properties of a page that only Pairs and Uses need.
type traits struct {
	text   Hash         // strings in the content; zero for less than leastText bytes
	images []object.Ref // images in the resources and in their forms
	others []object.Ref // images in patterns and annotations, which R does not count (14.10.4.3)
}

// Visitor receives the pages and content sets while they are read, so that its caller need not read them again. An
// *object.Malformed that it returns is added to Document.Unread. Any other error ends the reading.
type Visitor interface {
	VisitPage(webcapture.Page) error
	VisitContent(*webcapture.Content) error
}

// Read reads the pages and images of a file, and the images that its content sets list. It skips unreadable ones; see
// Document.Unread. The error is a failure to read the file, or [meter.Over].
func Read(f *webcapture.File, db *webcapture.Database) (*Document, error) {
	d := New(f, db)
	d.traits = []traits{}
	return d, d.Visit(nil)
}

// New returns a Document without pages and images. Visit reads them.
func New(f *webcapture.File, db *webcapture.Database) *Document {
	return &Document{
		File: f, Database: db, Reader: f.NewReader(), forms: map[object.Ref]Hash{}, contents: map[string]*content{},
		sum: sha256.New(), strings: sha256.New(), tokens: bufio.NewWriter(io.Discard),
		buffer: make([]byte, 32<<10),
	}
}

// Visit does the same as Read, once for a Document of New, but without what only Pairs needs. v may be nil.
func (d *Document) Visit(v Visitor) error {
	for pg, err := range d.Reader.Pages(d.Database) {
		at := rule.Place{Object: pg.Ref}
		if err == nil {
			at.Page = pg.Index + 1
			if !pg.Again && pg.Ref.Num != 0 {
				err = d.readPage(pg)
			}
			if v != nil && object.IgnoreMalformed(err) == nil {
				if failed := v.VisitPage(pg); failed != nil {
					err = failed
				}
			}
		}
		if err := cmp.Or(d.Note(at, err), d.Spend(1)); err != nil {
			return err
		}
	}
	for c, err := range d.File.Contents(d.Database).All(d.Reader) {
		if err == nil && c.Set != nil { // an image may also be in O of a page set
			err = d.readMembers(c.Set)
		}
		if err == nil && v != nil {
			err = v.VisitContent(c)
		}
		if err := cmp.Or(d.Note(rule.PlaceOfContent(c), err), d.Spend(1)); err != nil {
			return err
		}
	}
	return nil
}

// Page returns the page with a reference; nil if the page tree does not have it.
func (d *Document) Page(ref object.Ref) *Page {
	if i := d.pages.Get(ref); i > 0 {
		return d.Pages[i-1]
	}
	return nil
}

// Image returns the image with a reference; nil if no page shows it and no content set lists it.
func (d *Document) Image(ref object.Ref) *Image {
	if i := d.images.Get(ref); i > 0 {
		return d.Images[i-1]
	}
	return nil
}

// Uses returns the number of pages that show each image, without images in patterns (14.10.4.3). It needs Read.
func (d *Document) Uses() map[object.Ref]int {
	uses := map[object.Ref]int{}
	for _, t := range d.traits {
		for _, ref := range t.images {
			uses[ref]++
		}
	}
	return uses
}

// Spend pays for elements. The error is [meter.Over].
func (d *Document) Spend(elements int) error { return d.Reader.Pay(meter.Object * int64(elements)) }

// Sizes in memory, in bytes.
const (
	pageSize  = 256
	imageSize = 192
)

// Note records err, if it is not nil, as the reason why a part is unreadable. It returns an error that is not about the
// content of the file, such as one of the disk.
func (d *Document) Note(at rule.Place, err error) error { return rule.NoteUnread(&d.Unread, at, err) }

// readPage adds a page and its images.
func (d *Document) readPage(stored webcapture.Page) (err error) {
	pg := &Page{Ref: stored.Ref, Number: stored.Index + 1}
	d.Pages = append(d.Pages, pg)
	d.pages.Set(pg.Ref, int32(len(d.Pages)))
	if err := d.Reader.Keep(pageSize); err != nil {
		return err
	}
	at := rule.Place{Page: pg.Number, Object: pg.Ref}
	if pg.ID, err = d.id(at, stored.Dict); err != nil {
		return err
	}
	var t *traits
	if d.traits != nil {
		d.traits = append(d.traits, traits{})
		t = &d.traits[len(d.traits)-1]
		if err := d.readImages(t, at, stored); err != nil {
			return err
		}
	}
	text, err := d.readContent(pg, stored)
	pg.Unread = pg.Unread || err != nil
	if t != nil {
		t.text = text
	}
	return err
}

// readMembers marks the pages in O of a content set, and adds the images, because some may be on no page.
func (d *Document) readMembers(set *webcapture.ContentSet) error {
	for m := range set.Members() {
		if err := d.Spend(1); err != nil {
			return err
		}
		ref, ok := m.Ref()
		if pg := d.Page(ref); pg != nil {
			pg.Listed = true
		} else if ok {
			if _, err := d.readImage(ref); err != nil {
				return err
			}
		}
	}
	return nil
}

// readImages adds the images of a page's resources, patterns, and annotations. Those of the resources are traits.
func (d *Document) readImages(t *traits, at rule.Place, stored webcapture.Page) error {
	for ref, err := range d.Reader.Images(stored.Resources) {
		if err == nil {
			t.images = append(t.images, ref)
			_, err = d.readImage(ref)
		}
		if err := cmp.Or(d.Note(at, err), d.Reader.Keep(8), d.Spend(1)); err != nil {
			return err
		}
	}
	if err := d.readAll(t, d.Reader.PatternImages(stored.Resources)); err != nil {
		return err
	}
	return d.readAppearances(t, stored.Dict)
}

// readAll adds the images of a list to the other images of a page, and skips unreadable ones.
func (d *Document) readAll(t *traits, list iter.Seq2[object.Ref, error]) error {
	for ref, err := range list {
		if err == nil {
			t.others = append(t.others, ref)
			_, err = d.readImage(ref)
		}
		if err := d.Reader.Keep(8); err != nil {
			return err
		}
		if object.IgnoreMalformed(err) != nil {
			return err
		}
	}
	return nil
}

// readAppearances adds the images in the appearances of a page's annotations (12.5.5), because buttons of forms may
// show images.
func (d *Document) readAppearances(t *traits, page object.Dict) error {
	annots, err := d.Reader.Resolve(page.Lookup("Annots"))
	if err != nil {
		return object.IgnoreMalformed(err)
	}
	all, _ := annots.Array()
	for a := range all.All() {
		streams, err := d.appearancesOf(a)
		if object.IgnoreMalformed(err) != nil {
			return err
		}
		for _, s := range streams {
			form, err := d.Reader.Dict(s)
			if object.IgnoreMalformed(err) != nil {
				return err
			}
			if err := d.readAll(t, d.Reader.Images(form.Lookup("Resources"))); err != nil {
				return err
			}
		}
	}
	return nil
}

// appearancesOf returns the normal appearances of an annotation: one, or one for each state.
func (d *Document) appearancesOf(annotation object.Object) (states []object.Object, err error) {
	dict, err := d.Reader.Dict(annotation)
	if err != nil {
		return nil, err
	}
	ap, err := d.Reader.Dict(dict.Lookup("AP"))
	if err != nil {
		return nil, err
	}
	normal, err := d.Reader.Resolve(ap.Lookup("N"))
	if normal.Kind() != object.Dictionary {
		return []object.Object{normal}, cmp.Or(err, d.Spend(1))
	}
	all, _ := normal.Dict()
	for _, s := range all.All() {
		states = append(states, s)
	}
	return states, d.Spend(1 + len(states))
}

// id returns ID in the dictionary of a page or image; empty if it has none, or an unreadable one.
func (d *Document) id(at rule.Place, dict object.Dict) (string, error) {
	s, err := d.Reader.String(dict.Lookup("ID"))
	return string(s.Bytes), d.Note(at, err)
}
