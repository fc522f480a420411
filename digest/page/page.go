// Package page computes the digital identifier of a page set (ISO 32000-2:2020, 14.10.3.3) from its source and
// auxiliary files, and finds the reading of the standard that gives a known identifier:
//
//	p := page.New(source, "text/html", url, find)
//	if c, ok := p.Match(id); ok {
//		fmt.Println("verified, by the reading", c.Reading)
//	}
//
// The standard does not say which files are auxiliary, which form their identifiers have in the MD5, and whether
// files with references are treated like the page. A [Reading] answers these questions; [Page.Compute] computes the
// identifier under one Reading. For text identifiers, use [MatchText] and [Text]. Files come from a function, such as
// the method Find of a [Search]. [References] returns the references of HTML, XML, and style sheets.
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
	URL       string    // URL after redirects; empty if there was no redirect
	Where     string    // for messages
	MediaType string    // empty if unknown
	Uncertain bool      // the candidate is Uncertain (see source.Candidate), or there is a Flaw
	Failed    bool      // see source.Candidate; a failed file should not count as an auxiliary file

	// Capture is the candidate with the file; nil if the file is not from a source. Number is the index of Capture
	// among the candidates of the URL, from 1; 0 without a source.
	Capture *source.Candidate
	Number  int

	// Flaw says why the data are uncertain: they are damaged, or could not be read as their source declares them. It
	// is nil for other data.
	Flaw *source.Flaw

	// Data returns the data; it is nil if only the ID is known. For auxiliary files, Data is called only in nested
	// readings. If the call fails, the file counts by its ID.
	Data func() ([]byte, error)

	// Plain returns the data with all codings removed, for the search for references. It is nil if Data returns the
	// same.
	Plain func() ([]byte, error)
}

// Read returns the results of Data and Plain.
func (f *File) Read() (data, plain []byte, err error) {
	if data, err = f.Data(); err != nil || f.Plain == nil {
		return data, data, err
	}
	plain, err = f.Plain()
	return data, plain, err
}

// Refers reports whether the file may have references. HTML, XML, SVG, and style sheets may.
func (f *File) Refers() bool { return grammarOf(f.MediaType) != opaque }

// Alone reports whether the file is a PDF file, or an image other than SVG. The identifier of a page set made from such
// a file is the file's own ID in every reading.
func (f *File) Alone() bool {
	t := essence(f.MediaType)
	return t == "application/pdf" || t == "application/x-pdf" ||
		strings.HasPrefix(t, "image/") && grammarOf(t) == opaque
}

// finder yields the alternatives for the file at a URL; none if the file was not found.
type finder = func(url string) iter.Seq[File]

// Page is the source of a page set, with its auxiliary files. It is not safe for concurrent use.
type Page struct {
	doc   *document
	kinds Kind // kinds of the references in doc
	find  finder
	given bool // the caller named the files
	files map[string]fileList
	every bool // use all alternatives, not only the first

	// For nested readings: the parsed files with references (nil if unreadable), the total size of these files and
	// their URLs, the identifier of each file in the MD5, and the number of followed references.
	nested   map[nestedFile]*document
	nesting  map[Kind]bool // see nests
	weight   int64
	capped   bool // see Capped
	entered  map[entry]digest.ID
	followed map[Reading]int
	lacking  map[string]bool // see Lacking
}

// fileList holds the files of one URL.
type fileList struct {
	files []File
	every bool // the list is complete
}

// document is the digest and the references of a source.
type document struct {
	url    string
	source *digest.Source
	size   int64
	refs   []Reference

	unknown string // reason why there may be further references; empty if there are none
}

type nestedFile struct {
	url string
	id  digest.ID
}

type entry struct {
	nestedFile
	r Reading
}

// New returns the page with the source src. url is the URL of the source. The page calls find for a file when a reading
// first needs the file, and once more if Match needs all alternatives.
func New(src []byte, mediaType, url string, find finder) *Page {
	return Coded(src, src, mediaType, url, find)
}

// Coded is New for a source with codings. The digest is computed from src, which has the codings; references are
// read from plain, which has none.
func Coded(src, plain []byte, mediaType, url string, find finder) *Page {
	url = string(canon.PDF2.Append(nil, []byte(url)))
	return newPage(newDocument(src, plain, mediaType, url), find)
}

// Given returns a page with these auxiliary files, in this order. The references of the source are ignored. The field
// Where identifies a file.
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
	s, _ := digest.NewSource(bytes.NewReader(src)) // reading bytes cannot fail
	refs, unknown := references(plain, mediaType, url)
	return &document{url, s, int64(len(src)), refs, unknown}
}

// Readings returns the readings that can give different identifiers for p. They are the results of the function
// Readings or, for a page made by Given, one for each encoding.
func (p *Page) Readings() []Reading {
	if p.given {
		return givenReadings()
	}
	return Readings()
}

// Composite is the identifier of a page set, with its parts.
type Composite struct {
	ID      digest.ID
	Reading Reading
	Pieces  []Piece     // in their order in the MD5: the source, then files
	Missing []Reference // files that count in the reading, but were not found
}

// Piece is a part of the data of an identifier.
type Piece struct {
	URL, Where string
	Kind       Kind      // 0 for the source
	ID         digest.ID // ID of the file; in nested readings, its composite identifier
	Bytes      int64     // length in the MD5: the size of the source, or the 16 or 32 bytes of an identifier
}

// Supplied returns the number of Pieces, other than the source, whose file has the Where w.
func (c *Composite) Supplied(w string) int {
	n := 0
	for _, p := range c.Pieces {
		if p.Where == w && p.Kind != 0 {
			n++
		}
	}
	return n
}

// ErrCapped means that a page has more references, nested files, or captures than the limits allow, so that not all
// identifiers were tried. See Capped.
var ErrCapped = errors.New("too many files or captures to try every possible identifier")

// Capped reports whether references, nested files, captures, or combinations were skipped so far because of a limit. If
// true, a Match without a result proves nothing.
func (p *Page) Capped() bool { return p.capped }

// Lacking returns the number of files that were not found so far and to which other files of the page refer.
func (p *Page) Lacking() int { return len(p.lacking) }

// Unknown returns the reason why the page, or one of its files read so far, may refer to unknown files; empty if
// there is no reason.
func (p *Page) Unknown() string {
	unknown := p.doc.unknown
	for _, doc := range p.nested {
		if doc != nil {
			unknown = max(unknown, doc.unknown)
		}
	}
	return unknown
}

// Compute returns the identifier in a reading, with the first alternative of each file. A file does not count if it
// was not found or has only error responses.
func (p *Page) Compute(r Reading) Composite {
	slots, missing := p.slots(r)
	return p.composite(r, slots, missing, make([]int, len(slots)))
}

// Each returns the identifier in each reading, with the first alternative of each file. If several readings have the
// same result, Each returns only the first of them.
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

// Match searches for the first reading and combination of alternatives that give the identifier id. It starts with
// the first alternative of each file, so that the others are read only if necessary, and then tries all alternatives.
// Without a match, c has only the Missing files of the reading that lacks most. If there are too many combinations,
// Match tries only some: first those whose alternatives all have the same rank, then those in which one file is not the
// first alternative, then others.
func (p *Page) Match(id digest.ID) (c Composite, ok bool) {
	return p.MatchFunc(func(sum digest.ID) bool { return sum == id })
}

// MatchFunc is like Match, but accepts any identifier for which wanted returns true.
func (p *Page) MatchFunc(wanted func(digest.ID) bool) (c Composite, ok bool) {
	seen := map[digest.ID]bool{}
	if c, ok = p.match(wanted, seen); ok || p.every {
		return c, ok
	}
	p.every = true
	clear(p.nesting)
	return p.match(wanted, seen)
}

// match is MatchFunc with the alternatives that lookup returns. It skips combinations that were tried before.
func (p *Page) match(wanted func(digest.ID) bool, seen map[digest.ID]bool) (c Composite, ok bool) {
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
			if wanted(p.id(r, slots, choice)) {
				return p.composite(r, slots, missing, choice), true
			}
		}
		p.capped = p.capped || tooMany(slots)
	}
	return Composite{Missing: nowhere}, false
}

// effective returns the simplest reading that gives the same identifiers as r for this page. It has only the kinds of
// the page's references, and is not nested if no file can have references. Computing each equivalent reading would
// take long for a page with many files.
func (p *Page) effective(r Reading) Reading {
	files := r.Files & p.kinds
	if r.Nested && p.nests(files) {
		return r // references in nested files may be of other kinds
	}
	return Reading{Files: files, Encoding: r.Encoding}
}

// nests reports whether any file of these kinds may have references.
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

// counting returns the references that count in a reading, each URL once.
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

// lookup returns the alternatives for the file at url. Unless p.every is set, the list ends with the first usable one.
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
