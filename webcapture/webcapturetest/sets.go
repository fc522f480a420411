package webcapturetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Options shape the content database that Sets and WriteSets make. Every
// database is right by the standard, except as stated at Pages and TextIDs and for V, which
// is 1.25 as in all real files. Images, Shared, Mirrors and Aliases are distances:
// with k, page sets 0, k, 2k and so on have the feature; with 0 none has it.
type Options struct {
	// Leaf is the greatest number of entries in a leaf and of kids in a node.
	// With 0 the root holds all entries, as in the files that Acrobat writes.
	Leaf int

	// IndirectKeys makes each key of both trees a reference to a string object
	// that ID and AU refer to as well, as Acrobat does.
	IndirectKeys bool

	// LiteralIDs writes identifiers as literal strings instead of hexadecimal ones.
	LiteralIDs bool

	// TextIDs writes the keys of IDS as tools do that take identifiers for text: as
	// UTF-8 of the characters that the bytes are in Latin-1. Each key breaks a rule then.
	TextIDs bool

	// Images: the page shows an image that has an image set. The image's data
	// are a JPEG file, whose MD5 is the identifier of the set.
	Images int

	// Shared: the page set was made from an image file. A page set and an image
	// set then have one URL and one identifier, and the values in both trees
	// are arrays.
	Shared int

	// Mirrors: the page set has two sources, and SI is an array.
	Mirrors int

	// Aliases: the page set was reached through a redirection. AU is a URL
	// alias dictionary, and each URL of the chain is a key.
	Aliases int

	// Commands is the number of commands, which page sets name one after the other: one
	// that follows links, a form submission by GET, one by POST.
	Commands int

	// Pages, unless it is 0, is the number of pages that all page sets share.
	// A page of two page sets is against the standard; it makes smaller files.
	Pages int
}

const (
	fixedDate = "(D:20240102030405Z)"
	perNode   = 50 // kids of a node of the page tree
)

// Sets returns a document with n page sets and the image sets that o asks for.
// The source of page set i has the URL http://www.example.org/archive/I/index.html?rev=R
// with I of eight digits and R of one, or http://www.example.org/archive/I/photo.jpg
// if it is an image.
func Sets(n int, o Options) *Document {
	d := new(Document)
	g := generator{o: o, n: n, sink: (*documentSink)(d)}
	d.Root, d.Info = g.run()
	return d
}

// WriteSets writes what Sets(n, o) returns as a file, holding only identifiers,
// cross-reference data and the ends of leaves: a million sets take 300 to 600 MB.
// Objects stand in the file in another order than Document.Encode gives them. A
// linearized or hybrid layout is an error, as is an error of w.
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

// A sink takes objects in the order in which they are made. The bytes are the
// caller's again afterwards.
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

// run makes everything and returns the numbers of the catalog and of the
// information dictionary.
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
