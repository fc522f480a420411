package diff

import (
	"cmp"
	"fmt"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

// Kind is the kind of a change.
type Kind uint8

// The kinds of changes.
const (
	Lost    Kind = iota // in A, not in B
	Added               // in B, not in A
	Changed             // in both, but different
)

// String returns the name of the kind in JSON.
func (k Kind) String() string { return [...]string{"lost", "added", "changed"}[k] }

// Change is one difference.
type Change struct {
	Kind  Kind
	Place Place
	A, B  string // descriptions of the contents in each file; may be empty
}

// Part is the kind of object that a Change is about.
type Part uint8

// The parts, in the order of changes. Each comment names the fields of Place that are set.
const (
	WholeTree    Part = iota // a whole tree: Tree
	TreeKey                  // a key: Tree, Key
	ContentSet               // a content set: Set; with Entry, an entry of it
	Source                   // a source of a content set: Set, Key is its URL; with Entry, an entry of the source
	Member                   // an element of O: Set, Index; with Entry, an entry of the page or image
	Info                     // SpiderInfo; with Entry, an entry of it
	Command                  // a command in SpiderInfo: Index; with Entry, an entry of the command
	PageOrder                // the order of pages in content sets
	PageID                   // an ID of pages in no content set: Key
	RetainedLink             // a URL in PA of links: Key

	parts
)

// String returns the name of the part in JSON.
func (p Part) String() string {
	return [parts]string{
		"tree", "key", "contentSet", "source", "member", "spiderInfo", "command", "pageOrder", "pageID", "link",
	}[p]
}

// Place is the place of a Change, in terms that are the same for both files. Fields that its Part does not name are
// zero.
type Place struct {
	Part  Part
	Tree  string // "URLS" or "IDS"
	Key   nametree.Key
	Set   Set
	Entry string
	Index int // index in O or C, from 0
}

// Set identifies a content set.
type Set struct {
	Subtype webcapture.Subtype
	ID      digest.ID
	HasID   bool
	URL     nametree.Key // URL of its first source; empty if it has none
}

// String describes the content set in words.
func (s Set) String() string {
	text := s.Subtype.String()
	if s.HasID {
		text += " " + nametree.Key(s.ID[:]).String()
	}
	switch {
	case s.URL != "":
		text += " of " + short(s.URL)
	case !s.HasID:
		text += " without ID"
	}
	return text
}

// String describes the place in words.
func (p Place) String() string {
	text := ""
	switch p.Part {
	case WholeTree:
		return p.Tree
	case TreeKey:
		return p.Tree + " key " + short(p.Key)
	case ContentSet:
		text = p.Set.String()
	case Source:
		text = p.Set.String() + ", source " + short(p.Key)
	case Member:
		text = fmt.Sprintf("%v, O element %d", p.Set, p.Index)
	case Info:
		text = "SpiderInfo"
	case Command:
		text = fmt.Sprintf("SpiderInfo, C element %d", p.Index)
	case PageOrder:
		return "order of pages in content sets"
	case PageID:
		return "pages in no content set with ID " + short(p.Key)
	default:
		return "links that keep " + short(p.Key)
	}
	if p.Entry != "" {
		text += ", " + p.Entry
	}
	return text
}

func short(k nametree.Key) string { return k.Shorten(maxShown) }

// compare orders places. Places in one content set are adjacent.
func (p *Place) compare(q *Place) int {
	return cmp.Or(
		-cmp.Compare(p.Tree, q.Tree),
		cmp.Compare(p.Set.Subtype-1, q.Set.Subtype-1), // places in no content set come last
		cmp.Compare(string(p.Set.ID[:]), string(q.Set.ID[:])),
		cmp.Compare(p.Set.URL, q.Set.URL),
		cmp.Compare(p.Part, q.Part),
		cmp.Compare(p.Key, q.Key),
		cmp.Compare(p.Index, q.Index),
		cmp.Compare(p.Entry, q.Entry),
	)
}

// compare orders changes by place.
func (c Change) compare(d Change) int {
	return cmp.Or(c.Place.compare(&d.Place), cmp.Compare(c.Kind, d.Kind), cmp.Compare(c.A, d.A), cmp.Compare(c.B, d.B))
}
