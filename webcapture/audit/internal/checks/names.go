package checks

// Names of destinations and form fields that contain an ID (14.10.3.4). The standard appends the ID to a name; Acrobat
// puts it in front.

import (
	"cmp"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var nameForeign = &rule.Rule{
	ID:      "WC530",
	Title:   "If the name of a destination or form field contains an ID, a content set has this ID.",
	Problem: "Named destinations or fields with the ID of no content set",
	Clause:  "ISO 32000-2:2020, 14.10.3.4",
	Level:   rule.Note,
	Doc: "Captured destinations and fields get unique names from the ID of their page set. The standard puts the " +
		"ID after the name, Acrobat before it; webcap accepts both. No content set has this ID: its pages are " +
		"gone, or came from another file.",
	Repair:        "None: links may depend on the names.",
	MayFollow:     []rule.Action{rule.Rebuild},
	CheckDocument: checkNameForeign,
}

var NameMissing = &rule.Rule{
	ID:      "WC531",
	Title:   "A link or outline item leads to a destination if it names one with the ID of a content set.",
	Problem: "Links to captured pages that lead nowhere or elsewhere",
	Cause:   "typical of tools that store identifiers as text",
	Clause:  "ISO 32000-2:2020, 14.10.3.4 and 12.3.2.4",
	Level:   rule.Error,
	Doc: "Links between captured pages name destinations that contain the ID of the page set. Acrobat puts the ID " +
		"before the name, the standard after it. IDs are bytes. A tool that treats names as text changes them and breaks " +
		"every such link. A viewer finds a name only by a binary search, so Dests must be sorted and have correct Limits.",
	Repair: "If Dests has the name stored as text, change that key to the name. Links and outline items stay.",
	Basis: rule.Basis{
		Wrong: "A key of Dests is stored as text: it is the name of a link or outline item in another encoding",
		Right: "The name of the link or outline item, which the encoding turns into the key. Links and outline items " +
			"do not change",
		Otherwise: "Dests is kept",
	},
	Action: rule.RenameDestination,
	// A name counts only while a content set has its ID. After Restore, a link to a page that is gone counts again.
	MayFollow:     []rule.Action{rule.Rebuild, rule.Restore},
	CheckPage:     checkPageNameMissing,
	CheckDocument: checkOutlineNameMissing,
}

func checkNameForeign(p *rule.Pass, doc *rule.Document) {
	isSet := setTest(doc, p)
	names := foreignNames{}
	for name := range destinationsOf(p).all {
		if !utf8.ValidString(name) { // otherwise it is text
			names.add(name, digest.Splits, isSet)
		}
		if !p.Spend(meter.Object) {
			return
		}
	}
	for _, n := range names.sorted() {
		n.report(p, rule.Place{Part: "Dests"}, "destination", "")
	}
	fields := foreignNames{}
	for f := range formFields(p) {
		if t, ok := p.LookString(rule.Place{Object: f.ref}, f.dict.Lookup("T")); ok && f.root && t.OK() {
			fields.add(string(t.Bytes), digest.FieldSplits, isSet)
		}
	}
	for _, n := range fields.sorted() {
		n.report(p, rule.Place{Part: "AcroForm"}, "field", "the letters of ")
	}
}

// foreignNames holds the names with IDs that no content set has, by ID and position.
type foreignNames map[foreignKey]*foreignName

type foreignKey struct {
	id    digest.ID
	place digest.Place
}

// foreignName counts names with the same ID, which no content set has.
type foreignName struct {
	foreignKey
	first string // first name in byte order
	count int
}

// add records a name, unless its ID belongs to a content set. splits yields the possible IDs in the name.
func (f foreignNames) add(name string, splits func(string) iter.Seq[digest.Match], isSet func(digest.ID) bool) {
	ways := digest.Likeliest(splits(name))
	if len(ways) == 0 || !ways[0].ID.LooksDigested() ||
		slices.ContainsFunc(ways, func(m digest.Match) bool { return isSet(m.ID) }) {
		return
	}
	m := ways[0]
	key := foreignKey{m.ID, m.Place}
	n := f[key]
	if n == nil {
		n = &foreignName{key, name, 0}
		f[key] = n
	}
	n.first = min(n.first, name)
	n.count++
}

// sorted returns the foreign names in the order of their IDs.
func (f foreignNames) sorted() []*foreignName {
	var list []*foreignName
	for _, n := range f {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b *foreignName) int {
		return cmp.Or(cmp.Compare(string(a.id[:]), string(b.id[:])), cmp.Compare(a.place, b.place))
	})
	return list
}

// report reports the names. noun is the kind of the named objects. The parameter of is the text before "the ID" in the
// message.
func (n *foreignName) report(p *rule.Pass, at rule.Place, noun, of string) {
	verb := [...]string{digest.Prefix: "begin", digest.Suffix: "end"}[n.place]
	first, id := nametree.Key(n.first), nametree.Key(n.id[:])
	if n.count == 1 {
		p.Reportf(at, nil, "the %s %v %ss with %sthe ID %v, which no content set has", noun, first, verb, of, id)
		return
	}
	p.Reportf(at, nil, "%d %ss %s with %sthe ID %v, which no content set has; the first is %v", n.count, noun, verb, of,
		id, first)
}

func checkPageNameMissing(p *rule.Pass, pg *rule.Page, doc *rule.Document) {
	for _, a := range pg.Annotations(p) {
		checkNameMissing(p, a.At(), a.Dict, doc)
	}
}

func checkOutlineNameMissing(p *rule.Pass, doc *rule.Document) {
	for ref, item := range outlineItems(p) {
		checkNameMissing(p, rule.Place{Object: ref}, item, doc)
	}
	checkDestinationsMissed(p, doc)
}

// checkDestinationsMissed reports the captured destinations in Dests that a viewer does not find, in one finding.
func checkDestinationsMissed(p *rule.Pass, doc *rule.Document) {
	tree, isSet := destinationsOf(p).tree, setTest(doc, p)
	if tree == nil {
		return
	}
	missed, first := 0, -1
	for i := range tree.Missed() {
		key := tree.Entry(i).Key
		if !p.Spend(meter.Object) {
			return
		}
		if _, found := tree.Find(key); found { // another entry has this key
			continue
		}
		missed++
		if _, captured := digest.Split(string(key), isSet); captured && first < 0 {
			first = i
		}
	}
	if first >= 0 {
		p.Reportf(rule.Place{Part: "Dests"}, nil, "a search by Limits misses %d of %d names; the first with the ID of a "+
			"content set is %v (table 36)", missed, tree.Len(), tree.Entry(first).Key)
	}
}

func checkNameMissing(p *rule.Pass, at rule.Place, from object.Dict, doc *rule.Document) {
	name := goToName(p, at, from)
	m, ok := digest.Split(name, setTest(doc, p))
	if !ok {
		return
	}
	if dests := destinationsOf(p); dests.whole && !dests.has(name) {
		var fix *rule.Fix
		if key, ok := dests.transcoded(name); ok {
			fix = &rule.Fix{Action: rule.RenameDestination, Old: key, New: nametree.Key(name)}
		}
		p.Reportf(at, fix, "the destination %v %s the ID of a content set, %v, but is not in Dests", nametree.Key(name),
			where(m.Place), nametree.Key(m.ID[:]))
	}
}

// where describes the position of the ID in a name.
func where(p digest.Place) string {
	if p == digest.Prefix {
		return "begins with"
	}
	return "ends with"
}

// goToName returns the named destination of an annotation or outline item; empty if it has none, or one without a name.
func goToName(p *rule.Pass, at rule.Place, d object.Dict) string {
	return destinationName(goToDestination(p, at, d))
}

// goToDestination returns the destination of an annotation or outline item (12.3.2.4, 12.6.4.2), resolved; null if it
// has none.
func goToDestination(p *rule.Pass, at rule.Place, d object.Dict) object.Object {
	dest := d.Lookup("Dest")
	if dest.IsNull() {
		action, _ := p.Look(at, d.Lookup("A"))
		a, _ := action.Dict()
		if s, _ := p.Look(at, a.Lookup("S")); !s.IsName("GoTo") {
			return object.Object{}
		}
		dest = a.Lookup("D")
	}
	o, _ := p.Look(at, dest)
	return o
}

// destinationName returns the name in a destination; empty if it is explicit.
func destinationName(dest object.Object) string {
	if b, ok := dest.Name(); ok {
		return string(b)
	}
	b, _ := dest.AppendString(nil)
	return string(b)
}

// outlineItems yields the items of the document outline (12.3.3), each once, in no particular order.
func outlineItems(p *rule.Pass) iter.Seq2[object.Ref, object.Dict] {
	return func(yield func(object.Ref, object.Dict) bool) { walkOutlines(p, yield) }
}

func walkOutlines(p *rule.Pass, yield func(object.Ref, object.Dict) bool) {
	root, _ := p.Look(rule.Place{Part: "Outlines"}, p.DB.Catalog.Lookup("Outlines"))
	d, _ := root.Dict()
	todo := []object.Object{d.Lookup("First")}
	seen := map[object.Ref]bool{}
	for len(todo) > 0 && !p.Over() {
		ref, ok := todo[len(todo)-1].Ref()
		todo = todo[:len(todo)-1]
		if !ok || seen[ref] {
			continue
		}
		seen[ref] = true
		o, _ := p.Look(rule.Place{Object: ref}, object.MakeRef(ref))
		item, _ := o.Dict()
		if !yield(ref, item) {
			return
		}
		todo = append(todo, item.Lookup("Next"), item.Lookup("First"))
	}
}

// destinations holds the named destinations of the document (12.3.2.4): the name tree Dests, and the dictionary of PDF
// 1.1.
type destinations struct {
	tree  *nametree.Tree // nil if there is none
	old   object.Dict
	names map[string]bool // names in the dictionary of PDF 1.1
	whole bool            // all are readable
}

// destinationsOf returns the named destinations, which are read once. Only checks of pages and of the document may call
// it, because these run one at a time.
func destinationsOf(p *rule.Pass) *destinations {
	d := rule.Shared[destinations](p.Audit)
	if d.names == nil {
		d.read(p)
	}
	return d
}

func (d *destinations) read(p *rule.Pass) {
	d.names, d.whole = map[string]bool{}, true
	at := rule.Place{Part: "Dests"}
	if root := p.DB.Names.Lookup("Dests"); !root.IsNull() {
		var err error
		if d.tree, err = p.Reader.Tree(root); err != nil {
			p.CouldNotRead(at, err)
		}
		d.whole = err == nil && rule.Complete(d.tree)
	}
	old, ok := p.Look(at, p.DB.Catalog.Lookup("Dests"))
	d.whole = d.whole && ok
	d.old, _ = old.Dict()
	for name := range d.old.All() {
		d.names[string(name)] = true
	}
}

// has reports whether a destination has the name.
func (d *destinations) has(name string) bool {
	return d.names[name] || d.tree != nil && hasKey(d.tree, nametree.Key(name))
}

// value returns the explicit destination with a name, resolved; null if there is none.
func (d *destinations) value(p *rule.Pass, at rule.Place, name string) object.Object {
	stored := d.old.Lookup(name)
	if d.tree != nil {
		for i := range d.tree.All(nametree.Key(name)) {
			stored = d.tree.Entry(i).Value
			break
		}
	}
	o, _ := p.Look(at, stored)
	if dict, ok := o.Dict(); ok {
		o, _ = p.Look(at, dict.Lookup("D"))
	}
	return o
}

// transcoded returns the key of Dests that is name in another text encoding; false if there is none.
func (d *destinations) transcoded(name string) (nametree.Key, bool) {
	if d.tree == nil {
		return "", false
	}
	for _, text := range rule.Transcodings([]byte(name)) {
		if text != name && hasKey(d.tree, nametree.Key(text)) {
			return nametree.Key(text), true
		}
	}
	return "", false
}

// all yields all names, first those of the tree.
func (d *destinations) all(yield func(string) bool) {
	if d.tree != nil {
		for _, e := range d.tree.Entries() {
			if !yield(string(e.Key)) {
				return
			}
		}
	}
	for name := range d.old.All() {
		if !yield(string(name)) {
			return
		}
	}
}

// setTest returns a function that reports whether an ID belongs to a content set, or is a key of IDS.
func setTest(d *rule.Document, p *rule.Pass) func(digest.ID) bool {
	return func(id digest.ID) bool {
		exists, _ := d.Members.Known(id)
		return exists || inIDS(p, id)
	}
}

// field is a form field (12.7.4).
type field struct {
	ref  object.Ref
	dict object.Dict
	root bool          // listed in Fields of the form
	kind object.Object // FT of the field, or inherited; not resolved
}

// formFields yields the fields of the document's form, each once.
func formFields(p *rule.Pass) iter.Seq[field] {
	return func(yield func(field) bool) { walkFields(p, yield) }
}

func walkFields(p *rule.Pass, yield func(field) bool) {
	at := rule.Place{Part: "AcroForm"}
	form, _ := p.Look(at, p.DB.Catalog.Lookup("AcroForm"))
	d, _ := form.Dict()
	type node struct {
		kids  object.List // kids not visited yet
		below field       // values that the kids inherit
	}
	var todo []node // path from the form to the current node
	add := func(at rule.Place, kids object.Object, below field) {
		o, _ := p.Look(at, kids)
		if list, ok := o.Array(); ok {
			todo = append(todo, node{list, below})
		}
	}
	add(at, d.Lookup("Fields"), field{root: true})
	var seen object.RefSet
	for len(todo) > 0 && p.Spend(meter.Object) {
		n := &todo[len(todo)-1]
		kid, rest, ok := n.kids.Cut()
		if !ok {
			todo = todo[:len(todo)-1]
			continue
		}
		n.kids = rest
		ref, ok := kid.Ref()
		if !ok || !seen.Add(ref) {
			continue // fields are indirect objects
		}
		o, _ := p.Look(rule.Place{Object: ref}, kid)
		f := n.below
		f.ref = ref
		f.set(o)
		if !yield(f) {
			return
		}
		add(rule.Place{Object: ref}, f.dict.Lookup("Kids"), field{kind: f.kind})
	}
}

// set reads the dictionary of a field. If o is not a dictionary, the field has no entries.
func (f *field) set(o object.Object) {
	f.dict, _ = o.Dict()
	if own := f.dict.Lookup("FT"); !own.IsNull() {
		f.kind = own
	}
}
