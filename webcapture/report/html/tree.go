package html

import (
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/outline"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// The drawing of a tree. Each node is a box in lines of its own, indented by its depth. So a wide tree makes the
// drawing longer, but not wider. Numbers are pixels.
const (
	treeWidth   = 880
	treeIndent  = 28
	treeDeepest = 12 // deeper nodes are not indented further
	treeGap     = 10 // between boxes
	treePad     = 10 // within a box
	treeLine    = 19 // height of a line of text
	treeChar    = 7.3
	treeCells   = 64 // cells of a leaf; if there are more pairs, several share a cell
	treeCell    = 4
)

// A treeDrawing is a name tree and its drawing.
type treeDrawing struct {
	Name         string
	Nodes, Pairs int // in the drawing
	NodesLeft    int
	Faulty       int        // number of nodes with findings
	Level        rule.Level // highest level of these findings
	Prefix       string     // common prefix of the keys, omitted in labels; empty if it is short
	Link         findingLink
	Width        int
	Height       int
	Boxes        []nodeBox
}

// A nodeBox is a node in the drawing.
type nodeBox struct {
	Class         string
	Path          string // path of the line from the parent; empty for the root
	X, Y, W, H    int
	Title, Counts string
	Link          findingLink // link to the findings about the node as a whole
	Linked        bool        // another line already has the link
	worst         rule.Level
	prefix        string // common prefix, omitted in labels
	Lines         []textLine
	Cells         []pairCell
	TextX, TextY  int
}

// A textLine is a line of text in a box.
type textLine struct {
	Y     int
	Class string
	Text  string // shortened to the width of the box
	Full  string // full text; empty if it was not shortened
	Link  findingLink
}

// A pairCell is the cell of one pair of a leaf, or of several consecutive pairs.
type pairCell struct {
	X, Y, W, H int
	Class      string
}

func newTreeDrawing(t *outline.Tree, links *findingLinks) treeDrawing {
	prefix := commonPrefix(t)
	out := treeDrawing{
		Name: layout.Printable(t.Name), Nodes: len(t.Nodes), NodesLeft: t.NodesLeft, Width: treeWidth,
		Link: links.at[rule.Place{Tree: t.Name}.String()], Prefix: strings.TrimPrefix(prefix, "("),
	}
	drawn := make([]int, len(t.Nodes)) // by node: number of kids drawn so far
	for i := range t.Nodes {
		if p := t.Nodes[i].Parent; p >= 0 {
			drawn[p]++
		}
	}
	y := 4
	for i := range t.Nodes {
		n := &t.Nodes[i]
		at := rule.Place{Tree: t.Name, Node: &rule.NodePlace{Ref: n.Ref, Index: -1}}
		box := nodeBox{Class: "node", X: 4 + treeIndent*min(max(n.Depth, 0), treeDeepest), Y: y, Link: links.at[at.String()],
			prefix: prefix}
		box.W = treeWidth - 4 - box.X
		box.TextX, box.TextY = box.X+treePad, y+treePad+treeLine-8
		box.describe(n)
		if n.Parent >= 0 {
			above := &out.Boxes[n.Parent]
			box.Path = fmt.Sprintf("M%d %dV%dH%d", above.X+treeIndent/2, above.Y+above.H, y+treePad+treeLine/2-2, box.X)
		}
		box.badPairs(t.Name, n, links)
		if left := n.Kids - drawn[i]; left > 0 {
			box.line("left", layout.Count(left, "node")+" below it not drawn", findingLink{})
		}
		if n.Fault != outline.LimitsRight || len(n.Bad) > 0 || box.Link.N > 0 {
			out.Faulty++
			box.worst = box.Link.Level
			for _, p := range links.pairs[treeNode{t.Name, n.Ref}] {
				box.worst = max(box.worst, p.level)
			}
			box.Class += " faulty " + box.worst.String()
			out.Level = max(out.Level, box.worst)
		}
		box.cells(n, links.pairs[treeNode{t.Name, n.Ref}])
		box.H = treePad + treeLine*(1+len(box.Lines)) + treePad - 4
		out.Pairs += n.Pairs
		out.Boxes = append(out.Boxes, box)
		y += box.H + treeGap
	}
	out.Height = y
	return out
}

// describe adds the text about a node and its Limits.
func (b *nodeBox) describe(n *outline.Node) {
	b.Title = "node without number"
	if n.Ref.Num != 0 {
		b.Title = "node " + n.Ref.String()
	}
	if n.Parent < 0 {
		b.Title += ", root"
	}
	switch {
	case n.Kids > 0 && n.Pairs > 0:
		b.Counts = layout.Count(n.Kids, "kid") + ", " + layout.Count(n.Pairs, "pair")
	case n.Kids > 0:
		b.Counts = layout.Count(n.Kids, "kid")
	default:
		b.Counts = "leaf, " + layout.Count(n.Pairs, "pair")
	}
	b.Linked = n.Fault != outline.LimitsRight
	switch {
	case n.Fault != outline.LimitsRight && n.Limits != nil:
		b.line("wrong", "✕ Limits "+n.Fault.String()+": "+b.limits(n.Limits), b.Link)
	case n.Fault != outline.LimitsRight:
		b.line("wrong", "✕ Limits "+n.Fault.String(), b.Link)
	case n.Limits != nil:
		b.line("limits", "Limits "+b.limits(n.Limits), findingLink{})
	case n.Pairs > 0:
		b.line("limits", "keys "+b.limits(&nametree.Limits{Least: n.First, Greatest: n.Last}), findingLink{})
	}
	if n.Fault != outline.LimitsRight && n.Fault != outline.LimitsOnRoot && n.Bounds != nil {
		b.line("limits", "should be "+b.limits(n.Bounds), findingLink{})
	}
}

func (b *nodeBox) limits(l *nametree.Limits) string {
	const room = 47
	least, greatest := b.label(l.Least), b.label(l.Greatest)
	return "[" + layout.ShortenMiddle(least, room) + " " + layout.ShortenMiddle(greatest, room) + "]"
}

// label returns a key as a label, without the common prefix of the tree.
func (b *nodeBox) label(k nametree.Key) string {
	text := k.String()
	if rest, ok := strings.CutPrefix(text, b.prefix); ok && b.prefix != "" {
		return "(…" + rest
	}
	return text
}

// commonPrefix returns the common prefix, up to a slash, of all keys that labels show as literal strings. It
// includes the parenthesis. It is empty if the prefix is short.
func commonPrefix(t *outline.Tree) string {
	const short = 12
	prefix, none := "", true
	note := func(k nametree.Key) {
		text := k.String()
		switch {
		case !strings.HasPrefix(text, "("):
		case none:
			prefix, none = text, false
		default:
			n := 0
			for n < min(len(prefix), len(text)) && prefix[n] == text[n] {
				n++
			}
			prefix = prefix[:n]
		}
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Pairs > 0 {
			note(n.First)
			note(n.Last)
		}
		for _, l := range []*nametree.Limits{n.Limits, n.Bounds} {
			if l != nil {
				note(l.Least)
				note(l.Greatest)
			}
		}
		for _, p := range n.Bad {
			if p.Entry {
				note(p.Key)
			}
		}
	}
	if prefix = prefix[:strings.LastIndexByte(prefix, '/')+1]; len(prefix) < short {
		return ""
	}
	return prefix
}

// line adds a line of text.
func (b *nodeBox) line(class, text string, link findingLink) {
	y := b.Y + treePad + treeLine*(len(b.Lines)+2) - 6
	short := layout.ShortenMiddle(text, int(float64(b.W-2*treePad)/treeChar))
	line := textLine{Y: y, Class: class, Text: short, Link: link}
	if short != text {
		line.Full = text
	}
	b.Lines = append(b.Lines, line)
}

// badPairs adds a line for each pair with findings.
func (b *nodeBox) badPairs(tree string, n *outline.Node, links *findingLinks) {
	for _, p := range n.Bad {
		link := links.at[pairPlace(tree, n, p.Index)]
		text := fmt.Sprintf("✕ entry %d has no key", p.Index+1)
		if p.Entry {
			text = fmt.Sprintf("✕ entry %d: %s", p.Index+1, b.label(p.Key))
		}
		b.line("bad is-"+link.Class(), text, link)
	}
	if n.BadLeft > 0 {
		b.line("left", layout.Count(n.BadLeft, "bad pair")+" more", findingLink{})
	}
}

func pairPlace(tree string, n *outline.Node, pair int) string {
	return rule.Place{Tree: tree, Node: &rule.NodePlace{Ref: n.Ref, Index: pair}}.String()
}

// cells draws the pairs of a leaf. The highest level of its findings determines the color of a cell.
func (b *nodeBox) cells(n *outline.Node, bad []badPair) {
	cells := min(n.Pairs, treeCells)
	if cells <= 0 {
		return
	}
	x := b.X + b.W - treePad - cells*(treeCell+1)
	for i := range cells {
		b.Cells = append(b.Cells, pairCell{x + i*(treeCell+1), b.Y + treePad, treeCell, 10, "cell"})
	}
	worst := make(map[int]rule.Level)
	for _, p := range bad {
		i := int(float64(p.index) / float64(n.Pairs) * float64(cells)) // bad pairs may exceed the range
		i = min(i, cells-1)
		worst[i] = max(worst[i], p.level)
		c := &b.Cells[i]
		c.Class = "cell is-" + worst[i].String()
		c.Y, c.H = b.Y+treePad-3, 16
	}
}
