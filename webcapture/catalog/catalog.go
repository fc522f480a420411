// Package catalog lists what was captured in a PDF: one [Capture] for each content set.
//
//	c, err := catalog.New(f, db)
//	for capture, err := range c.Captures() {
//		fmt.Println(capture.Captured, capture.URL, capture.Pages)
//	}
//	c.Unread() // the parts that could not be read
//
// Captures come in the order of the file, so a file of a million content sets is never in memory as a whole.
package catalog

import (
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Catalog lists the captures of one open file. Only one goroutine may use it at a time.
type Catalog struct {
	file   *webcapture.File
	db     *webcapture.Database
	reader *webcapture.Reader
	unread []rule.Unread
	pages  map[object.Ref][]int        // numbers of each page; nil if the page tree was not read
	keys   map[object.Ref]nametree.Key // keys of URLS, by value; nil until a set without a URL needs them
	dates  rule.DateMemo
	buf    []byte
}

// New prepares the catalog of an open file. It reads the page tree.
//
// The error is an I/O error, or that of the context. Damaged parts are in Unread.
func New(f *webcapture.File, db *webcapture.Database) (*Catalog, error) {
	c := &Catalog{file: f, db: db, reader: f.NewReader(), unread: rule.UnreadOf(f, db), pages: map[object.Ref][]int{}}
	for _, t := range db.Trees() {
		c.unread = append(c.unread, rule.UnreadIn(t)...)
	}
	for page, err := range c.reader.Pages(db) {
		at := rule.Place{Page: page.Index + 1, Object: page.Ref}
		if err == nil {
			c.pages[page.Ref] = append(c.pages[page.Ref], page.Index+1)
		}
		if err = rule.NoteUnread(&c.unread, at, err); err != nil {
			return c, rule.NoteOver(&c.unread, err)
		}
	}
	return c, nil
}

// Of returns the capture of one content set. It lacks the URL of a set without a source. The second result lists the
// parts that could not be read.
//
// The error is an I/O error, or that of the context.
func Of(f *webcapture.File, r *webcapture.Reader, content *webcapture.Content) (*Capture, []rule.Unread, error) {
	c := &Catalog{file: f, db: &webcapture.Database{}, reader: r}
	capture, err := c.capture(content)
	return capture, c.unread, err
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
	out := &Capture{Object: content.Ref, Kind: kindOf(set.Subtype), ID: ID(set.ID.Bytes), Sources: []Source{},
		Members: []object.Ref{}, Pages: []PageRange{}}
	at := rule.PlaceOfContent(content)
	t, err := c.text(set.T, at)
	if err != nil {
		return nil, err
	}
	out.Title = rule.TitleText(t)
	if t, err = c.text(set.CT, at); err != nil {
		return nil, err
	}
	out.ContentType = Text(t)
	if out.TS, err = c.date(set.TS, at); err != nil {
		return nil, err
	}
	out.Captured = out.TS.Time
	for i := range set.Sources {
		s, err := c.source(&set.Sources[i], at)
		if err != nil {
			return nil, err
		}
		out.add(s)
	}
	if out.URL == "" {
		out.URL = Text(c.key(content))
	}
	c.buf = canon.PDF.Append(c.buf[:0], []byte(out.URL))
	out.Canonical = Text(c.buf)
	return out, c.addMembers(out, set)
}

// add adds a source.
func (c *Capture) add(s Source) {
	if c.URL == "" {
		c.URL = s.URL
	}
	if c.Captured.IsZero() {
		c.Captured = s.TS.Time
	}
	c.Submitted = c.Submitted || s.Submitted != "" || s.Command != nil && (s.Command.PostData || s.Command.Submit)
	c.Sources = append(c.Sources, s)
}

// addMembers adds the members of a content set, and their page numbers.
func (c *Catalog) addMembers(out *Capture, set *webcapture.ContentSet) error {
	var pages []int
	for m := range set.Members() {
		if err := c.reader.Pay(meter.Object); err != nil {
			return err
		}
		ref, ok := m.Ref()
		if !ok {
			continue
		}
		out.Members = append(out.Members, ref)
		if out.Kind == Image {
			continue
		}
		numbers := c.pages[ref]
		if c.pages == nil {
			n, err := c.reader.PageNumber(ref)
			if err != nil {
				return err
			}
			numbers = []int{n}
		}
		pages = append(pages, numbers...)
	}
	pages = slices.DeleteFunc(pages, func(n int) bool { return n == 0 })
	slices.Sort(pages)
	for _, n := range pages {
		if last := len(out.Pages) - 1; last >= 0 && n <= out.Pages[last].Last+1 {
			out.Pages[last].Last = n
		} else {
			out.Pages = append(out.Pages, PageRange{n, n})
		}
	}
	return nil
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
	case !s.OK():
		return Date{Stored: Text(s.String()), Fault: "it is not a string"}, nil
	}
	d.Stored = Text(s.String())
	if t, fault := c.dates.Parse(s.Bytes); fault != "" {
		d.Fault = Text(fault)
	} else {
		d.Time = t
	}
	return d, nil
}
