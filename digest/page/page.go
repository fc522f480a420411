// Package page says what the digital identifier of a page set is made of (ISO
// 32000-2:2020, 14.10.3.3): the source, and the auxiliary files that it refers
// to. It asks which reading of the standard gives a known identifier:
//
//	p := page.New(source, "text/html", url, find)
//	if c, ok := p.Match(id); ok {
//		fmt.Println("verified, by the reading", c.Reading)
//	}
//
// The standard leaves open which files are auxiliary, in which form their
// identifiers enter, and whether those of files that refer to other files
// are made in the same way. Each answer is a [Reading]; [Page.Compute] makes the
// identifier by one of them, [MatchText] and [Text] are the same for text identifiers.
// Files come from a function, such as the method Find of a [Search]. [References] is what
// a page refers to: the package reads HTML and style sheets as far as that takes.
package page

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/source"
)

// File describes a file: its identifier, media type, and place.
type File struct {
	ID        digest.ID // the MD5 of its data
	URL       string    // that it was retrieved from, after redirects; empty if it is the one that was asked for
	Where     string    // for people to read
	MediaType string    // empty if it is not known
	Uncertain bool      // see source.Candidate; or there is a Flaw
	Failed    bool      // the same; as an auxiliary file, it rather does not enter

	// Capture is the candidate that has the file, and Number its place among those of the URL, from 1 on; nil and 0
	// if no source has it.
	Capture *source.Candidate
	Number  int

	// Flaw says why data are uncertain that could not be read as their source declares them, or are
	// damaged there. It is nil if that is not why.
	Flaw *source.Flaw

	// Data returns the data; it is nil if only the ID is known. As an auxiliary
	// file it is asked for only under a nested reading; one whose data cannot be
	// had enters by its ID.
	Data func() ([]byte, error)

	// Plain returns the data with all codings off, in which references are
	// looked for; it is nil if Data does that.
	Plain func() ([]byte, error)
}

// Read returns the data of a file, and what Plain returns.
func (f *File) Read() (data, plain []byte, err error) {
	if data, err = f.Data(); err != nil || f.Plain == nil {
		return data, data, err
	}
	plain, err = f.Plain()
	return data, plain, err
}

// Refers reports whether the file may refer to others: it is HTML or a style sheet.
func (f *File) Refers() bool { return grammarOf(f.MediaType) != opaque }

// Alone reports whether the identifier of a page set that is made of the file is
// the file's own in every reading: it is an image or a PDF file.
func (f *File) Alone() bool {
	t := essence(f.MediaType)
	return t == "application/pdf" || t == "application/x-pdf" ||
		strings.HasPrefix(t, "image/") && grammarOf(t) == opaque
}

// finder yields what is known of the file at a URL, each alternative once,
// and nothing if the file is nowhere.
type finder = func(url string) iter.Seq[File]

// Page is the source of a page set, with the files that it refers to. It is
// not safe for concurrent use.
type Page struct {
	doc   *document
	kinds Kind // in which doc refers to files
	find  finder
	given bool // the files were named
	files map[string]fileList
	every bool // alternative is wanted, not only the first

	// What nested readings need: files that refer to others, nil for those that
	// cannot be read, with their bytes and those of the URLs in them; by what
	// each file enters; and how many references were followed.
	nested   map[nestedFile]*document
	nesting  map[Kind]bool // see nests
	weight   int64
	capped   bool // see Capped
	entered  map[entry]digest.ID
	followed map[Reading]int
	lacking  map[string]bool // see Lacking
}

// fileList are files of one URL.
type fileList struct {
	files []File
	every bool // there are no more
}

// document is a source as far as identifiers take it.
type document struct {
	url    string
	source *digest.Source
	size   int64
	refs   []Reference

	unknown string // why it may refer to other files, too; empty if it does not
}

type nestedFile struct {
	url string
	id  digest.ID
}

type entry struct {
	nestedFile
	r Reading
}

// New returns the page with the given source, which has been retrieved from url
// and is of the given media type. Files are looked for when a reading needs
// them, each once.
func New(src []byte, mediaType, url string, find finder) *Page {
	return Coded(src, src, mediaType, url, find)
}

// Coded is New for a source that counts with codings on, and is read without them.
func Coded(src, plain []byte, mediaType, url string, find finder) *Page {
	url = string(canon.PDF2.Append(nil, []byte(url)))
	return newPage(newDocument(src, plain, mediaType, url), find)
}

// Given returns a page whose auxiliary files are the given ones, in this order,
// and not the references of the source. Where tells them apart.
func Given(src []byte, files []File) *Page {
	doc := newDocument(src, nil, "", "")
	byName := map[string][]File{}
	for _, f := range files {
		doc.refs = append(doc.refs, Reference{f.Where, Named})
		byName[f.Where] = []File{f}
	}
	p := newPage(doc, func(name string) iter.Seq[File] { return slices.Values(byName[name]) })
	p.given = true
	return p
}

func newPage(doc *document, find finder) *Page {
	p := &Page{
		capped: len(doc.refs) == maxReferences,
		doc:    doc, find: find,
		files: map[string]fileList{}, nested: map[nestedFile]*document{}, nesting: map[Kind]bool{},
		entered: map[entry]digest.ID{}, followed: map[Reading]int{}, lacking: map[string]bool{},
	}
	for _, ref := range doc.refs {
		p.kinds |= ref.Kind
	}
	return p
}

func newDocument(src, plain []byte, mediaType, url string) *document {
	s, _ := digest.NewSource(bytes.NewReader(src)) // no reader of bytes fails
	refs, unknown := references(plain, mediaType, url)
	return &document{url, s, int64(len(src)), refs, unknown}
}

// Readings returns the readings that can be told apart for some page of this
// kind: what the function Readings returns or, for a page of Given files, one
// for each encoding.
func (p *Page) Readings() []Reading {
	if p.given {
		return givenReadings()
	}
	return Readings()
}

// Composite is the identifier of a page set, with what it was made of.
type Composite struct {
	ID      digest.ID
	Reading Reading
	Pieces  []Piece     // in the order in which they went into the MD5: the source, then files
	Missing []Reference // that count under the reading, and do not enter
}

// Piece is a part of what an identifier was made of.
type Piece struct {
	URL, Where string
	Kind       Kind      // 0 for the source
	ID         digest.ID // that of the file; of a nested one, what entered for it
	Bytes      int64     // that entered the MD5: the source's size, 16 or 32
}

// Supplied returns the number of files that are where w says.
func (c *Composite) Supplied(w string) int {
	n := 0
	for _, p := range c.Pieces {
		if p.Where == w && p.Kind != 0 {
			n++
		}
	}
	return n
}

// ErrCapped says that a page refers to more than is looked at.
var ErrCapped = errors.New("there are so many files, or so many captures of them, that not every identifier that " +
	"they could give was tried")

// Capped reports whether something that counts was not looked at so far, because there
// is too much of it. That Match has found nothing, says nothing then.
func (p *Page) Capped() bool { return p.capped }

// Lacking returns how many files are nowhere so far that other files of the page refer to.
func (p *Page) Lacking() int { return len(p.lacking) }

// Unknown returns why the page, or a file of it that was looked into so far, may refer to files that are not known;
// empty if there is no such reason.
func (p *Page) Unknown() string {
	unknown := p.doc.unknown
	for _, doc := range p.nested {
		if doc != nil {
			unknown = max(unknown, doc.unknown)
		}
	}
	return unknown
}

// Compute returns the identifier under a reading, with the first alternative of
// every file. A file that is nowhere, or of which there are only replies that
// tell of an error, does not enter.
func (p *Page) Compute(r Reading) Composite {
	slots, missing := p.slots(r)
	return p.composite(r, slots, missing, make([]int, len(slots)))
}

// Each returns the identifier under every reading, with the first alternative of
// every file; readings that give the same are represented by the first of them.
func (p *Page) Each() []Composite {
	var list []Composite
	for _, r := range p.Readings() {
		c := p.Compute(r)
		if !slices.ContainsFunc(list, func(other Composite) bool { return other.ID == c.ID }) {
			list = append(list, c)
		}
	}
	return list
}

// Match looks for the first reading, and for the first combination of
// alternatives under it, that gives an identifier: with the first alternative of each file,
// so that others are not read if that suffices, and then with all. If none does, the Composite
// says what is Missing under any reading. Of very many combinations it
// tries some: all of the same rank, then those with one file that differs from
// the first, then others.
func (p *Page) Match(id digest.ID) (c Composite, ok bool) {
	seen := map[digest.ID]bool{}
	if c, ok = p.match(id, seen); ok || p.every {
		return c, ok
	}
	p.every = true
	clear(p.nesting)
	return p.match(id, seen)
}

// match is Match with the alternatives that lookup returns. What was seen is not tried again.
func (p *Page) match(id digest.ID, seen map[digest.ID]bool) (c Composite, ok bool) {
	tried := map[Reading]bool{}
	var nowhere []Reference
	for _, r := range p.Readings() {
		same := p.effective(r)
		if tried[same] {
			continue
		}
		tried[same] = true
		slots, missing := p.slots(r)
		if left := leftOut(missing, slots, make([]int, len(slots))); len(left) > len(nowhere) {
			nowhere = left
		}
		if k := signature(r, slots); seen[k] {
			continue
		} else {
			seen[k] = true
		}
		for choice := range combinations(slots) {
			if p.id(r, slots, choice) == id {
				return p.composite(r, slots, missing, choice), true
			}
		}
		p.capped = p.capped || tooMany(slots)
	}
	return Composite{Missing: nowhere}, false
}

// effective returns what a reading comes to for this page: of the kinds in which it refers to
// files, and not nested if none of these refers to others. Readings that come to the same
// give the same identifiers; a page of many files would take long for each of them.
func (p *Page) effective(r Reading) Reading {
	files := r.Files & p.kinds
	if r.Nested && p.nests(files) {
		return r // files below may be of other kinds
	}
	return Reading{Files: files, Encoding: r.Encoding}
}

// nests reports whether a file of some kinds refers to others.
func (p *Page) nests(files Kind) bool {
	nests, known := p.nesting[files]
	if !known {
		nests = slices.ContainsFunc(p.doc.counting(Reading{Files: files}), func(ref Reference) bool {
			return slices.ContainsFunc(p.lookup(ref.URL), func(f File) bool { return p.document(f, ref) != nil })
		})
		p.nesting[files] = nests
	}
	return nests
}

// counting returns the references that count under a reading, each URL once.
func (d *document) counting(r Reading) []Reference {
	var list []Reference
	seen := map[string]bool{}
	for _, ref := range d.refs {
		if ref.Kind&r.Files != 0 && !seen[ref.URL] {
			seen[ref.URL] = true
			list = append(list, ref)
		}
	}
	return list
}

// lookup returns the alternatives for a file: until every one is wanted, those up to the first that may
// enter.
func (p *Page) lookup(url string) []File {
	l, ok := p.files[url]
	if p.find == nil || ok && (l.every || !p.every) {
		return l.files
	}
	l = fileList{every: true}
	for f := range p.find(url) {
		l.files = append(l.files, f)
		if l.every = p.every || f.Failed; !l.every {
			break
		}
	}
	p.files[url] = l
	return l.files
}

func (p *Page) id(r Reading, slots []slot, choice []int) digest.ID {
	files := make([]digest.Auxiliary, 0, len(slots))
	for i, s := range slots {
		if c := s.choices[choice[i]]; !c.empty {
			files = append(files, digest.Auxiliary{Name: s.ref.URL, ID: c.id})
		}
	}
	return p.doc.source.Page(files, r.Encoding)
}

func (p *Page) composite(r Reading, slots []slot, missing []Reference, choice []int) Composite {
	c := Composite{ID: p.id(r, slots, choice), Reading: r, Missing: leftOut(missing, slots, choice)}
	c.Pieces = append(c.Pieces, Piece{URL: p.doc.url, ID: p.doc.source.ID(), Bytes: p.doc.size})
	for i, s := range slots {
		in := s.choices[choice[i]]
		if !in.empty {
			c.Pieces = append(c.Pieces, Piece{s.ref.URL, in.file.Where, s.ref.Kind, in.id, int64(r.Encoding.Size())})
		}
	}
	return c
}
