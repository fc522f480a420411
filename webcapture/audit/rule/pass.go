package rule

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/witness"
)

// A Pass is given to each check: the database that is audited, a reader, and
// the place to report to. It serves one goroutine.
type Pass struct {
	DB     *webcapture.Database
	Reader *webcapture.Reader
	Audit  *Audit
	Engine

	Rule     *Rule // whose check is running
	LastDate DateMemo
}

// Engine runs checks: it takes what they find, and bounds their work.
type Engine interface {
	// Record records what the check that is running has found.
	Record(f Finding)

	// Omit counts n findings of the check that is running, without keeping them.
	Omit(n int)

	// NoteUnread records a part of the file that is not checked.
	NoteUnread(u Unread)

	// CountProof counts an image by whether its data give its digital identifier.
	CountProof(p Proof)

	// Spend takes n, and what was read since, from the budget. When it returns
	// false, the findings of this phase will be dropped, and it may as well end.
	Spend(n int64) bool

	// Retrieved reports whether Audit.Witness has something for a URL of a content set that gives a wanted identifier: a
	// file, or a page with the files that it refers to.
	Retrieved(s *Set, wanted func(digest.ID) bool) bool

	// Over reports whether Spend has returned false.
	Over() bool

	// ReadFree leaves what was read since the last call of Spend out of the budget.
	ReadFree()

	// Fail ends the audit with an error to read the file, which no check can tell its caller.
	Fail(err error)
}

// Audit is what all checks of a file have in common.
type Audit struct {
	File    *webcapture.File
	Trees   [webcapture.TreeCount]*Tree // nil if the file has no such tree
	Now     time.Time                   // when the audit takes place
	Witness source.Source               // tells which of two URLs was retrieved; nil if nothing does
	HasBase bool                        // the caller knows what relative URLs are relative to
	Prefer  witness.Side                // what the user chose, where no witness decides
	Lost    atomic.Bool                 // a set, or what leads to it, could not be read

	// What does not agree at once: complete after the phases that come before checks of
	// entries with their sets.
	Unresolved Unresolved

	shared sync.Map // see sharedBy
}

// Unresolved are entries, and content sets, that do not agree with each other at once.
type Unresolved struct {
	Entries [webcapture.TreeCount][]int // indexes
	Sets    []object.Ref

	Inconsistent []object.Ref // content sets that do not agree with their own entries
}

// sharedBy returns the T that all checks of an audit have in common, the zero T at first.
func Shared[T any](a *Audit) *T {
	key := reflect.TypeFor[T]()
	v, ok := a.shared.Load(key)
	if !ok {
		v, _ = a.shared.LoadOrStore(key, new(T))
	}
	return v.(*T)
}

// Reportf records that the rule whose check is running is broken at a place.
// The message says what is there and what would be right.
func (p *Pass) Reportf(at Place, fix *Fix, format string, args ...any) {
	p.Spend(findingCost)
	shorten(args)
	if fix != nil && !(p.isWhole(at.Tree) && p.isWhole(fix.Tree)) {
		fix = nil
	}
	message := format // shared by a million findings
	if len(args) > 0 {
		message = fmt.Sprintf(format, args...)
	}
	p.Record(Finding{Rule: p.Rule, Place: at, Message: message, Fix: fix})
}

// CouldNotRead records err as a part of the file that is not checked; it
// returns err if that is not a matter of the file alone.
func (p *Pass) CouldNotRead(at Place, err error) error {
	if !object.IsMalformed(err) {
		p.Fail(err)
		return err
	}
	p.NoteUnread(Unread{Place: at, Err: err})
	return nil
}

// isWhole reports whether a tree can be repaired; also if there is none with the name.
func (p *Pass) isWhole(tree string) bool {
	for _, t := range p.Audit.Trees {
		if t != nil && t.Name.String() == tree {
			return t.Whole
		}
	}
	return true
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

	Memo any // what checks have worked out of the value, for other checks of it
}

// A Set is one content set.
type Set struct {
	webcapture.ContentSet
	Ref   object.Ref // Num 0 for a dictionary that stands in the tree itself
	Place Place      // of a set without Ref

	accepted map[string]bool // see Accepts
}

// Reuse forgets what is known of the set, which is that with another reference from now on.
func (s *Set) Reuse(ref object.Ref) { s.Ref, s.accepted = ref, nil }

// At returns the set's place.
func (s *Set) At() Place {
	at := Place{Set: s.Ref}
	if s.Ref.Num == 0 {
		at = s.Place
	}
	at.ID = KnownBy(s.ID)
	return at
}

// KnownBy returns an ID as a Place has it: a copy, for the bytes are the reader's.
func KnownBy(id webcapture.String) nametree.Key {
	if !id.OK() {
		return ""
	}
	return nametree.Key(id.Bytes[:min(len(id.Bytes), MaxShown)])
}

// Links is a content set with the entries that lead to it.
type Links struct {
	*Set
	URLS, IDS []Entry // in stored order
}

// Look returns what o refers to, or o itself; false if that cannot be read,
// which is recorded, or is beyond the budget.
func (p *Pass) Look(at Place, o object.Object) (object.Object, bool) {
	r, err := p.Reader.Resolve(o)
	if err != nil {
		p.CouldNotRead(at, err)
		return object.Object{}, false
	}
	return r, p.Spend(ElementCost)
}

// LookString is Look for what should be a string.
func (p *Pass) LookString(at Place, o object.Object) (webcapture.String, bool) {
	o, ok := p.Look(at, o)
	s, _ := p.Reader.String(o)
	return s, ok
}

// resolve returns what o, an entry of a set, refers to, or o itself; false if
// that cannot be read, which is recorded, or is beyond the budget.
func (p *Pass) ResolveIn(s *Set, o object.Object) (object.Object, bool) {
	if o.Kind() != object.Reference {
		return o, true
	}
	if !p.Spend(ElementCost) {
		return o, false
	}
	r, err := p.Reader.Resolve(o)
	if err != nil {
		p.CouldNotRead(s.At(), err)
	}
	return r, err == nil
}

// shorten cuts the long keys among the arguments of a message.
func shorten(args []any) {
	for i, a := range args {
		if k, ok := a.(nametree.Key); ok {
			args[i] = Short(k)
		}
	}
}

// Short returns the key as it is shown in messages.
func Short(k nametree.Key) string { return k.Shorten(MaxShown) }

func NewEntry(t *Tree, i int) Entry {
	e := Entry{Entry: t.Entry(i), Tree: t, Index: i}
	if t.Name == webcapture.URLS {
		e.URL = canon.Split(KeyBytes(e.Key))
		e.Changes = canon.PDF.Changes(KeyBytes(e.Key))
		e.Changes2 = canon.PDF2.Changes(KeyBytes(e.Key))
	}
	return e
}

// KeyBytes returns the bytes of a key without copying them; they are not changed.
func KeyBytes(k nametree.Key) []byte { return unsafe.Slice(unsafe.StringData(string(k)), len(k)) }

// InFileOrder returns the entries of t without repetition, in the order in
// which their values lie in the file.
func (a *Audit) InFileOrder(t *Tree, entries []int) []int {
	order := a.File.OrderByPosition(len(entries), func(k int) object.Ref {
		ref, _ := t.Entry(entries[k]).Value.Ref()
		return ref
	})
	for k, i := range order {
		order[k] = entries[i]
	}
	return slices.Compact(order)
}

// CutKey returns a copy of what is kept of a key.
func CutKey(k nametree.Key) nametree.Key {
	return nametree.Key(strings.Clone(string(k[:min(len(k), MaxShown)])))
}
