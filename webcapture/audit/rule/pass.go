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
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Pass is the argument of each check: the audited database, a reader, and methods for reporting findings. Only one
// goroutine may use it.
type Pass struct {
	DB     *webcapture.Database
	Reader *webcapture.Reader
	Audit  *Audit
	Engine

	Rule     *Rule // rule whose check is running
	LastDate DateMemo
}

// Engine runs checks, collects their findings, and limits their work.
type Engine interface {
	// Record records a finding of the running check.
	Record(f Finding)

	// Omit counts n findings of the running check without keeping them.
	Omit(n int)

	// NoteUnread records an unreadable part of the file, which is therefore not checked.
	NoteUnread(u Unread)

	// CountProof counts an image by the proof of its digital identifier.
	CountProof(p Proof)

	// Spend subtracts n, and the bytes read since the last call, from the budget. It returns false if the budget is
	// exceeded: the findings of this phase will be dropped, so the check may stop.
	Spend(n int64) bool

	// Over reports whether Spend has returned false.
	Over() bool

	// ReadFree excludes the bytes read since the last call of Spend from the budget.
	ReadFree()

	// Fail ends the audit with an error in reading the file. Checks cannot return errors, so they call Fail.
	Fail(err error)
}

// Audit holds the data that all checks of a file share.
type Audit struct {
	File   *webcapture.File
	Trees  [webcapture.TreeCount]*Tree // nil if the file has no such tree
	Now    time.Time                   // time of the audit
	Base   Base                        // base of relative URLs in the file
	Prefer Side                        // the user's choice between keys and content sets
	Lost   atomic.Bool                 // a content set, or a value that may contain one, was unreadable

	// Entries and Inconsistent are complete before the checks of entries together with their content sets. These checks
	// add to Sets.
	Unresolved Unresolved

	shared sync.Map // see Shared
}

// Unresolved holds the entries and content sets that were not found consistent, and so are checked together.
type Unresolved struct {
	Entries [webcapture.TreeCount][]int // indexes of entries
	Sets    []object.Ref

	Inconsistent []object.Ref // content sets that disagree with their own entries
}

// Shared returns the T that all checks of an audit share. Its initial value is the zero T.
func Shared[T any](a *Audit) *T {
	key := reflect.TypeFor[T]()
	v, ok := a.shared.Load(key)
	if !ok {
		v, _ = a.shared.LoadOrStore(key, new(T))
	}
	return v.(*T)
}

// Reportf records a finding of the running check at a place. The message gives the value found and the value expected.
func (p *Pass) Reportf(at Place, fix *Fix, format string, args ...any) {
	p.Spend(findingCost)
	shorten(args)
	if fix != nil && !(p.isWhole(at.Tree) && p.isWhole(fix.Tree)) {
		fix = nil
	}
	message := format // a million findings may share one string
	if len(args) > 0 {
		message = fmt.Sprintf(format, args...)
	}
	p.Record(Finding{Rule: p.Rule, Place: at, Message: message, Fix: fix})
}

// CouldNotRead records err as the reason why a part of the file is not checked. If err is not about the content of the
// file, such as an error of the disk, it ends the audit and returns err.
func (p *Pass) CouldNotRead(at Place, err error) error {
	if !object.IsMalformed(err) {
		p.Fail(err)
		return err
	}
	p.NoteUnread(Unread{Place: at, Err: err})
	return nil
}

// isWhole reports whether a tree can be repaired; true if no tree has the name.
func (p *Pass) isWhole(tree string) bool {
	for _, t := range p.Audit.Trees {
		if t != nil && t.Name.String() == tree {
			return t.Whole
		}
	}
	return true
}

// Entry is one pair of a name tree.
type Entry struct {
	nametree.Entry
	Tree  *Tree
	Index int // position in the stored order of the tree

	// Only for URLS: the parts of the key, and the steps that make it canonical by the profile of each edition. A
	// canonical key has no steps.
	URL               canon.Parts
	Changes, Changes2 canon.Steps
}

// At returns the entry's place.
func (e *Entry) At() Place {
	return PlaceOf(e.Tree.Tree, e.Entry)
}

// Value is an entry with the content sets in its value.
type Value struct {
	Entry
	Resolved object.Object // resolved value
	Elements int           // number of elements of an array; 1 for any other value
	Sets     []*Set        // readable elements of an array, or the value itself

	Memo any // intermediate result that checks of this value share
}

// Set is one content set.
type Set struct {
	webcapture.ContentSet
	Ref   object.Ref // Num 0 for a direct object in a tree
	Place Place      // only if Ref.Num is 0

	accepted map[string]bool // see Accepts
}

// Reuse prepares s for the content set at ref, and clears cached results.
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

// KnownBy returns an ID for Place.ID. The result is a copy, because the reader reuses the bytes of id.
func KnownBy(id webcapture.String) nametree.Key {
	if !id.OK() {
		return ""
	}
	return nametree.Key(id.Bytes[:min(len(id.Bytes), MaxShown)])
}

// Links is a content set with the entries whose values contain it.
type Links struct {
	*Set
	URLS, IDS []Entry // in stored order
}

// Look returns o, or the object to which o refers. If the object is unreadable, Look records it and returns false. It
// also returns false if the budget is exceeded.
func (p *Pass) Look(at Place, o object.Object) (object.Object, bool) {
	r, err := p.Reader.Resolve(o)
	if err != nil {
		p.CouldNotRead(at, err)
		return object.Object{}, false
	}
	return r, p.Spend(ElementCost)
}

// LookString is like Look, for a string.
func (p *Pass) LookString(at Place, o object.Object) (webcapture.String, bool) {
	o, ok := p.Look(at, o)
	s, _ := p.Reader.String(o)
	return s, ok
}

// ResolveIn returns o, or the object to which o refers; o is an entry of the object in, such as a content set. If the
// object is unreadable, ResolveIn records it and returns false. It also returns false if the budget is exceeded.
func (p *Pass) ResolveIn(in interface{ At() Place }, o object.Object) (object.Object, bool) {
	if o.Kind() != object.Reference {
		return o, true
	}
	if !p.Spend(ElementCost) {
		return o, false
	}
	r, err := p.Reader.Resolve(o)
	if err != nil {
		p.CouldNotRead(in.At(), err)
	}
	return r, err == nil
}

// shorten shortens the long keys among the arguments of a message.
func shorten(args []any) {
	for i, a := range args {
		if k, ok := a.(nametree.Key); ok {
			args[i] = Short(k)
		}
	}
}

// Short returns a key as shown in messages: at most MaxShown bytes of it.
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

// KeyBytes returns the bytes of a key without copying. The caller must not change them.
func KeyBytes(k nametree.Key) []byte { return unsafe.Slice(unsafe.StringData(string(k)), len(k)) }

// InFileOrder returns the given entries of t, each once, in the file order of their values.
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

// CutKey returns a copy of the part of a key that findings keep.
func CutKey(k nametree.Key) nametree.Key {
	return nametree.Key(strings.Clone(string(k[:min(len(k), MaxShown)])))
}
