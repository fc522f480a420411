package audit

import (
	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// A Pass is what a check is given: the database that is audited, a reader, and
// the place to report to. It serves one goroutine.
type Pass struct {
	DB     *webcapture.Database
	Reader *webcapture.Reader

	rule  *Rule // whose check is running
	run   *run
	found found
	fresh int64 // findings since they were counted

	digests [proofs]int // images, by proof
	failed  error       // to read the file, which no check can tell its caller

	lastDate    dateMemo
	spent, read int64 // see spend
	over        bool
}

// Reportf records that the rule whose check is running is broken at a place.
// The message says what is there and what would be right.
func (p *Pass) Reportf(at Place, fix *Fix, format string, args ...any) {
	p.spend(findingCost)
	shorten(args)
	if s := (statement{p.rule, at, fix, format, args}); p.found.beyond(s) {
		p.found.omit(p.rule, 1)
	} else {
		p.found.findings.add(s)
	}
	p.count()
}

// noteUnread records a part of the file that is not checked.
func (p *Pass) noteUnread(u Unread) {
	if p.found.undecoded.take(u.Err) {
		return
	}
	p.found.unread = append(p.found.unread, u)
	p.count()
}

// couldNotRead records err as a part of the file that is not checked; it
// returns err if that is not a matter of the file alone.
func (p *Pass) couldNotRead(at Place, err error) error {
	if !object.IsMalformed(err) {
		p.failed = err
		return err
	}
	p.noteUnread(Unread{Place: at, Err: err})
	return nil
}

// At returns the place of the tree as a whole.
func (t *Tree) At() Place { return Place{Tree: t.Name.String()} }

// AtNode returns the place of a node.
func (t *Tree) AtNode(node int) Place { return t.at(node, -1, false) }

// AtPair returns the place of a pair of a node's Names.
func (t *Tree) AtPair(node, pair int) Place {
	at := t.at(node, pair, false)
	if i, ok := t.EntryAt(node, pair); ok {
		at.Key = t.Entry(i).Key
	}
	return at
}

// AtKid returns the place of an element of a node's Kids.
func (t *Tree) AtKid(node, kid int) Place { return t.at(node, kid, true) }

func (t *Tree) at(node, index int, kid bool) Place {
	return Place{Tree: t.Name.String(), Node: &NodePlace{Ref: t.Node(node).Ref, Index: index, Kid: kid, order: node}}
}

// An Entry is one pair of a tree.
type Entry struct {
	nametree.Entry
	Tree  *Tree
	Index int // in the stored order of the tree

	// Of a key of URLS: its parts, and the steps that would change it, by the
	// profile of each edition; none for a canonical key.
	URL               canon.Parts
	Changes, Changes2 canon.Steps
}

// At returns the entry's place.
func (e *Entry) At() Place {
	return PlaceOf(e.Tree.Tree, e.Entry)
}

// A Value is an entry with what its value holds.
type Value struct {
	Entry
	Resolved object.Object // the value, resolved
	Elements int           // of an array, 1 for any other value
	Sets     []*Set        // the elements of an array, or the value itself; not those that could not be read

	taken  *transcoding // see transcoded
	looked bool         // for taken
}

// A Set is one content set.
type Set struct {
	webcapture.ContentSet
	Ref   object.Ref // Num 0 for a dictionary that stands in the tree itself
	place Place      // of a set without Ref

	accepted map[string]bool // see Accepts
}

// At returns the set's place.
func (s *Set) At() Place {
	at := Place{Set: s.Ref}
	if s.Ref.Num == 0 {
		at = s.place
	}
	at.ID = knownBy(s.ID)
	return at
}

// knownBy returns an ID as a Place has it: a copy, for the bytes are the reader's.
func knownBy(id webcapture.String) nametree.Key {
	if !id.OK() {
		return ""
	}
	return nametree.Key(id.Bytes[:min(len(id.Bytes), maxShown)])
}

// Links is a content set with the entries that lead to it.
type Links struct {
	*Set
	URLS, IDS []Entry // in stored order
}

// A Tree is what a CheckTree looks at.
type Tree struct{ *webcapture.Tree }
