package rule

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/meter"
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
	Found  *Found // results of this Pass in the running phase

	Rule     *Rule // rule whose check is running
	LastDate DateMemo
	Failed   error // see Fail

	fresh int64 // findings since the last update of Audit.Recorded
	over  bool  // see Over
}

// NewPass returns a Pass for one phase of an audit.
func NewPass(db *webcapture.Database, r *webcapture.Reader, a *Audit) Pass {
	return Pass{DB: db, Reader: r, Audit: a, Found: new(Found)}
}

// Audit holds the data that all checks of a file share.
type Audit struct {
	File   *webcapture.File
	Trees  [webcapture.TreeCount]*Tree // nil if the file has no such tree
	Now    time.Time                   // time of the audit
	Base   Base                        // base of relative URLs in the file
	Prefer Side                        // the user's choice between keys and content sets
	Lost   atomic.Bool                 // a content set, or a value that may contain one, was unreadable

	WantsKeys bool // the results include KeyFacts

	// Deferred are the indexes of entries that do not agree with their content sets, and so are checked with them.
	Deferred [webcapture.TreeCount][]int

	MaxFindings int64        // limit of Recorded
	Recorded    atomic.Int64 // approximate number of findings and unread parts

	shared sync.Map // see Shared
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

// Spend pays for work into the meter of the file. It returns false if the meter is exceeded, or the audit canceled: the
// findings of this phase will be dropped, so the check may stop.
func (p *Pass) Spend(n int64) bool {
	p.over = p.over || p.Reader.Pay(n) != nil
	return !p.over
}

// Apart calls do, with another Reader in p. It is for what the first of several checks reads for all: its cost must not
// depend on what that check has read before.
func (p *Pass) Apart(do func()) {
	own := p.Reader
	p.Reader = p.Audit.File.NewReader()
	defer func() {
		p.Reader.Settle()
		p.Reader = own
	}()
	do()
}

// Over reports whether Spend has returned false.
func (p *Pass) Over() bool { return p.over }

// Reportf records a finding of the running check at a place. The message gives the value found and the value expected.
func (p *Pass) Reportf(at Place, fix *Fix, format string, args ...any) {
	p.Spend(meter.Object)
	if p.Found.isFull(p.Rule, at) {
		p.Found.omit(p.Rule, 1)
		p.count()
		return
	}
	shorten(args)
	if fix != nil && !(p.isWhole(at.Tree) && p.isWhole(fix.Tree)) {
		fix = nil
	}
	message := format // a million findings may share one string
	if len(args) > 0 {
		message = fmt.Sprintf(format, args...)
	}
	p.Found.add(Finding{Rule: p.Rule, Place: at, Message: message, Fix: fix})
	p.count()
}

// NoteUnread records an unreadable part of the file, which is therefore not checked.
func (p *Pass) NoteUnread(u Unread) {
	p.Found.Unread = append(p.Found.Unread, u)
	p.count()
}

// count counts a new finding or unread part. If the audit has too many, it cuts the lists of this Pass.
func (p *Pass) count() {
	const some = 64 // larger steps need less synchronization with other goroutines
	if p.fresh++; p.fresh < some {
		return
	}
	n := p.Audit.Recorded.Add(p.fresh)
	p.fresh = 0
	if f := p.Found; n > p.Audit.MaxFindings && len(f.Findings)+len(f.Unread) >= max(f.grow, MaxOfRule) {
		f.Cut()
	}
}

// Fail ends the audit with an error in reading the file. Checks cannot return errors, so they call Fail.
func (p *Pass) Fail(err error) { p.Failed = err }

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
// also returns false if the meter is exceeded.
func (p *Pass) Look(at Place, o object.Object) (object.Object, bool) {
	r, err := p.Reader.Resolve(o)
	if err != nil {
		p.CouldNotRead(at, err)
		return object.Object{}, false
	}
	return r, p.Spend(meter.Object)
}

// LookString is like Look, for a string.
func (p *Pass) LookString(at Place, o object.Object) (webcapture.String, bool) {
	o, ok := p.Look(at, o)
	s, _ := p.Reader.String(o)
	return s, ok
}

// ResolveIn returns o, or the object to which o refers; o is an entry of the object in, such as a content set. If the
// object is unreadable, ResolveIn records it and returns false. It also returns false if the meter is exceeded.
func (p *Pass) ResolveIn(in interface{ At() Place }, o object.Object) (object.Object, bool) {
	if o.Kind() != object.Reference {
		return o, true
	}
	if !p.Spend(meter.Object) {
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

// CutKey returns a copy of the part of a key that findings keep.
func CutKey(k nametree.Key) nametree.Key {
	return nametree.Key(strings.Clone(string(k[:min(len(k), MaxShown)])))
}
