// Package catalog lists what was captured in a PDF: one [Capture] for each content set.
//
//	c, err := catalog.New(f, db)
//	for capture, err := range c.Captures() {
//		fmt.Println(capture.Captured().Time, capture.URL, capture.Pages)
//	}
//	c.Unread() // the parts that could not be read
//
// Captures come in the order of the file, so a file of a million content sets is never in memory as a whole.
package catalog

import (
	"iter"
	"time"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Catalog lists the captures of one open file. Only one goroutine may use it at a time.
type Catalog struct {
	file     *webcapture.File
	db       *webcapture.Database
	reader   *webcapture.Reader
	unread   []rule.Unread
	pages    map[object.Ref][]PageRange  // page numbers, by page
	painting map[object.Ref][]PageRange  // pages that paint an image, by image; nil until a set with images needs them
	commands map[object.Ref]*Command     // commands of SpiderInfo
	keys     map[object.Ref]nametree.Key // keys of URLS, by value; nil until a set without a URL needs them
	dates    rule.DateMemo
	buf      []byte
}

// New prepares the catalog of an open file: it reads the page tree and the commands.
//
// The error is an I/O error, or that of the context. Damaged parts are in Unread.
func New(f *webcapture.File, db *webcapture.Database) (*Catalog, error) {
	c := &Catalog{file: f, db: db, reader: f.NewReader(), pages: map[object.Ref][]PageRange{},
		commands: map[object.Ref]*Command{}}
	c.unread = rule.UnreadOf(f, db)
	for _, t := range db.Trees() {
		c.unread = append(c.unread, rule.UnreadIn(t)...)
	}
	err := c.readCommands()
	if err == nil {
		err = c.readPages()
	}
	return c, rule.NoteOver(&c.unread, err)
}

// Unread returns the parts of the file that could not be read so far. It is complete after Captures has ended.
func (c *Catalog) Unread() []rule.Unread { return c.unread }

// Captures yields each capture once, in the order of the file. It can be iterated only once. Damaged parts are
// skipped and added to Unread; after the file exceeds its meter, so are all other captures. An error is an I/O error or
// that of the context, and ends the iteration.
func (c *Catalog) Captures() iter.Seq2[*Capture, error] {
	return func(yield func(*Capture, error) bool) {
		for content, err := range c.file.Contents(c.db).All(c.reader) {
			var capture *Capture
			if err == nil && content.Set != nil && content.Set.Recognized() {
				capture, err = c.capture(content)
			}
			err = rule.NoteUnread(&c.unread, rule.PlaceOfContent(content), err)
			switch {
			case err != nil:
				if err = rule.NoteOver(&c.unread, err); err != nil {
					yield(nil, err)
				}
				return
			case capture != nil && !yield(capture, nil):
				return
			}
		}
	}
}

// capture returns the Capture of a content set. If an entry cannot be read, its field stays empty, and the entry is
// added to the unread parts.
func (c *Catalog) capture(content *webcapture.Content) (*Capture, error) {
	set := content.Set
	out := &Capture{Object: content.Ref, Kind: kindOf(set.Subtype), ID: string(set.ID.Bytes)}
	at := rule.PlaceOfContent(content)
	t, err := c.text(set.T, at)
	if err != nil {
		return nil, err
	}
	out.Title = rule.TitleText(t)
	if t, err = c.text(set.CT, at); err != nil {
		return nil, err
	}
	out.ContentType = string(t)
	if out.TS, err = c.date(set.TS, at); err != nil {
		return nil, err
	}
	for i := range set.Sources {
		s, err := c.source(&set.Sources[i], at)
		if err != nil {
			return nil, err
		}
		if out.URL == "" {
			out.URL = s.URL
		}
		out.Sources = append(out.Sources, s)
	}
	if out.URL == "" {
		out.URL = string(c.key(content))
	}
	c.buf = canon.PDF.Append(c.buf[:0], []byte(out.URL))
	out.Canonical = string(c.buf)
	for m := range set.Members() {
		if err := c.reader.Pay(meter.Object); err != nil {
			return nil, err
		}
		if ref, ok := m.Ref(); ok {
			out.Members = append(out.Members, ref)
		}
	}
	if out.Kind != Page && c.painting == nil {
		if err := c.readPainting(); err != nil {
			return nil, err
		}
	}
	out.Pages = c.pagesOf(out)
	if out.Kind == Image {
		if err := c.addImages(out, at); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// key returns the first key of URLS that leads to a content set; empty if there is none.
func (c *Catalog) key(content *webcapture.Content) nametree.Key {
	if content.Tree != nil && content.Tree.Name == webcapture.URLS {
		return content.Entry.Key
	}
	if c.keys == nil && c.db.URLS != nil {
		c.keys = map[object.Ref]nametree.Key{}
		for _, e := range c.db.URLS.Entries() {
			if ref, _ := e.Value.Ref(); ref.Num != 0 && c.keys[ref] == "" {
				c.keys[ref] = e.Key
			}
		}
	}
	return c.keys[content.Value]
}

// text returns the bytes of a string, or nil for another object.
func (c *Catalog) text(o object.Object, at rule.Place) ([]byte, error) {
	s, err := c.reader.String(o)
	if err != nil {
		return nil, rule.NoteUnread(&c.unread, at, err)
	}
	return s.Bytes, nil
}

// date returns the date in an entry.
func (c *Catalog) date(o object.Object, at rule.Place) (d Date, err error) {
	s, err := c.reader.String(o)
	switch {
	case err != nil:
		return d, rule.NoteUnread(&c.unread, at, err)
	case s.Object.IsNull():
		return d, nil
	}
	d.Stored = s.String()
	if d.Fault = "it is not a string"; s.OK() {
		d.Time, d.Fault = c.dates.Parse(s.Bytes)
	}
	if d.Fault != "" {
		d.Time = time.Time{}
	}
	return d, nil
}

// Of returns the capture of one content set. It lacks the data that need the whole file: the pages that paint an
// image, and the URL of a set without a source. The second result lists the parts that could not be
// read.
//
// The error is an I/O error, or that of the context.
func Of(f *webcapture.File, r *webcapture.Reader, content *webcapture.Content) (*Capture, []rule.Unread, error) {
	c := &Catalog{file: f, db: &webcapture.Database{}, reader: r,
		pages: map[object.Ref][]PageRange{}, painting: map[object.Ref][]PageRange{}}
	if content.Set.Subtype != webcapture.ImageSet {
		for m := range content.Set.Members() {
			ref, ok := m.Ref()
			if !ok {
				continue
			}
			n, err := c.reader.PageNumber(ref)
			if err != nil {
				return nil, nil, err
			}
			if n > 0 {
				addPage(c.pages, ref, n)
			}
		}
	}
	capture, err := c.capture(content)
	return capture, c.unread, err
}
