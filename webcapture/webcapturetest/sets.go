package webcapturetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Options are properties of the content database of Sets and WriteSets. Each database follows the standard, except
// for Pages, TextIDs, and V, which is 1.25 as in all real files. Images, Shared, Mirrors, and Aliases are
// distances: with k, page sets 0, k, 2k, and so on have the feature; with 0, no page set has it.
type Options struct {
	// Leaf is the maximum number of entries in a leaf, and of kids in a node. If it is 0, the root has all entries,
	// as in files of Acrobat.
	Leaf int

	// IndirectKeys makes each key of both trees a reference to a string object. ID and AU refer to the same object,
	// as in files of Acrobat.
	IndirectKeys bool

	// LiteralIDs writes identifiers as literal strings instead of hexadecimal ones.
	LiteralIDs bool

	// TextIDs writes the keys of IDS like tools that treat identifiers as text: each byte is read as a Latin-1
	// character, and written in UTF-8. Each key then violates a rule.
	TextIDs bool

	// Images is the distance of page sets whose page shows an image with an image set. The data of the image are a
	// JPEG file. The MD5 of the file is the identifier of the image set.
	Images int

	// Shared is the distance of page sets made from an image file. Such a page set and an image set have the same
	// URL and the same identifier, so the values in both trees are arrays.
	Shared int

	// Mirrors is the distance of page sets with two sources, so that SI is an array.
	Mirrors int

	// Aliases is the distance of page sets reached through a redirect. AU is a URL alias dictionary, and each URL
	// of the chain is a key.
	Aliases int

	// Commands is the number of commands. Page sets refer to them in rotation. The kinds are also in rotation: a
	// command that follows links, a form submission by GET, and one by POST.
	Commands int

	// Pages, unless 0, is the number of pages that all page sets share. The standard does not allow a page in two
	// page sets, but sharing makes files smaller.
	Pages int
}

const (
	fixedDate = "(D:20240102030405Z)"
	perNode   = 50 // kids of each node of the page tree
)

// Sets returns a document with n page sets, and the image sets that o requires. The source of page set i has the
// URL http://www.example.org/archive/I/index.html?rev=R, with I of eight digits and R of one, or
// http://www.example.org/archive/I/photo.jpg if the source is an image.
func Sets(n int, o Options) *Document {
	d := new(Document)
	g := generator{o: o, n: n, sink: (*documentSink)(d)}
	d.Root, d.Info = g.run()
	return d
}

// WriteSets writes the document Sets(n, o) as a file. It keeps only identifiers, object numbers, cross-reference
// data, and the first and last keys of leaves in memory: 300 to 600 MB for a million sets. The order of objects in
// the file differs from Document.Encode. The error is that of w, or means that the layout is linearized or hybrid.
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

// A sink receives objects in the order of their creation. It must not keep body. It may keep the data of a stream.
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

// A generator makes the objects of a PDF document with a content database.
type generator struct {
	o    Options
	n    int
	sink sink

	sets     []pageSet
	commands []int // object numbers of the commands
	pages    []int
	nodes    []int // object numbers of the lowest nodes of the page tree
	ids      []idEntry
	b        []byte
}

// run makes all objects. It returns the numbers of the catalog and of the information dictionary.
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
