package diff

import (
	"cmp"
	"errors"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// A content is what the database of one file holds. Of a content set it keeps
// sums, not values: what differs is read again.
type content struct {
	file   *webcapture.File
	db     *webcapture.Database
	r      *webcapture.Reader
	report *audit.Report

	values [webcapture.TreeCount][]value // by entry, in stored order

	objects refTable // what values lead to: a value, plus 1 if that is a set
	lists   [][]value
	arrays  []array // to be read
	direct  map[int32]object.Object

	sets    []set
	members []member
	pages   pageTable
	seen    refTable // members that are no pages: index in others, plus 1
	others  []other
	links   links

	sums   summer
	extra  int64 // spent besides reading
	budget int64
	over   bool // the budget: nothing is known of the file then
}

// A value is what stands in the place of a content set: the index of one, or a
// negative number: what else it is.
type value int32

const (
	unreadable value = -100 // nobody knows what it is
	firstList  value = -101 // from here down: an index of lists
)

// isKind returns the value of an object that is no content set.
func isKind(k object.Kind) value { return -1 - value(k) }

// A set is a content set.
type set struct {
	ref          object.Ref // Num 0 for one that stands in an entry or array itself; see direct
	id           digest.ID
	hasID        bool
	subtype      webcapture.Subtype
	sum, sources sum // of everything but the members; of the sources alone
	first, count int32
}

// An array is one that a value leads to.
type array struct {
	list     int
	elements []object.Object
}

// A refTable is a map from references to numbers other than 0, with little room
// for each: numbers of objects are dense.
type refTable struct {
	numbers []int32
	far     map[object.Ref]int32 // with a generation, or beyond what a file can have
}

const maxObjects = 8_388_608

func (t *refTable) of(ref object.Ref) int32 {
	if ref.Gen != 0 || ref.Num >= maxObjects {
		return t.far[ref]
	}
	if int(ref.Num) < len(t.numbers) {
		return t.numbers[ref.Num]
	}
	return 0
}

func (t *refTable) set(ref object.Ref, n int32) {
	if ref.Gen != 0 || ref.Num >= maxObjects {
		if t.far == nil {
			t.far = map[object.Ref]int32{}
		}
		t.far[ref] = n
		return
	}
	if grow := int(ref.Num) + 1 - len(t.numbers); grow > 0 {
		t.numbers = append(t.numbers, make([]int32, grow)...)
	}
	t.numbers[ref.Num] = n
}

// Objects of a hostile file refer to the same others again and again. Work
// beyond this, in bytes that are read, is not done; then nothing is compared.
const (
	baseBudget  = 256 << 20
	entryBudget = 4 << 10 // for each entry of the trees
	byteBudget  = 32      // for each byte of the file

	elementCost = 64
)

var errBudget = errors.New("parts of the database are shared so often that they were not compared")

func newContent(f *webcapture.File, db *webcapture.Database) *content {
	c := &content{
		file: f, db: db, r: f.NewReader(),
		direct: map[int32]object.Object{},
		budget: baseBudget + byteBudget*f.Size(),
	}
	c.sums.r = c.r
	c.report = &audit.Report{Facts: f.Facts(db), Unread: audit.UnreadOf(f, db)}
	c.budget += int64(c.report.URLS+c.report.IDS) * entryBudget
	return c
}

// spend returns errBudget when the budget is used up.
func (c *content) spend(n int64) error {
	if c.extra += n; c.extra+c.r.BytesRead() > c.budget {
		c.over = true
		c.report.Unread = []audit.Unread{{Err: errBudget}}
		return errBudget
	}
	return nil
}

// couldNotRead records a part of the file that is not compared; it returns err
// if that is not a matter of the file alone.
func (c *content) couldNotRead(at audit.Place, err error) error {
	if !object.IsMalformed(err) {
		return err
	}
	c.report.Unread = append(c.report.Unread, audit.Unread{Place: at, Err: err})
	return nil
}

// read reads everything: the page tree first, because it tells which members
// are pages.
func (c *content) read() error {
	for _, t := range c.db.Trees() {
		c.report.Unread = append(c.report.Unread, audit.UnreadIn(t)...)
	}
	if err := c.readPages(); err != nil {
		return err
	}
	if err := c.readValues(); err != nil {
		return err
	}
	for _, s := range c.sets {
		*[]*int{&c.report.OtherSets, &c.report.PageSets, &c.report.ImageSets}[s.subtype]++
	}
	return c.readMembers()
}

// readValues reads what the entries lead to, each object once, in the order of
// the file.
func (c *content) readValues() error {
	var todo []object.Ref
	for _, t := range c.db.Trees() {
		c.values[t.Name] = make([]value, t.Len())
		for _, e := range t.Entries() {
			if ref, ok := e.Value.Ref(); ok {
				todo = append(todo, ref)
			}
		}
	}
	if err := c.readObjects(todo, true); err != nil {
		return err
	}
	for _, t := range c.db.Trees() {
		for i, e := range t.Entries() {
			v := value(0)
			if ref, ok := e.Value.Ref(); ok {
				v = fromTable(c.objects.of(ref))
			} else {
				var err error
				at := audit.PlaceOf(t, e)
				if v, err = c.value(e.Value, at, true); err != nil {
					return err
				}
			}
			c.values[t.Name][i] = v
		}
	}
	return c.readArrays()
}

// readArrays reads the elements of the arrays that were met, which are arrays
// of no more arrays.
func (c *content) readArrays() error {
	var todo []object.Ref
	for _, a := range c.arrays {
		for _, e := range a.elements {
			if ref, ok := e.Ref(); ok {
				todo = append(todo, ref)
			}
		}
	}
	if err := c.readObjects(todo, false); err != nil {
		return err
	}
	for _, a := range c.arrays {
		for _, e := range a.elements {
			v := value(0)
			if ref, ok := e.Ref(); ok {
				if v = fromTable(c.objects.of(ref)); v <= firstList {
					v = isKind(object.Array)
				}
			} else {
				var err error
				if v, err = c.value(e, audit.Place{}, false); err != nil {
					return err
				}
			}
			c.lists[a.list] = append(c.lists[a.list], v)
		}
	}
	c.arrays = nil
	return nil
}

// A table has no room for 0.
func fromTable(n int32) value {
	if n > 0 {
		n--
	}
	return value(n)
}

func toTable(v value) int32 {
	if v >= 0 {
		v++
	}
	return int32(v)
}

// readObjects notes in objects what the objects are that were not read before.
func (c *content) readObjects(refs []object.Ref, arrays bool) error {
	c.inFileOrder(refs)
	for _, ref := range refs {
		if c.objects.of(ref) != 0 {
			continue
		}
		v, err := c.value(object.MakeRef(ref), audit.Place{Set: ref}, arrays)
		if err != nil {
			return err
		}
		c.objects.set(ref, toTable(v))
	}
	return nil
}

func (c *content) inFileOrder(refs []object.Ref) {
	type target struct {
		at  uint64
		ref object.Ref
	}
	targets := make([]target, len(refs))
	for i, ref := range refs {
		targets[i] = target{c.file.Position(ref), ref}
	}
	slices.SortFunc(targets, func(a, b target) int { return cmp.Or(cmp.Compare(a.at, b.at), a.ref.Compare(b.ref)) })
	for i, t := range targets {
		refs[i] = t.ref
	}
}

// value returns what an object is that stands in the place of a content set or,
// if arrays says so, an array of them.
func (c *content) value(o object.Object, at audit.Place, arrays bool) (value, error) {
	if err := c.spend(elementCost); err != nil {
		return 0, err
	}
	cs := &c.sums.set
	if err := c.r.Read(o, cs); err != nil {
		return unreadable, c.couldNotRead(at, err)
	}
	if list, ok := cs.Object.Array(); ok && arrays {
		a := array{list: len(c.lists)}
		for e := range list.All() {
			a.elements = append(a.elements, e.Clone())
			if err := c.spend(elementCost); err != nil {
				return 0, err
			}
		}
		c.lists = append(c.lists, nil)
		c.arrays = append(c.arrays, a)
		return firstList - value(a.list), nil
	}
	if !cs.Recognized() {
		return isKind(cs.Object.Kind()), nil
	}
	s := set{subtype: cs.Subtype, first: int32(len(c.members))}
	s.ref, _ = o.Ref()
	s.id, s.hasID = cs.Identifier()
	var err error
	if s.sum, s.sources, err = c.sums.ofSet(cs); err != nil {
		return unreadable, c.couldNotRead(at, err)
	}
	for m := range cs.Members() {
		ref, _ := m.Ref()
		c.members = append(c.members, member{ref: ref, direct: m.Kind()})
		if err := c.spend(elementCost); err != nil {
			return 0, err
		}
	}
	s.count = int32(len(c.members)) - s.first
	index := len(c.sets)
	if s.ref.Num == 0 {
		c.direct[int32(index)] = o.Clone()
	}
	c.sets = append(c.sets, s)
	return value(index), nil
}

// membersOf returns the members of a set, in the order of O.
func (c *content) membersOf(s *set) []member { return c.members[s.first : s.first+s.count] }

// reread reads a set again.
func (c *content) reread(i int32, cs *webcapture.ContentSet) error {
	o, ok := c.direct[i]
	if !ok {
		o = object.MakeRef(c.sets[i].ref)
	}
	if err := c.r.Read(o, cs); err != nil {
		return &contentError{c, err}
	}
	return nil
}

// A contentError is one of the file that a content is of.
type contentError struct {
	of  *content
	err error
}

func (e *contentError) Error() string { return e.err.Error() }

func (e *contentError) Unwrap() error { return e.err }

// name returns the name of a set.
func (c *content) name(i int32) (Set, error) {
	s := &c.sets[i]
	name := Set{Subtype: s.subtype, ID: s.id, HasID: s.hasID}
	var cs webcapture.ContentSet
	if err := c.reread(i, &cs); err != nil {
		return name, err
	}
	for i := range cs.Sources {
		for _, url := range cs.Sources[i].URLs() {
			name.URL = nametree.Key(url)
			return name, nil
		}
	}
	return name, nil
}
