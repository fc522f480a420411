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
	ContentSet               // Set
	SetEntry                 // an entry of a content set: Set, Entry
	Source                   // a source of a content set: Set, Key is its URL; with Entry, an entry of the source
	Member                   // an element of O: Set, Index; with Entry, an entry of the page
	Info                     // an entry of SpiderInfo: Entry
	Command                  // a command in SpiderInfo: Key is its URL; with Entry, an entry of the command
	PageID                   // an ID of pages: Key
	RetainedLink             // a URL in PA of links: Key
	Destination              // a named destination of links: Key

	parts
)

// String returns the name of the part in JSON.
func (p Part) String() string {
	return [parts]string{
		"tree", "key", "contentSet", "entry", "source", "member", "spiderInfo", "command", "pageID", "link",
		"destination",
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
	Index int // index in O, from 0
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

// maxShown is the maximum number of bytes of a key in a text.
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

// rank returns the part for sorting. Parts of a content set have the same rank, so that changes of one content set are
// adjacent.
func (p Part) rank() Part {
	switch p {
	case SetEntry, Source, Member:
		return ContentSet
	}
	return p
}
