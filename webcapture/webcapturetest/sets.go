package webcapturetest

import (
	"bytes"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Options shape the content database that Sets and WriteSets make. Every
// database is right by the standard, except as stated at Pages and for V, which
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

	// Commands is the number of commands, which page sets name in turn: one
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

// A pageSet is the object numbers that belong to page set i; 0 if there is none.
// The second set is the image set of the same source or of the page's image.
type pageSet struct {
	set, image         int
	url, imageURL      int // string objects, for indirect keys
	mirrorURL, chained int
}

// An idEntry is an entry of IDS.
type idEntry struct {
	id         [md5.Size]byte
	key        int // the string object, or 0
	set, other int // other, unless 0, makes the value an array
}

func every(k, i int) bool { return k > 0 && i%k == 0 }

func (g *generator) shared(i int) bool { return every(g.o.Shared, i) }
func (g *generator) image(i int) bool  { return !g.shared(i) && every(g.o.Images, i) }

const archive = "http://www.example.org/archive/"

func (g *generator) url(dst []byte, i int) []byte {
	dst = appendPadded(append(dst, archive...), int64(i), 8)
	if g.shared(i) {
		return append(dst, "/photo.jpg"...)
	}
	dst = append(dst, "/index.html?rev="...)
	return append(dst, byte('0'+i%7))
}

func imageURL(i int) []byte   { return fmt.Appendf(nil, archive+"%08d/image.jpg", i) }
func chainedURL(i int) []byte { return fmt.Appendf(nil, archive+"%08d/old", i) }
func mirrorURL(i int) []byte {
	return fmt.Appendf(nil, "http://mirror.example.org/archive/%08d", i)
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
	g.sink.object(root, fmt.Appendf(nil, "<</Type/Catalog/Pages %d 0 R/Names %d 0 R/SpiderInfo%s>>", tree, names, spider))
	return root, info
}

func references(nums []int) string {
	var b strings.Builder
	for i, n := range nums {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%d 0 R", n)
	}
	return b.String()
}

// Kinds of commands, and the value of S in a source information that names one.
const (
	followLinks = iota
	submitGET
	submitPOST
)

func (g *generator) commandKind(i int) int {
	if g.shared(i) {
		return followLinks // the URL of an image has no query to submit
	}
	return i % 3
}

func (g *generator) command(i int) {
	b := append([]byte("<</URL"), appendLiteral(nil, g.url(nil, i))...)
	switch g.commandKind(i) {
	case followLinks:
		b = append(b, "/L 2/F 1/S<</G<</AU true>>/C<</ADBE:H2PDF:1.0:HTML<<>>>>>>"...)
	case submitGET:
		b = append(b, "/F 4"...)
	case submitPOST:
		b = append(b, `/P(q=web+capture&n=1)/CT(application/x-www-form-urlencoded)/H(Accept: text/html\r\n)`...)
	}
	g.sink.object(g.commands[i], append(b, ">>"...))
}

// pageSet makes page set i with its page, image and image set.
func (g *generator) pageSet(i, sharedPages int) {
	s := &g.sets[i]
	u := g.url(nil, i)
	id, imageID, jpeg := g.digests(i, u)
	s.set = g.sink.reserve()
	idText, urlText := g.id(id), appendLiteral(nil, u)
	entry := idEntry{id: id, set: s.set}
	if g.o.IndirectKeys {
		idText, entry.key = g.indirect(idText)
		urlText, s.url = g.indirect(urlText)
	}
	resources := ""
	if jpeg != nil {
		image := g.imageSet(i, imageID, jpeg, idText, urlText)
		if g.shared(i) {
			entry.other = s.image
		}
		resources = fmt.Sprintf("/Resources<</XObject<</Im0 %d 0 R>>>>", image)
	}
	g.ids = append(g.ids, entry)

	var page int
	if sharedPages > 0 {
		page = g.pages[i%sharedPages]
	} else {
		page = g.sink.reserve()
		g.pages = append(g.pages, page)
	}

	b := append(g.b[:0], "<</S/SPS/ID "...)
	b = append(b, idText...)
	b = append(b, "/O["...)
	b = strconv.AppendInt(b, int64(page), 10)
	b = append(b, " 0 R]/SI"...)
	b = g.sources(b, i, urlText)
	if g.shared(i) {
		b = append(b, "/CT(image/jpeg)"...)
	} else {
		b = append(b, "/CT(text/html)"...)
	}
	b = append(b, "/T(Page "...)
	b = strconv.AppendInt(b, int64(i), 10)
	b = append(b, ")/TS"+fixedDate+">>"...)
	g.sink.object(s.set, b)
	g.b = b

	if sharedPages == 0 || i < sharedPages {
		g.page(page, g.pageParent(i), idText, resources)
	}
}

// digests returns the identifiers of page set i and of its image, and the data of
// the image, nil if there is none.
func (g *generator) digests(i int, url []byte) (id, imageID [md5.Size]byte, jpeg []byte) {
	if g.shared(i) || g.image(i) {
		jpeg = jpegFile(i)
		imageID = md5.Sum(jpeg)
	}
	if g.shared(i) {
		return imageID, imageID, jpeg
	}
	// The page set's data, then the identifier of the image that it refers to.
	h := md5.New()
	h.Write([]byte("<html><title>"))
	h.Write(url)
	if g.image(i) {
		h.Write([]byte(`</title><img src="image.jpg"></html>`))
		h.Write(imageID[:])
	} else {
		h.Write([]byte("</title></html>"))
	}
	h.Sum(id[:0])
	return id, imageID, jpeg
}

// imageSet makes the image of page set i with its image set, and returns the number
// of the image. idText and urlText are those of the page set, which an image that is
// its source shares.
func (g *generator) imageSet(i int, id [md5.Size]byte, jpeg, idText, urlText []byte) int {
	s := &g.sets[i]
	image := g.sink.reserve()
	s.image = g.sink.reserve()
	if !g.shared(i) {
		e := idEntry{id: id, set: s.image}
		idText, urlText = g.id(id), appendLiteral(nil, imageURL(i))
		if g.o.IndirectKeys {
			idText, e.key = g.indirect(idText)
			urlText, s.imageURL = g.indirect(urlText)
		}
		g.ids = append(g.ids, e)
	}
	g.sink.stream(image, "/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/ID "+string(idText), jpeg)
	g.sink.object(s.image, fmt.Appendf(nil, "<</S/SIS/ID %s/O[%d 0 R]/R 1/SI<</AU %s/TS%s>>/TS%s>>",
		idText, image, urlText, fixedDate, fixedDate))
	return image
}

// sources appends SI of page set i: one source, or an array of two. Strings that
// become objects of their own are made on the way.
func (g *generator) sources(b []byte, i int, urlText []byte) []byte {
	s := &g.sets[i]
	if every(g.o.Mirrors, i) {
		b = append(b, '[')
	}
	b = append(b, "<</AU "...)
	if every(g.o.Aliases, i) {
		old := appendLiteral(nil, chainedURL(i))
		if g.o.IndirectKeys {
			old, s.chained = g.indirect(old)
		}
		b = append(append(append(b, "<</U "...), urlText...), "/C[["...)
		b = append(append(b, old...), "]]>>"...)
	} else {
		b = append(b, urlText...)
	}
	b = append(b, "/TS"+fixedDate...)
	if len(g.commands) > 0 {
		c := i % len(g.commands)
		b = fmt.Appendf(b, "/S %d/C %d 0 R", g.commandKind(c), g.commands[c])
	}
	b = append(b, ">>"...)
	if every(g.o.Mirrors, i) {
		m := appendLiteral(nil, mirrorURL(i))
		if g.o.IndirectKeys {
			m, s.mirrorURL = g.indirect(m)
		}
		b = append(append(append(b, "<</AU "...), m...), "/TS"+fixedDate+">>]"...)
	}
	return b
}

// id returns an identifier as a string in the form that is asked for.
func (g *generator) id(id [md5.Size]byte) []byte {
	if g.o.LiteralIDs {
		return appendLiteral(nil, id[:])
	}
	return appendHex(nil, id[:])
}

// indirect makes the string an object and returns a reference to it.
func (g *generator) indirect(s []byte) (ref []byte, num int) {
	num = g.sink.reserve()
	g.sink.object(num, s)
	return append(strconv.AppendInt(nil, int64(num), 10), " 0 R"...), num
}

// pageParent returns the number of the node that page i hangs from.
func (g *generator) pageParent(i int) int {
	for len(g.nodes) <= i/perNode {
		g.nodes = append(g.nodes, g.sink.reserve())
	}
	return g.nodes[i/perNode]
}

func (g *generator) page(num, parent int, id []byte, resources string) {
	b := append(g.b[:0], "<</Type/Page/Parent "...)
	b = strconv.AppendInt(b, int64(parent), 10)
	b = append(b, " 0 R/ID "...)
	b = append(b, id...)
	b = append(b, resources...)
	g.b = append(b, ">>"...)
	g.sink.object(num, g.b)
}

// pageTree makes the nodes above the pages. The root has the given number.
func (g *generator) pageTree(root int) {
	if len(g.pages) == 0 {
		page := g.sink.reserve()
		g.sink.object(page, fmt.Appendf(nil, "<</Type/Page/Parent %d 0 R>>", g.pageParent(0)))
		g.pages = append(g.pages, page)
	}
	kids, nodes := g.pages, g.nodes
	span := 1 // pages below each kid
	for {
		var up []int
		if len(nodes) > perNode {
			for range (len(nodes) + perNode - 1) / perNode {
				up = append(up, g.sink.reserve())
			}
		}
		for i, node := range nodes {
			parent := root
			if up != nil {
				parent = up[i/perNode]
			}
			g.pageNode(node, parent, kids[i*perNode:min((i+1)*perNode, len(kids))], i*perNode*span, perNode*span)
		}
		kids, span = nodes, span*perNode
		if up == nil {
			break
		}
		nodes = up
	}
	g.sink.object(root, fmt.Appendf(nil, "<</Type/Pages/Count %d/Kids[%s]/MediaBox[0 0 612 792]/Resources<<>>>>", len(g.pages), references(kids)))
}

// pageNode makes a node with the pages from first on, count at most.
func (g *generator) pageNode(num, parent int, kids []int, first, count int) {
	g.sink.object(num, fmt.Appendf(nil, "<</Type/Pages/Parent %d 0 R/Count %d/Kids[%s]>>",
		parent, min(count, len(g.pages)-first), references(kids)))
}

// urlTree makes the URLS tree and returns its root.
func (g *generator) urlTree() int {
	t := treeBuilder{sink: g.sink, leaf: g.o.Leaf}
	for i, s := range g.sets {
		if every(g.o.Mirrors, i) {
			t.add(mirrorURL(i), appendLiteral, s.mirrorURL, s.set, 0)
		}
	}
	var u []byte
	for i, s := range g.sets {
		if g.image(i) {
			t.add(imageURL(i), appendLiteral, s.imageURL, s.image, 0)
		}
		if every(g.o.Aliases, i) && g.shared(i) { // "old" stands before "photo.jpg", but behind "index.html"
			t.add(chainedURL(i), appendLiteral, s.chained, s.set, 0)
		}
		u = g.url(u[:0], i)
		other := 0
		if g.shared(i) {
			other = s.image
		}
		t.add(u, appendLiteral, s.url, s.set, other)
		if every(g.o.Aliases, i) && !g.shared(i) {
			t.add(chainedURL(i), appendLiteral, s.chained, s.set, 0)
		}
	}
	return t.root()
}

// idTree makes the IDS tree and returns its root.
func (g *generator) idTree() int {
	t := treeBuilder{sink: g.sink, leaf: g.o.Leaf}
	write := appendHex
	if g.o.LiteralIDs {
		write = appendLiteral
	}
	for _, e := range g.ids {
		t.add(e.id[:], write, e.key, e.set, e.other)
	}
	return t.root()
}

// A treeBuilder makes a balanced name tree from entries in order.
type treeBuilder struct {
	sink sink
	leaf int // 0: one node

	names  []byte // of the leaf being filled
	count  int
	lo, hi []byte // its first and last key, as strings in the file
	nodes  []treeNode
}

type treeNode struct {
	num    int
	lo, hi []byte
}

// add appends an entry. The key is written by write, unless it is the string
// object keyNum; the value is a reference to set, or an array of two.
func (t *treeBuilder) add(key []byte, write func(dst, b []byte) []byte, keyNum, set, other int) {
	if t.leaf > 0 && t.count == t.leaf {
		t.closeLeaf()
	}
	t.hi = write(t.hi[:0], key)
	if t.count == 0 {
		t.lo = bytes.Clone(t.hi)
	} else {
		t.names = append(t.names, ' ')
	}
	if keyNum > 0 {
		t.names = strconv.AppendInt(t.names, int64(keyNum), 10)
		t.names = append(t.names, " 0 R "...)
	} else {
		t.names = append(t.names, t.hi...)
	}
	if other > 0 {
		t.names = fmt.Appendf(t.names, "[%d 0 R %d 0 R]", set, other)
	} else {
		t.names = append(strconv.AppendInt(t.names, int64(set), 10), " 0 R"...)
	}
	t.count++
}

func (t *treeBuilder) closeLeaf() {
	n := treeNode{t.sink.reserve(), t.lo, bytes.Clone(t.hi)}
	t.sink.object(n.num, fmt.Appendf(nil, "<</Limits[%s%s]/Names[%s]>>", n.lo, n.hi, t.names))
	t.nodes = append(t.nodes, n)
	t.names, t.count = t.names[:0], 0
}

// root makes the nodes above the leaves and returns the root's number.
func (t *treeBuilder) root() int {
	root := t.sink.reserve()
	if len(t.nodes) == 0 {
		t.sink.object(root, fmt.Appendf(nil, "<</Names[%s]>>", t.names))
		return root
	}
	t.closeLeaf()
	for fan := max(t.leaf, 2); len(t.nodes) > fan; {
		var up []treeNode
		for kids := range slices.Chunk(t.nodes, fan) {
			n := treeNode{t.sink.reserve(), kids[0].lo, kids[len(kids)-1].hi}
			t.sink.object(n.num, fmt.Appendf(nil, "<</Limits[%s%s]/Kids[%s]>>", n.lo, n.hi, kidReferences(kids)))
			up = append(up, n)
		}
		t.nodes = up
	}
	t.sink.object(root, fmt.Appendf(nil, "<</Kids[%s]>>", kidReferences(t.nodes)))
	return root
}

func kidReferences(nodes []treeNode) string {
	nums := make([]int, len(nodes))
	for i, n := range nodes {
		nums[i] = n.num
	}
	return references(nums)
}

// jpegFile returns a JPEG file of 8 by 8 grey samples that says i in a comment.
func jpegFile(i int) []byte {
	comment := strconv.Itoa(i)
	return slices.Concat(greyJPEG[:2], []byte{0xff, 0xfe, 0, byte(len(comment) + 2)}, []byte(comment), greyJPEG[2:])
}
