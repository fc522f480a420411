package webcapturetest

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// pageParent returns the object number of the parent of page i.
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

// pageTree adds the nodes above the pages. The root has the number root.
func (g *generator) pageTree(root int) {
	if len(g.pages) == 0 {
		page := g.sink.reserve()
		g.sink.object(page, fmt.Appendf(nil, "<</Type/Page/Parent %d 0 R>>", g.pageParent(0)))
		g.pages = append(g.pages, page)
	}
	kids, nodes := g.pages, g.nodes
	span := 1 // number of pages below each kid
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
	g.sink.object(root, fmt.Appendf(nil, "<</Type/Pages/Count %d/Kids[%s]/MediaBox[0 0 612 792]/Resources<<>>>>",
		len(g.pages), references(kids)))
}

// pageNode adds a node with at most count pages, starting with page first.
func (g *generator) pageNode(num, parent int, kids []int, first, count int) {
	g.sink.object(num, fmt.Appendf(nil, "<</Type/Pages/Parent %d 0 R/Count %d/Kids[%s]>>",
		parent, min(count, len(g.pages)-first), references(kids)))
}

// An idEntry is an entry of IDS.
type idEntry struct {
	id         [md5.Size]byte
	key        int // number of the string object, or 0
	set, other int // numbers of the sets; if other is not 0, the value is an array
}

// urlTree adds the URLS tree and returns its root.
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
		if every(g.o.Aliases, i) && g.shared(i) { // in sort order, "old" is between "index.html" and "photo.jpg"
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

// idTree adds the IDS tree and returns its root.
func (g *generator) idTree() int {
	t := treeBuilder{sink: g.sink, leaf: g.o.Leaf}
	write := appendHex
	if g.o.LiteralIDs {
		write = appendLiteral
	}
	if g.o.TextIDs { // the order must be that of the encoded bytes
		write = func(dst, id []byte) []byte {
			var text []byte
			for _, c := range id {
				text = utf8.AppendRune(text, rune(c))
			}
			return appendHex(dst, text)
		}
	}
	for _, e := range g.ids {
		t.add(e.id[:], write, e.key, e.set, e.other)
	}
	return t.root()
}

// A treeBuilder builds a balanced name tree from sorted entries.
type treeBuilder struct {
	sink sink
	leaf int // 0 for a single node

	names  []byte // Names of the current leaf
	count  int
	lo, hi []byte // first and last key of the current leaf, as strings in the file
	nodes  []treeNode
}

type treeNode struct {
	num    int
	lo, hi []byte
}

// add appends an entry. write writes the key, unless keyNum is the number of a string object with the key. The
// value is a reference to set, or an array of set and other.
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

// root adds the nodes above the leaves, and returns the object number of the root.
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
