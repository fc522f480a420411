package rule

import (
	"cmp"
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// A Finding is a place where a file breaks a rule.
type Finding struct {
	Rule    *Rule
	Place   Place
	Message string // what is there and what would be right; lower case, no full stop
	Fix     *Fix   // nil if there is none, or none without guessing
}

// Level returns the level of the finding's rule.
func (f Finding) Level() Level { return f.Rule.Level }

// String returns the finding on one line: place, level, message, rule.
func (f Finding) String() string {
	return fmt.Sprintf("%v: %v: %s [%s]", f.Place, f.Level(), f.Message, f.Rule.ID)
}

// A Place is where in a database something is.
type Place struct {
	Tree string     // "URLS" or "IDS"; empty for a place outside the trees
	Node *NodePlace // nil for a tree as a whole
	Set  object.Ref // the content set; Num 0 if none is meant, or it has no number

	// Of places outside the trees.
	Part   string     // of the catalog, such as "SpiderInfo, command 2"
	Page   int        // number of a page in page order, from 1; 0 if none is meant
	Object object.Ref // the page, image or other object; with Set, a member of it

	// What the place is known by when objects have got other numbers. String and
	// Compare leave it out. ID has at most maxShown bytes.
	Key nametree.Key // of the pair; empty if none is meant, or it has none
	ID  nametree.Key // of the content set, or the one that the page or image carries; empty without one
}

// A NodePlace is a node of a tree, or a pair or kid of it.
type NodePlace struct {
	Ref   object.Ref // Num 0 for a node without number
	Index int        // position of the pair in Names, or of the kid in Kids; -1 for the node as a whole
	Kid   bool       // Index counts kids
	order int        // of the node within the tree, in the order of reading
}

// String returns the place as people read it, such as "URLS, entry 4 of node 12 0 R".
func (p Place) String() string {
	if p.Tree == "" {
		return p.outside()
	}
	if p.Node == nil {
		return p.Tree
	}
	s := p.Tree + ", " + p.Node.String()
	if p.Set.Num != 0 {
		s += fmt.Sprintf(", content set %v", p.Set)
	}
	return s
}

// outside is String for a place that is in neither tree.
func (p Place) outside() string {
	switch {
	case p.Part != "":
		return p.Part
	case p.Set.Num != 0 && p.Object.Num != 0:
		return fmt.Sprintf("content set %v, member %v", p.Set, p.Object)
	case p.Set.Num != 0:
		return fmt.Sprintf("content set %v", p.Set)
	case p.Page != 0 && p.Object.Num != 0:
		return fmt.Sprintf("page %d, %v", p.Page, p.Object)
	case p.Page != 0:
		return fmt.Sprintf("page %d", p.Page)
	case p.Object.Num != 0:
		return fmt.Sprintf("object %v", p.Object)
	}
	return "catalog"
}

// Position returns which node of its tree this is, as [nametree.Tree.Node]
// counts them. It is known only in the Report of the file that was audited.
func (n NodePlace) Position() int { return n.order }

// String returns the node's place within its tree. Entries and kids are counted from 1,
// and a node that has no number is not named.
func (n NodePlace) String() string {
	what := "entry"
	if n.Kid {
		what = "kid"
	}
	switch {
	case n.Index < 0 && n.Ref.Num == 0:
		return "a node without number"
	case n.Index < 0:
		return "node " + n.Ref.String()
	case n.Ref.Num == 0:
		return fmt.Sprintf("%s %d", what, n.Index+1)
	default:
		return fmt.Sprintf("%s %d of node %v", what, n.Index+1, n.Ref)
	}
}

// Compare orders places: URLS, IDS, what is outside; within a tree in reading
// order, the tree as a whole first.
func (p Place) Compare(q Place) int {
	if c := cmp.Compare(rank(p.Tree), rank(q.Tree)); c != 0 {
		return c
	}
	if c := p.Node.compare(q.Node); c != 0 {
		return c
	}
	return cmp.Or(
		p.Set.Compare(q.Set),
		cmp.Compare(p.Part, q.Part),
		cmp.Compare(p.Page, q.Page),
		p.Object.Compare(q.Object),
	)
}

// rank returns the place of a tree in the order of places; what is outside the
// trees comes after them.
func rank(tree string) webcapture.TreeName {
	if name, ok := webcapture.ParseTreeName(tree); ok {
		return name
	}
	return webcapture.TreeCount
}

func (n *NodePlace) compare(m *NodePlace) int {
	switch {
	case n == nil || m == nil:
		return cmp.Compare(b2i(n != nil), b2i(m != nil))
	case n.order != m.order:
		return cmp.Compare(n.order, m.order)
	case n.Kid != m.Kid:
		return cmp.Compare(b2i(n.Kid), b2i(m.Kid))
	}
	return cmp.Compare(n.Index, m.Index)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Compare orders findings by place, rule and message.
func (f Finding) Compare(g Finding) int {
	return cmp.Or(
		f.Place.Compare(g.Place),
		cmp.Compare(f.Rule.ID, g.Rule.ID),
		cmp.Compare(f.Message, g.Message),
	)
}

// PlaceOfContent returns the place of what entries lead to: the object itself, or
// what it stands in.
func PlaceOfContent(c *webcapture.Content) Place {
	at := Place{Set: c.Value}
	if c.Tree != nil {
		at = PlaceOf(c.Tree, c.Entry)
	}
	if c.Ref.Num != 0 {
		at.Set = c.Ref
	}
	return at
}

// PlaceOf returns the place of an entry of a tree.
func PlaceOf(tree *webcapture.Tree, e nametree.Entry) Place {
	at := (&Tree{Tree: tree}).at(e.Node, e.Pair, false)
	at.Key = e.Key
	return at
}
