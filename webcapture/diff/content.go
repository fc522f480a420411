package diff

import (
	"errors"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// content holds the database of one file for a comparison. It keeps only hashes of content sets. Content sets that
// differ are read again.
type content struct {
	file   *webcapture.File
	db     *webcapture.Database
	r      *webcapture.Reader
	report *audit.Report

	values [webcapture.TreeCount][]value // by entry, in stored order

	objects refTable // value of each object to which entries refer
	lists   [][]value
	direct  map[int32]object.Object

	sets     []set
	members  []member
	pages    pageTable
	seen     refTable // members that are not pages: index in nonPages plus 1
	nonPages []nonPage
	links    linkTable

	incomparable map[object.Ref]bool        // images that cannot be compared
	inherited    map[object.Ref]object.Dict // resources of nodes of the page tree above pages

	hasher hasher
	buffer []byte // buffer of hashOfData, reused because a file may have a million pages
	extra  int64  // work in addition to bytes read
	budget webcapture.Budget
	over   bool // the budget is exceeded; the content is then incomplete
}

// value is the index of a content set, or a negative number for another object in its place.
type value int32

const (
	unreadable value = -100 // unreadable object
	firstList  value = -101 // this and lower numbers: an index in lists, see fillIn
)

// isKind returns the value of an object that is not a content set.
func isKind(k object.Kind) value { return -1 - value(k) }

// set is a content set.
type set struct {
	ref           object.Ref // Num 0 for a direct content set; see direct
	id            digest.ID
	hasID         bool
	subtype       webcapture.Subtype
	hash, sources contentHash // hash without members, and hash of the sources only
	first, count  int32
}

// refTable maps references to numbers; 0 for a reference that was not set. It needs little memory, because object
// numbers are dense.
type refTable struct {
	numbers []int32
	far     map[object.Ref]int32 // references with a generation, or with a number that no file can have
}

func (t *refTable) of(ref object.Ref) int32 {
	if ref.Gen != 0 || ref.Num > object.MaxNumber {
		return t.far[ref]
	}
	if int(ref.Num) < len(t.numbers) {
		return t.numbers[ref.Num]
	}
	return 0
}

func (t *refTable) set(ref object.Ref, n int32) {
	if ref.Gen != 0 || ref.Num > object.MaxNumber {
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

// elementCost is the cost of an element in the budget of work, in addition to the bytes read.
const elementCost = 64

// errBudget means that a file exceeds its budget. Then nothing is compared.
var errBudget = errors.New("nothing was compared: too much work, or too many members, for a file of this size")

func newContent(f *webcapture.File, db *webcapture.Database) *content {
	c := &content{
		file: f, db: db, r: f.NewReader(),
		direct: map[int32]object.Object{}, incomparable: map[object.Ref]bool{}, inherited: map[object.Ref]object.Dict{},
		budget: f.Budget(),
		buffer: make([]byte, 32<<10),
	}
	c.hasher = hasher{r: c.r, commands: map[object.Ref]contentHash{}}
	c.report = &audit.Report{Facts: f.Facts(db), Unread: rule.UnreadOf(f, db)}
	return c
}

// spend adds n to the work, and returns errBudget if the budget is exceeded.
func (c *content) spend(n int64) error {
	if c.extra += n; c.extra+c.r.BytesRead() > c.budget.Work || len(c.members) > c.budget.Records {
		c.over = true
		c.report.Unread = []rule.Unread{{Place: rule.Place{Part: "file"}, Err: errBudget}}
		return errBudget
	}
	return nil
}

// couldNotRead records err as the reason why a part of the file is not compared. If err is not about the content of the
// file, such as an error of the disk, it returns err.
func (c *content) couldNotRead(at rule.Place, err error) error {
	return rule.NoteUnread(&c.report.Unread, at, err)
}

// read reads the database. It starts with the page tree, which tells which members are pages.
func (c *content) read() error {
	for _, t := range c.db.Trees() {
		c.report.Unread = append(c.report.Unread, rule.UnreadIn(t)...)
	}
	if err := c.readPages(); err != nil {
		return err
	}
	if err := c.readValues(); err != nil {
		return err
	}
	for _, s := range c.sets {
		c.report.CountSets(s.subtype, 1)
	}
	return c.readMembers()
}

// readValues reads the objects to which entries refer, each once, in file order.
func (c *content) readValues() error {
	for _, t := range c.db.Trees() {
		c.values[t.Name] = make([]value, t.Len())
	}
	var arrays [][]object.Ref // references in each of lists; Num 0 for a direct element
	contents := c.file.Contents(c.db)
	few := min(contents.Len(), c.budget.Records) // most objects are content sets, and most of those have a member
	c.sets, c.members = make([]set, 0, few), make([]member, 0, few)
	for in, err := range contents.All(c.r) {
		v, err := c.value(in, err)
		if err != nil {
			return err
		}
		if v <= firstList {
			arrays = append(arrays, refsOf(in.Elements))
		}
		switch {
		case in.Ref.Num != 0:
			c.objects.set(in.Ref, int32(v))
		case in.Index >= 0:
			c.lists[len(c.lists)-1][in.Index] = v
		default:
			i, _ := in.Tree.EntryAt(in.Entry.Node, in.Entry.Pair)
			c.values[in.Tree.Name][i] = v
		}
	}
	c.fillIn(arrays)
	return nil
}

func refsOf(list []object.Object) []object.Ref {
	refs := make([]object.Ref, len(list))
	for i, o := range list {
		refs[i], _ = o.Ref()
	}
	return refs
}

// fillIn sets the values of entries and elements that are references, after all objects were read. An array within an
// array is not a list, because the standard does not allow it.
func (c *content) fillIn(arrays [][]object.Ref) {
	for _, t := range c.db.Trees() {
		for i, e := range t.Entries() {
			if ref, _ := e.Value.Ref(); ref.Num != 0 {
				c.values[t.Name][i] = value(c.objects.of(ref))
			}
		}
	}
	for list, refs := range arrays {
		for i, ref := range refs {
			if ref.Num == 0 {
				continue
			}
			v := value(c.objects.of(ref))
			if v <= firstList {
				v = isKind(object.Array)
			}
			c.lists[list][i] = v
		}
	}
}

// value returns the value for the content of an entry; err is the error of reading it.
func (c *content) value(in *webcapture.Content, err error) (value, error) {
	if err != nil {
		return unreadable, c.couldNotRead(rule.PlaceOfContent(in), err)
	}
	if err := c.spend(elementCost * int64(1+len(in.Elements))); err != nil {
		return 0, err
	}
	cs := in.Set
	switch {
	case cs == nil:
		c.lists = append(c.lists, make([]value, len(in.Elements)))
		return firstList - value(len(c.lists)-1), nil
	case !cs.Recognized():
		return isKind(cs.Object.Kind()), nil
	}
	s := set{ref: in.Ref, subtype: cs.Subtype, first: int32(len(c.members))}
	s.id, s.hasID = cs.Identifier()
	if s.hash, s.sources, err = c.hasher.ofSet(cs); err != nil {
		return unreadable, c.couldNotRead(rule.PlaceOfContent(in), err)
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
		c.direct[int32(index)] = cs.Object.Clone()
	}
	c.sets = append(c.sets, s)
	return value(index), nil
}

// membersOf returns the members of a content set, in the order of O.
func (c *content) membersOf(s *set) []member { return c.members[s.first : s.first+s.count] }

// reread reads a content set again.
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

// contentError is an error of reading the file of a content.
type contentError struct {
	of  *content
	err error
}

// failed returns err as a contentError.
func (c *content) failed(err error) error { return &contentError{c, err} }

func (e *contentError) Error() string { return e.err.Error() }

func (e *contentError) Unwrap() error { return e.err }

// name returns the identification of a content set.
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
