package webcapturetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Options are properties of the content database of Sets and WriteSets. Each database follows the standard, with
// the exceptions of Pages, TextIDs, and V, which is 1.25 as in all real files. Images, Shared, Mirrors, and Aliases
// are distances: with k, page sets 0, k, 2k, and so on have the feature; with 0 none has it.
type Options struct {
	// Leaf is the maximum number of entries in a leaf and of kids in a node. With 0 the root has all entries, as in
	// files of Acrobat.
	Leaf int

	// IndirectKeys makes each key of both trees a reference to a string object to which ID and AU refer as well, as in
	// files of Acrobat.
	IndirectKeys bool

	// LiteralIDs writes identifiers as literal strings instead of hexadecimal ones.
	LiteralIDs bool

	// TextIDs writes the keys of IDS like tools that mistake identifiers for text: the bytes, read as Latin-1, in
	// UTF-8. Each key then violates a rule.
	TextIDs bool

	// Images: the page shows an image with an image set. The image's data are a JPEG file, whose MD5 is the identifier
	// of the set.
	Images int

	// Shared: the page set was made from an image file. A page set and an image
	// set then have one URL and one identifier, and the values in both trees
	// are arrays.
	Shared int

	// Mirrors: the page set has two sources, and SI is an array.
	Mirrors int

	// Aliases: the page set was reached through a redirect. AU is a URL alias dictionary, and each URL of the chain is
	// a key.
	Aliases int

	// Commands is the number of commands, to which page sets refer in rotation: one that follows links, a form
	// submission by GET, one by POST.
	Commands int

	// Pages, unless 0, is the number of pages that all page sets share. The standard does not allow a page in two page
	// sets; it makes smaller files.
	Pages int
}

const (
	fixedDate = "(D:20240102030405Z)"
	perNode   = 50 // kids of a node of the page tree
)

// Sets returns a document with n page sets and the image sets required by o. The source of page set i has the URL
// http://www.example.org/archive/I/index.html?rev=R with I of eight digits and R of one, or
// http://www.example.org/archive/I/photo.jpg if it is an image.
func Sets(n int, o Options) *Document {
	d := new(Document)
	g := generator{o: o, n: n, sink: (*documentSink)(d)}
	d.Root, d.Info = g.run()
	return d
}

// WriteSets writes the document Sets(n, o) as a file, holding only identifiers, cross-reference data, and the ends
// of leaves: a million sets take 300 to 600 MB. The order of objects in the file differs from that of
// Document.Encode. A linearized or hybrid layout is an error, as is an error of w.
func WriteSets(w io.Writer, n int, o Options, l Layout) error {
	l, err := l.check()
	if err == nil && (l.Linearized || l.XRef == Hybrid) {
		err = errors.New("a stream of objects cannot be linearized or hybrid")
	}
	if err != nil {
		return fmt.Errorf("webcapturetest: %w", err)
	}
	f := newFile(w, l, 0)
	g := generator{o: o, n: n, sink: (*fileSink)(f)}
	var r revision
	r.root, r.info = g.run()
	f.section(r, l.XRef, true, true)
	if f.flush(); f.err != nil {
		return fmt.Errorf("webcapturetest: %w", f.err)
	}
	return nil
}

// A sink receives objects in the order in which they are made. It must not keep the bytes.
type sink interface {
	reserve() int
	object(num int, body []byte)
	stream(num int, dict string, data []byte)
}

type documentSink Document

func (s *documentSink) reserve() int                { return (*Document)(s).Reserve() }
func (s *documentSink) object(num int, body []byte) { (*Document)(s).Set(num, string(body)) }
func (s *documentSink) stream(num int, dict string, data []byte) {
	(*Document)(s).SetStream(num, dict, data)
}

type fileSink file

func (s *fileSink) reserve() int { return (*file)(s).reserve() }
func (s *fileSink) object(num int, body []byte) {
	(*file)(s).object(num, 0, body, s.l.ObjectStreams > 0, false)
}
func (s *fileSink) stream(num int, dict string, data []byte) {
	(*file)(s).stream(num, 0, dict, data)
}

// A generator makes the objects of a content database.
type generator struct {
	o    Options
	n    int
	sink sink

	sets     []pageSet
	commands []int // their object numbers
	pages    []int
	nodes    []int // the lowest nodes of the page tree
	ids      []idEntry
	b        []byte
}

// run makes all objects and returns the numbers of the catalog and of the information dictionary.
func (g *generator) run() (root, info int) {
	root, info = g.sink.reserve(), g.sink.reserve()
	tree, names := g.sink.reserve(), g.sink.reserve()
	for range min(g.o.Commands, g.n) {
		g.commands = append(g.commands, g.sink.reserve())
	}
	for i := range g.commands {
		g.command(i)
	}
	g.sets = make([]pageSet, g.n)
	g.ids = make([]idEntry, 0, g.n)
	shared := min(g.o.Pages, g.n)
	for range shared {
		g.pages = append(g.pages, g.sink.reserve())
	}
	for i := range g.n {
		g.pageSet(i, shared)
	}
	g.pageTree(tree)
	urls := g.urlTree()
	slices.SortFunc(g.ids, func(a, b idEntry) int { return bytes.Compare(a.id[:], b.id[:]) })
	ids := g.idTree()

	g.sink.object(names, fmt.Appendf(nil, "<</IDS %d 0 R/URLS %d 0 R>>", ids, urls))
	g.sink.object(info, []byte("<</Producer(webcapturetest)/CreationDate"+fixedDate+">>"))
	spider := "<</V 1.25>>"
	if len(g.commands) > 0 {
		spider = fmt.Sprintf("<</V 1.25/C[%s]>>", references(g.commands))
	}
	g.sink.object(root, fmt.Appendf(nil, "<</Type/Catalog/Pages %d 0 R/Names %d 0 R/SpiderInfo%s>>", tree, names,
		spider))
	return root, info
}
