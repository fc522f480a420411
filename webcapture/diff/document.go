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
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// document is one of the two files: its pages and images, and its database. It keeps only hashes of content sets.
// Content sets that differ are read again.
type document struct {
	*match.Document
	report *audit.Report
	over   bool // the budget is exceeded; the document is then incomplete

	values   object.RefTable       // of objects to which entries and elements of arrays refer, see stored
	directs  map[directValue]value // values of entries that are not references
	lists    [][]element
	sets     []set
	direct   map[int32]object.Object // content sets that are direct objects, by index in sets
	members  []member
	others   map[object.Ref]other // members that are neither pages nor images
	commands map[object.Ref]match.Hash
	scratch  []byte

	pages        int                    // number of pages in the page tree
	zooms        map[object.Ref]float64 // PZ of pages
	tagged       []nametree.Key         // IDs of pages, sorted
	retained     []nametree.Key         // URLs in PA of links, sorted
	named        []nametree.Key         // named destinations of links, sorted
	dests        *nametree.Tree         // tree Dests; nil if there is none
	oldDests     map[string]bool        // names in Dests of the catalog
	unread       map[object.Ref]bool    // objects that are at least partly unreadable, except pages
	incomparable map[object.Ref]bool    // images that cannot be compared with some image of the other file
	ranks        []int32                // see rank
}

// value is the index of a content set, or a negative number for another object in its place.
type value int32

const (
	unreadable value = -100
	firstList  value = -101 // this and lower numbers: an index in lists
)

// isKind returns the value of an object that is not a content set.
func isKind(k object.Kind) value { return -1 - value(k) }

// directValue is the place of a value that is not a reference.
type directValue struct {
	tree  webcapture.TreeName
	entry int
}

// element is an element of an array of content sets.
type element struct {
	ref   object.Ref // Num 0 for a direct object
	value value      // of a direct object
}

// set is a content set.
type set struct {
	ref           object.Ref // Num 0 for a direct content set
	id            digest.ID
	hasID         bool
	subtype       webcapture.Subtype
	hash, sources match.Hash // hash without members, and hash of the sources only
	first, count  int32      // its members
	number        value      // equal for the same content set in both files; see pairSets
	same          int32      // first content set of the file that does not differ, by index
}

// member is an element of O.
type member struct {
	ref  object.Ref // Num 0 for a direct object
	kind object.Kind
}

// other is a member that is neither a page nor an image.
type other struct {
	kind object.Kind
	id   nametree.Key
}

// errBudget means that a file exceeds its budget. Then nothing is compared.
var errBudget = errors.New("nothing was compared: too much work, or too many members, for a file of this size")

// readDocument reads the content of a file.
func readDocument(in *input) (*document, error) {
	db, err := in.file.Database()
	if err != nil {
		return nil, err
	}
	d := newDocument(in.file, db)
	d.report.Path = in.path
	return d, d.read()
}

func newDocument(f *webcapture.File, db *webcapture.Database) *document {
	return &document{
		Document: match.New(f, db), report: &audit.Report{Facts: f.Facts(db)},
		directs: map[directValue]value{}, direct: map[int32]object.Object{}, others: map[object.Ref]other{},
		commands: map[object.Ref]match.Hash{}, zooms: map[object.Ref]float64{}, oldDests: map[string]bool{},
		unread: map[object.Ref]bool{}, incomparable: map[object.Ref]bool{},
	}
}

// read reads the content. Without an error, the document may be over its budget.
func (d *document) read() error {
	d.Unread = rule.UnreadOf(d.File, d.Database)
	few := 0 // most keys have a content set with one member
	for _, t := range d.Database.Trees() {
		d.Unread = append(d.Unread, rule.UnreadIn(t)...)
		few = max(few, t.Len())
	}
	d.sets, d.members = make([]set, 0, few), make([]member, 0, few)
	for _, read := range []func() error{func() error { return d.Visit(d) }, d.readOthers, d.readDestinations} {
		if err := read(); errors.Is(err, match.ErrBudget) {
			d.over = true
			return nil
		} else if err != nil {
			return err
		}
	}
	d.tagged = make([]nametree.Key, 0, len(d.Pages))
	for _, pg := range d.Pages {
		if pg.ID != "" {
			d.tagged = append(d.tagged, nametree.Key(pg.ID))
		}
	}
	for _, keys := range [][]nametree.Key{d.tagged, d.retained, d.named} {
		slices.Sort(keys)
	}
	for _, u := range d.Unread {
		if u.Place.Page == 0 {
			d.unread[u.Place.Object] = true
		}
	}
	return nil
}

// spend adds the cost of elements to the work, and reports whether the budget is exceeded. Then the result has no
// changes.
func (d *document) spend(elements int) (over bool) {
	d.over = d.over || d.Spend(elements) != nil
	return d.over
}

// unreadParts returns the parts that could not be compared.
func (d *document) unreadParts() []rule.Unread {
	if d.over {
		return []rule.Unread{{Place: rule.Place{Part: "file"}, Err: errBudget}}
	}
	return rule.GatherUnread(d.Unread)
}

// couldNotRead records err as the reason why a part of the file is not compared. If err is not about the content of the
// file, such as an error of the disk, it returns err.
func (d *document) couldNotRead(at rule.Place, err error) error {
	return rule.NoteUnread(&d.Unread, at, err)
}

// VisitContent implements match.Visitor: it adds a content set, or the array or other object in its place.
func (d *document) VisitContent(in *webcapture.Content) error {
	v, err := d.valueOf(in)
	if err != nil {
		return err
	}
	switch {
	case in.Ref.Num != 0:
		d.values.Set(in.Ref, stored(v))
	case in.Index >= 0:
		d.lists[len(d.lists)-1][in.Index].value = v
	default:
		i, _ := in.Tree.EntryAt(in.Entry.Node, in.Entry.Pair)
		d.directs[directValue{in.Tree.Name, i}] = v
	}
	return nil
}

// stored returns a value as document.values stores it: 0 means that the object was not read.
func stored(v value) int32 { return int32(v - unreadable) }

// at returns the value for a reference, which is unreadable if there is none. An array within an array is not a list,
// because the standard does not allow it.
func (d *document) at(ref object.Ref) value { return value(d.values.Get(ref)) + unreadable }

// valueOf adds a content set or an array, and returns its value.
func (d *document) valueOf(in *webcapture.Content) (value, error) {
	cs := in.Set
	switch {
	case cs == nil:
		list := make([]element, len(in.Elements))
		for i, e := range in.Elements {
			list[i].ref, _ = e.Ref()
			list[i].value = unreadable
		}
		d.lists = append(d.lists, list)
		return firstList - value(len(d.lists)-1), d.Spend(len(list))
	case !cs.Recognized():
		return isKind(cs.Object.Kind()), nil
	}
	s := set{ref: in.Ref, subtype: cs.Subtype, first: int32(len(d.members))}
	if s.ref.Num == 0 {
		d.direct[int32(len(d.sets))] = cs.Object.Clone()
	}
	s.id, s.hasID = cs.Identifier()
	var err error
	if s.hash, s.sources, err = d.hashSet(cs); err != nil {
		return unreadable, err
	}
	for m := range cs.Members() {
		ref, _ := m.Ref()
		d.members = append(d.members, member{ref, m.Kind()})
	}
	s.count = int32(len(d.members)) - s.first
	d.sets = append(d.sets, s)
	d.report.CountSets(s.subtype, 1)
	if len(d.members) > d.Budget.Records {
		return 0, match.ErrBudget
	}
	return value(len(d.sets) - 1), d.Spend(int(s.count))
}

// appendValues appends the content sets in the value of an entry, or other objects in their place.
func (d *document) appendValues(dst []value, tree *webcapture.Tree, entry int) []value {
	v := unreadable
	if ref, _ := tree.Value(entry).Ref(); ref.Num != 0 {
		v = d.at(ref)
	} else if direct, ok := d.directs[directValue{tree.Name, entry}]; ok {
		v = direct
	}
	if v > firstList {
		return append(dst, v)
	}
	for _, e := range d.lists[firstList-v] {
		if e.ref.Num != 0 {
			if e.value = d.at(e.ref); e.value <= firstList {
				e.value = isKind(object.Array)
			}
		}
		dst = append(dst, e.value)
	}
	return dst
}

// membersOf returns the members of a content set, in the order of O.
func (d *document) membersOf(s *set) []member { return d.members[s.first : s.first+s.count] }

// reread reads a content set again.
func (d *document) reread(s *set, cs *webcapture.ContentSet) error {
	o, ok := d.direct[s.same]
	if !ok {
		o = object.MakeRef(s.ref)
	}
	return d.failed(d.Reader.Read(o, cs))
}

// readError is an error of reading a document.
type readError struct {
	of *document
	error
}

// Unwrap returns the reason.
func (e *readError) Unwrap() error { return e.error }

// failed returns err as a readError; nil for no error.
func (d *document) failed(err error) error {
	if err == nil {
		return nil
	}
	return &readError{d, err}
}

// name returns the identification of a content set.
func (d *document) name(s *set) (Set, error) {
	name := Set{Subtype: s.subtype, ID: s.id, HasID: s.hasID}
	var cs webcapture.ContentSet
	err := d.reread(s, &cs)
	for i := range cs.Sources {
		if name.URL = urlOf(&cs.Sources[i]); name.URL != "" {
			break
		}
	}
	return name, err
}

// readOthers reads the members that are neither pages nor images.
func (d *document) readOthers() error {
	for _, m := range d.members {
		if m.ref.Num == 0 || d.Page(m.ref) != nil || d.Image(m.ref) != nil {
			continue
		}
		if _, known := d.others[m.ref]; known {
			continue
		}
		o, err := d.Reader.Get(m.ref)
		dict, _ := o.Dict()
		it := other{kind: o.Kind()}
		if err == nil {
			var id webcapture.String
			id, err = d.Reader.String(dict.Lookup("ID"))
			it.id = nametree.Key(id.Bytes)
		}
		if object.IsMalformed(err) { // match has noted the reason if the object itself is unreadable
			d.unread[m.ref] = true
		} else if err != nil {
			return err
		}
		d.others[m.ref] = it
	}
	return nil
}

// VisitPage implements match.Visitor: it adds PZ and the links of a page.
func (d *document) VisitPage(pg webcapture.Page) error {
	d.pages = pg.Index + 1
	if pg.Again {
		return nil
	}
	zoom, err := d.Reader.Resolve(pg.Dict.Lookup("PZ"))
	if err != nil {
		return err
	}
	if f, ok := zoom.Number(); ok {
		d.zooms[pg.Ref] = f
	}
	annots, err := d.Reader.Resolve(pg.Dict.Lookup("Annots"))
	if err != nil {
		return err
	}
	list, _ := annots.Array()
	for e := range list.All() {
		if err := d.readLink(e); err != nil {
			return err
		}
	}
	return nil
}

// readLink adds the URL in PA, and the named destination, of a link annotation.
func (d *document) readLink(annotation object.Object) error {
	link, err := d.dict(annotation)
	if err := cmp.Or(err, d.Spend(1)); err != nil {
		return err
	}
	retained, err := d.dict(link.Lookup("PA"))
	if err != nil {
		return err
	}
	uri, err := d.Reader.String(retained.Lookup("URI"))
	if err != nil {
		return err
	}
	if uri.OK() {
		d.retained = append(d.retained, nametree.Key(uri.Bytes))
	}
	dest, err := d.Reader.Resolve(link.Lookup("Dest"))
	if err == nil && dest.IsNull() {
		dest, err = d.destinationOf(link)
	}
	name, ok := dest.Name()
	if !ok {
		name, ok = dest.AppendString(nil)
	}
	if err == nil && ok {
		d.named = append(d.named, nametree.Key(name))
	}
	return err
}

// destinationOf returns the destination of the action of a link; null if the action leads nowhere in the file.
func (d *document) destinationOf(link object.Dict) (object.Object, error) {
	action, err := d.dict(link.Lookup("A"))
	if err != nil {
		return object.Object{}, err
	}
	if s, err := d.Reader.Resolve(action.Lookup("S")); err != nil || !s.IsName("GoTo") {
		return object.Object{}, err
	}
	return d.Reader.Resolve(action.Lookup("D"))
}

// dict returns a resolved dictionary, or an empty one for any other object.
func (d *document) dict(o object.Object) (object.Dict, error) {
	o, err := d.Reader.Resolve(o)
	dict, _ := o.Dict()
	return dict, err
}

// readDestinations reads the named destinations.
func (d *document) readDestinations() error {
	at := rule.Place{Part: "Dests"}
	if root := d.Database.Names.Lookup("Dests"); !root.IsNull() {
		t, err := d.Reader.Tree(root)
		if err != nil {
			return d.couldNotRead(at, err)
		}
		d.dests = t
		for defect := range t.Defects() {
			if err := defect.Unread(); err != nil {
				d.Unread = append(d.Unread, rule.Unread{Place: at, Err: err})
			}
		}
	}
	old, err := d.dict(d.Database.Catalog.Lookup("Dests"))
	if err != nil {
		return d.couldNotRead(at, err)
	}
	for name, v := range old.All() {
		if !v.IsNull() {
			d.oldDests[string(name)] = true
		}
	}
	return nil
}

// finds reports whether a viewer finds a named destination (12.3.2.4).
func (d *document) finds(name nametree.Key) bool {
	found := d.oldDests[string(name)]
	if !found && d.dests != nil {
		_, found = d.dests.Find(name)
	}
	return found
}
