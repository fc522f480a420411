package rewrite

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// A treeEdit is what steps do to one of the two trees. Entries are told by their
// index, and keys may come to be equal: settle makes one entry of these.
type treeEdit struct {
	p     *planner
	which int
	tree  *nametree.Tree // without entries if the file has none
	root  object.Object  // null if the file has none

	key     map[int]nametree.Key    // new keys
	value   map[int][]object.Object // new content sets; none if the entry goes
	own     map[int]bool            // the value becomes an object of its own
	added   []addition
	dropped [][2]int // pairs without a key, by node and index
	touched bool
	removed bool

	distributed map[int]bool
}

// An addition is a content set that gets a key.
type addition struct {
	key   nametree.Key
	entry int // to whose value it goes, whatever its key will be; -1 for none
	set   object.Object
}

func newTreeEdit(p *planner, which int, t *webcapture.Tree) *treeEdit {
	e := &treeEdit{
		p: p, which: which, tree: new(nametree.Tree),
		key: map[int]nametree.Key{}, value: map[int][]object.Object{}, own: map[int]bool{}, distributed: map[int]bool{},
	}
	if t != nil {
		e.tree, e.root = t.Tree, t.Root
	}
	return e
}

// elements returns the content sets in the value of an entry, as steps have made
// it so far.
func (t *treeEdit) elements(i int) ([]object.Object, error) {
	if v, ok := t.value[i]; ok {
		return v, nil
	}
	return t.p.elements(t.tree.Entry(i).Value)
}

// elements returns the content sets in a value, as stored.
func (p *planner) elements(value object.Object) ([]object.Object, error) {
	var list []object.Object
	for o, err := range p.reader.Values(value) {
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// release makes the value of an entry, which stands in the tree, an object. Content
// sets in it can have other keys then, and get those that are theirs, in each tree
// that has entries.
func (t *treeEdit) release(i int) error {
	t.own[i] = true
	t.touched = true
	list, err := t.elements(i)
	if err != nil {
		return soft(err)
	}
	for _, o := range list {
		if o.Kind() != object.Dictionary {
			continue
		}
		for _, other := range t.p.trees {
			keys, err := t.p.ownKeys(other.which, o)
			if err != nil {
				return err
			}
			for _, key := range keys {
				if other.tree.Len() > 0 {
					other.add(key, o)
				}
			}
		}
	}
	return nil
}

// distribute gives an entry of IDS the key that the IDs of its content sets
// demand, and sends those with another ID to their own keys. A set without an ID
// stays where the others go.
func (t *treeEdit) distribute(i int, key nametree.Key) error {
	if t.distributed[i] {
		return nil
	}
	t.distributed[i] = true
	list, err := t.elements(i)
	if err != nil {
		return err
	}
	ids := make([]nametree.Key, len(list))
	for k, o := range list {
		if ids[k], err = t.p.idOf(o); err != nil {
			return err
		}
		if ids[k] == t.tree.Entry(i).Key {
			key = ids[k] // it is right for some
		}
	}
	var stay []object.Object
	for k, o := range list {
		if ids[k] == "" || ids[k] == key {
			stay = append(stay, o)
		} else {
			t.add(ids[k], o)
		}
	}
	if len(stay) < len(list) {
		t.value[i] = stay
	}
	t.key[i] = key
	t.touched = true
	return nil
}

// idOf returns the ID of a content set as a key; "" if it has none, or is no
// content set.
func (p *planner) idOf(o object.Object) (nametree.Key, error) {
	var cs webcapture.ContentSet
	if err := p.reader.Read(o, &cs); err != nil {
		return "", soft(err)
	}
	id, ok := cs.Identifier()
	if !ok || !cs.Recognized() {
		return "", nil
	}
	return nametree.Key(id[:]), nil
}

// soft returns err if it speaks of more than the file.
func soft(err error) error {
	if object.IsMalformed(err) {
		return nil
	}
	return err
}

// add gives a content set a key.
func (t *treeEdit) add(key nametree.Key, set object.Object) {
	t.added = append(t.added, addition{key: key, entry: -1, set: set})
	t.touched = true
}

// join puts a content set into the value of the entry with a key, whatever the key
// of that entry becomes; if there is none, the set gets another key.
func (t *treeEdit) join(has, gets nametree.Key, set object.Object) {
	a := addition{key: gets, entry: -1, set: set}
	for i := range t.tree.All(has) {
		a.entry = i
		break
	}
	t.added = append(t.added, a)
	t.touched = true
}

// tidy takes out of a value what is null or stands there again.
func (t *treeEdit) tidy(i int) error {
	list, err := t.elements(i)
	if err != nil {
		return err
	}
	t.value[i], err = t.p.union(list)
	return err
}

// union returns a list without what is null, and without repeated references.
func (p *planner) union(list []object.Object) ([]object.Object, error) {
	seen := map[object.Ref]bool{}
	var out []object.Object
	for _, o := range list {
		if ref, ok := o.Ref(); ok {
			if seen[ref] {
				continue
			}
			seen[ref] = true
		}
		r, err := p.reader.Resolve(o)
		if soft(err) != nil {
			return nil, err
		}
		if err == nil && r.IsNull() {
			continue
		}
		out = append(out, o)
	}
	return out, nil
}

// An orphan is a pair that makes no entry, and that a finding is about.
type orphan struct {
	finding int // index in the report
	tree    *treeEdit
	node    int
	pair    int
	halves  []object.Object // key and value, as stored
	lone    bool            // there is no second half
	left    string          // why it has to stay
}

// withoutEntry are the defects of such pairs, but for those whose key cannot be
// read.
var withoutEntry = []nametree.DefectKind{nametree.KeyNull, nametree.KeyNotString, nametree.OddNames}

// orphanAt returns the pair that a finding is about.
func (p *planner) orphanAt(index int, at audit.Place) *orphan {
	o := &orphan{finding: index, tree: p.tree(at.Tree), node: at.Node.Position(), pair: at.Node.Index, left: "It cannot be told from others."}
	for _, d := range o.tree.tree.Defects() {
		if d.Node == o.node && d.Index == o.pair && slices.Contains(withoutEntry, d.Kind) {
			o.halves, o.lone, o.left = []object.Object{d.Found, d.Value}, d.Kind == nametree.OddNames, ""
		}
	}
	return o
}

// restoreKeys resolves pairs that make no entry. Content sets in them, in either
// place, go to the keys that they have by their IDs and URLs; a string may go if it
// is the key of some entry then. Anything else stays, and the pair with it.
func (p *planner) restoreKeys(orphans []*orphan) error {
	for _, o := range orphans {
		for k, half := range o.halves {
			if err := o.rehome(p, half, k == 0); err != nil {
				return err
			}
		}
	}
	for _, o := range orphans {
		for _, half := range o.halves {
			s, err := p.reader.String(half)
			if soft(err) != nil {
				return err
			}
			if s.OK() && o.left == "" && !o.tree.has(nametree.Key(s.Bytes)) {
				o.left = "Nothing tells what the key in it leads to."
			}
		}
		if o.left == "" {
			o.tree.dropped = append(o.tree.dropped, [2]int{o.node, o.pair})
			o.tree.touched = true
			p.step(p.plan.Report.Findings[o.finding], "", "")
		}
	}
	return nil
}

// has reports whether a key is that of an entry, or of an addition.
func (t *treeEdit) has(key nametree.Key) bool {
	for range t.tree.All(key) {
		return true
	}
	return slices.ContainsFunc(t.added, func(a addition) bool { return a.key == key })
}

// rehome gives the content sets in one half of a pair the keys that are theirs. A
// number or a name in the place of the key says nothing, and goes.
func (o *orphan) rehome(p *planner, half object.Object, isKey bool) error {
	resolved, err := p.reader.Resolve(half)
	switch {
	case err != nil:
		o.left = "It cannot be read."
		return soft(err)
	case resolved.IsNull(), resolved.Kind() == object.String, isKey && resolved.Kind() < object.String, isKey && resolved.Kind() == object.Name:
		return nil
	}
	list, err := p.elements(half)
	if err != nil {
		return err
	}
	if list, err = p.union(list); err != nil {
		return err
	}
	for _, set := range list {
		if ref, ok := set.Ref(); ok {
			p.plan.fresh[ref] = true
		}
		keys, err := p.ownKeys(o.tree.which, set)
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			elsewhere, err := p.trees[1-o.tree.which].leadsTo(set)
			if err != nil {
				return err
			}
			if !elsewhere || o.lone {
				o.left = "What it leads to has no key of its own."
			}
		}
		for _, key := range keys {
			o.tree.add(key, set)
		}
	}
	return nil
}

// leadsTo reports whether a content set stands in the tree, under a key of its own.
func (t *treeEdit) leadsTo(set object.Object) (bool, error) {
	ref, isRef := set.Ref()
	keys, err := t.p.ownKeys(t.which, set)
	if err != nil || !isRef {
		return false, err
	}
	for _, key := range keys {
		for i := range t.tree.All(key) {
			list, err := t.elements(i)
			if soft(err) != nil {
				return false, err
			}
			if slices.ContainsFunc(list, func(o object.Object) bool { r, ok := o.Ref(); return ok && r == ref }) {
				return true, nil
			}
		}
	}
	return false, nil
}

// ownKeys returns the keys that a content set has in a tree by what it says of
// itself.
func (p *planner) ownKeys(which int, o object.Object) ([]nametree.Key, error) {
	var cs webcapture.ContentSet
	if err := p.reader.Read(o, &cs); err != nil || !cs.Recognized() {
		return nil, soft(err)
	}
	if which == ids {
		id, ok := cs.Identifier()
		if !ok {
			return nil, nil
		}
		return []nametree.Key{nametree.Key(id[:])}, nil
	}
	var keys []nametree.Key
	for i := range cs.Sources {
		for role, url := range cs.Sources[i].URLs() {
			if role == webcapture.Destination && len(url) > 0 {
				keys = append(keys, p.canonical(nametree.Key(url)))
			}
		}
	}
	return keys, nil
}

// buildIDS gives each content set that URLS leads to an entry in IDS, and returns
// how many there are.
func (p *planner) buildIDS() (n int, err error) {
	seen := map[object.Ref]bool{}
	for _, e := range p.trees[urls].tree.Entries() {
		list, err := p.elements(e.Value)
		if soft(err) != nil {
			return n, err
		}
		for _, o := range list {
			ref, ok := o.Ref()
			if !ok && !p.repairs[directValue] || seen[ref] || p.isRemoved(o) {
				continue // a set that stays in its tree can be in no other
			}
			seen[ref] = ok
			id, err := p.idOf(o)
			if err != nil {
				return n, err
			}
			if id != "" {
				p.trees[ids].add(id, o)
				n++
			}
		}
	}
	return n, nil
}

// refill builds IDS from the content sets that URLS leads to, if what steps take
// out of it would leave it empty: pages find their content sets by IDS alone.
func (p *planner) refill() error {
	t := p.trees[ids]
	if !t.touched || len(t.added) > 0 || !p.repairs[emptyIDS] {
		return nil
	}
	for i := range t.tree.Len() {
		if !t.gone(i) {
			return nil
		}
	}
	n, err := p.buildIDS()
	if err != nil || n == 0 {
		return err
	}
	r, _ := audit.Lookup(emptyIDS)
	p.plan.Steps = append(p.plan.Steps, Step{
		Rules: []*audit.Rule{r}, Action: audit.BuildIDS.String(), Tree: treeNames[ids], Place: audit.Place{Tree: treeNames[ids]},
		New: fmt.Sprintf("%d entries", n), Reason: "nothing else would be left in the tree",
	})
	return nil
}

// emptyIDS is the rule about pages whose content sets cannot be found.
const emptyIDS = "WC523"

// gone reports whether an entry leads to nothing any more.
func (t *treeEdit) gone(i int) bool {
	list, ok := t.value[i]
	return ok && len(list) == 0
}

// stringFor returns the string object that holds a key already, because a
// content set refers to it as its ID or URL; Num 0 if there is none. Keys,
// identifiers and URLs share their strings in real files (14.10.5.2, and
// implementation note 166 of the PDF Reference).
func (t *treeEdit) stringFor(key nametree.Key, set object.Object) (object.Ref, error) {
	var cs webcapture.ContentSet
	if err := t.p.reader.Read(set, &cs); err != nil {
		return object.Ref{}, soft(err)
	}
	stored := cs.Dict.Lookup("ID")
	if t.which == urls {
		if len(cs.Sources) == 0 {
			return object.Ref{}, nil
		}
		stored = cs.Sources[0].Dict.Lookup("AU")
	}
	ref, ok := stored.Ref()
	if !ok {
		return object.Ref{}, nil
	}
	s, err := t.p.reader.String(stored)
	if err != nil || string(s.Bytes) != string(key) || !s.OK() {
		return object.Ref{}, soft(err)
	}
	return ref, nil
}
