package diff

import (
	"cmp"
	"fmt"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

// A Kind is the kind of a change.
type Kind uint8

// The kinds of changes.
const (
	Lost    Kind = iota // it is in A and not in B
	Added               // it is in B and not in A
	Changed             // it is in both, and not the same
)

// String returns the kind as JSON has it.
func (k Kind) String() string { return [...]string{"lost", "added", "changed"}[k] }

// A Change is one difference.
type Change struct {
	Kind  Kind
	Place Place
	A, B  string // the contents of each file in words; may be empty
}

// A Part is the kind of thing that a Change is about.
type Part uint8

// The parts, in the order in which changes are listed.
const (
	WholeTree    Part = iota // a tree: Tree
	TreeKey                  // a key: Tree, Key
	ContentSet               // Set
	SetEntry                 // an entry of a content set: Set, Entry
	Source                   // a source of a content set: Set, Key is its URL; with Entry, that
	Member                   // an element of O: Set, Index; with Entry, that of the page
	Info                     // an entry of SpiderInfo: Entry
	Command                  // a command in SpiderInfo: Key is its URL; with Entry, that
	PageID                   // an ID that pages carry: Key
	RetainedLink             // a URL that links keep in PA: Key
	Destination              // a named destination that links lead to: Key

	parts
)

// String returns the part as JSON has it.
func (p Part) String() string {
	return [parts]string{
		"tree", "key", "contentSet", "entry", "source", "member", "spiderInfo", "command", "pageID", "link",
		"destination",
	}[p]
}

// A Place says where a Change is, in terms that both files share. The
// fields that its Part does not name are zero.
type Place struct {
	Part  Part
	Tree  string // "URLS" or "IDS"
	Key   nametree.Key
	Set   Set
	Entry string
	Index int // in O, from 0
}

// A Set names a content set.
type Set struct {
	Subtype webcapture.Subtype
	ID      digest.ID
	HasID   bool
	URL     nametree.Key // of its first source; empty if it has none
}

// String describes the set for people.
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

// String describes the place for people.
func (p Place) String() string {
	switch p.Part {
	case WholeTree:
		return p.Tree
	case TreeKey:
		return p.Tree + " key " + short(p.Key)
	case ContentSet:
		return p.Set.String()
	case SetEntry:
		return p.Set.String() + ", " + p.Entry
	case Source:
		text := p.Set.String() + ", source " + short(p.Key)
		if p.Entry != "" {
			text += ", " + p.Entry
		}
		return text
	case Member:
		text := fmt.Sprintf("%v, O element %d", p.Set, p.Index)
		if p.Entry != "" {
			text += ", " + p.Entry
		}
		return text
	case Info:
		if p.Entry == "" {
			return "SpiderInfo"
		}
		return "SpiderInfo, " + p.Entry
	case Command:
		text := "SpiderInfo, command " + short(p.Key)
		if p.Entry != "" {
			text += ", " + p.Entry
		}
		return text
	case PageID:
		return "pages with ID " + short(p.Key)
	case RetainedLink:
		return "links that keep " + short(p.Key)
	default:
		return "destination " + short(p.Key)
	}
}

// maxShown is how many bytes of a key a text shows at most.
const maxShown = 512

func short(k nametree.Key) string { return k.Shorten(maxShown) }

// compare orders changes by place.
func (c Change) compare(d Change) int {
	p, q := c.Place, d.Place
	return cmp.Or(
		cmp.Compare(p.Part.rank(), q.Part.rank()),
		-cmp.Compare(p.Tree, q.Tree), // URLS before IDS
		cmp.Compare(p.Set.Subtype, q.Set.Subtype),
		cmp.Compare(string(p.Set.ID[:]), string(q.Set.ID[:])),
		cmp.Compare(p.Set.URL, q.Set.URL),
		cmp.Compare(p.Part, q.Part),
		cmp.Compare(p.Key, q.Key),
		cmp.Compare(p.Entry, q.Entry),
		cmp.Compare(p.Index, q.Index),
		cmp.Compare(c.Kind, d.Kind),
		cmp.Compare(c.A, d.A),
		cmp.Compare(c.B, d.B),
	)
}

// rank is the part, except that what is about one content set stands together.
func (p Part) rank() Part {
	if p > ContentSet && p <= Member {
		return ContentSet
	}
	return p
}
