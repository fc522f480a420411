package rule

import (
	"cmp"
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Finding is a violation of a rule at a place.
type Finding struct {
	Rule    *Rule
	Place   Place
	Message string // the value found and the value expected; lower case, no full stop
	Fix     *Fix   // nil if there is no repair, or only a guessed one
}

// Level returns the level of the finding's rule.
func (f Finding) Level() Level { return f.Rule.Level }

// String returns the finding on one line: place, level, message, rule.
func (f Finding) String() string {
	return fmt.Sprintf("%v: %v: %s [%s]", f.Place, f.Level(), f.Message, f.Rule.ID)
}

// Place is a location in a content database.
type Place struct {
	Tree string     // "URLS" or "IDS"; empty for a place outside the trees
	Node *NodePlace // nil for the whole tree
	Set  object.Ref // the content set; Num 0 for a direct object, or if the place is not about a content set

	// Only for places outside the trees.
	Part   string     // part of the catalog, such as "SpiderInfo, command 2"
	Page   int        // page number, from 1; 0 if the place is not about a page
	Object object.Ref // the page, image, or other object; a member of Set if Set is not zero

	// Key and ID identify the place after object numbers have changed. String and Compare ignore them. ID has at most
	// MaxShown bytes.
	Key nametree.Key // key of the pair; empty if the place is not about a pair, or the pair has no key
	ID  nametree.Key // ID of the content set, page, or image; empty if it has none
}

// NodePlace is a node of a name tree, or a pair or kid of the node.
type NodePlace struct {
	Ref   object.Ref // Num 0 for a direct object
	Index int        // index of the pair in Names, or of the kid in Kids; -1 for the whole node
	Kid   bool       // Index is an index in Kids
	order int        // index of the node in the tree, in reading order
}

// String returns the place for messages, such as "URLS, entry 4 of node 12 0 R".
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

// outside returns the text of a place outside the trees.
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

// Position returns the index of the node, for [nametree.Tree.Node]. It is known only in the Report of the audited file.
func (n NodePlace) Position() int { return n.order }

// String returns the node's place within its tree. Entries and kids are counted from 1. A direct node is not named.
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

// Compare orders places: URLS, IDS, then places outside the trees. Within a tree, the whole tree comes first, then
// nodes in reading order.
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

// rank returns the position of a tree in the order of places. Places outside the trees come last.
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

// Compare orders findings by place, then rule, then message.
func (f Finding) Compare(g Finding) int {
	return cmp.Or(
		f.Place.Compare(g.Place),
		cmp.Compare(f.Rule.ID, g.Rule.ID),
		cmp.Compare(f.Message, g.Message),
	)
}

// PlaceOfContent returns the place of a content set or other value of an entry: its object, or the entry that contains
// it.
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

// Repairable reports whether a rewrite repairs the finding without a request for its rule.
func (f *Finding) Repairable() bool { return f.Fix != nil && !f.Rule.OnRequest }
