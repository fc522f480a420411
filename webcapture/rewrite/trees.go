package rewrite

import (
	"cmp"
	"crypto/md5"
	"errors"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/witness"
)

// treeEdit holds the changes of steps to URLS or IDS. Entries are identified by index. If several get the same key,
// mergeByKey merges them.
type treeEdit struct {
	*view
	name webcapture.TreeName
	tree *nametree.Tree // empty if the file has no such tree
	root object.Object  // null if the file has no such tree

	key      map[int]nametree.Key    // new keys of entries
	value    map[int][]object.Object // new content sets of entries; none if the entry is removed
	indirect map[int]bool            // entries whose values become indirect
	added    []addition
	dropped  [][2]int // removed stray pairs, by node and index
	touched  bool
	removed  bool

	addedKeys map[nametree.Key]bool      // keys of added
	pairs     map[[2]int]nametree.Defect // see strayPairs
}

// addition is a content set that gets an additional key.
type addition struct {
	key   nametree.Key
	entry int // entry that gets the content set, even if its key changes; -1 for none
	set   object.Object
}

func newTreeEdit(v *view, name webcapture.TreeName) *treeEdit {
	e := &treeEdit{
		view: v, name: name, tree: new(nametree.Tree),
		key: map[int]nametree.Key{}, value: map[int][]object.Object{}, indirect: map[int]bool{},
		addedKeys: map[nametree.Key]bool{},
	}
	if t := v.db.Tree(name); t != nil {
		e.tree, e.root = t.Tree, t.Root
	}
	return e
}

// elements returns the content sets in the value of entry i after the steps so far.
func (t *treeEdit) elements(i int) ([]object.Object, error) {
	if v, ok := t.value[i]; ok {
		return v, nil
	}
	return t.view.elements(t.tree.Entry(i).Value)
}

// elements returns the content sets in a value, as stored.
func (v *view) elements(value object.Object) ([]object.Object, error) {
	var list []object.Object
	for o, err := range v.reader.Values(value) {
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// makeIndirect makes the direct value of an entry an object. Content sets in the value then get the keys of their IDs
// and URLs in each tree with entries. A content set that a tree already has gets no second key there, because its URL
// or ID may be disputed; other rules decide that.
func (p *planner) makeIndirect(t *treeEdit, i int) error {
	t.indirect[i] = true
	t.touched = true
	list, err := t.elements(i)
	if err != nil {
		return object.IgnoreMalformed(err)
	}
	for _, o := range list {
		if o.Kind() != object.Dictionary {
			continue
		}
		for _, other := range p.trees {
			keys, err := p.ownKeys(other.name, o)
			if err != nil {
				return err
			}
			if other.tree.Len() == 0 {
				continue
			}
			known, err := p.isIn(other, o)
			if err != nil {
				return err
			}
			for _, key := range keys {
				if known && (other != t || key != p.canonical(t.tree.Entry(i).Key)) {
					continue
				}
				if other.name == webcapture.IDS || canon.Split([]byte(key)).Absolute() {
					other.add(key, o)
				}
			}
		}
	}
	return nil
}

// isIn reports whether a tree has a content set that equals a direct one.
func (p *planner) isIn(t *treeEdit, set object.Object) (bool, error) {
	if p.inTree[t.name] == nil {
		p.inTree[t.name] = map[[md5.Size]byte]bool{}
		for i := range t.tree.Len() {
			list, err := t.elements(i)
			if err = object.IgnoreMalformed(err); err != nil {
				return false, err
			}
			for _, o := range list {
				if o, err = p.reader.Resolve(o); object.IgnoreMalformed(err) != nil {
					return false, err
				}
				p.inTree[t.name][md5.Sum(o.AppendNormal(nil))] = true
			}
		}
	}
	return p.inTree[t.name][md5.Sum(set.AppendNormal(nil))], nil
}

// distribute gives an entry of IDS a new key. Content sets with another ID move to the keys of their own IDs. A content
// set without an ID stays in the entry.
func (t *treeEdit) distribute(i int, key nametree.Key) error {
	list, err := t.elements(i)
	if err != nil {
		return err
	}
	ids := make([]nametree.Key, len(list))
	for k, o := range list {
		if ids[k], err = t.idOf(o); object.IsMalformed(err) {
			return errUnreadable // the key may be its ID
		} else if err != nil {
			return err
		}
		if ids[k] == t.tree.Entry(i).Key {
			key = ids[k] // the old key is the ID of some content set
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

// sendHome moves a content set from an entry of URLS to the keys of its own URLs.
func (t *treeEdit) sendHome(i int, set object.Ref) error {
	list, err := t.elements(i)
	if err != nil {
		return object.IgnoreMalformed(err)
	}
	var stay []object.Object
	for _, o := range list {
		if ref, _ := o.Ref(); ref != set {
			stay = append(stay, o)
			continue
		}
		keys, err := t.homes(o, t.tree.Entry(i).Key)
		if err != nil {
			return err
		}
		for _, key := range keys {
			t.add(key, o)
		}
		if len(keys) == 0 {
			stay = append(stay, o)
		}
	}
	t.value[i] = stay
	t.touched = true
	return nil
}

// homes returns the keys for the URLs of a content set. It returns none if key already is a form of one of the URLs,
// or if the content set is direct.
func (t *treeEdit) homes(o object.Object, key nametree.Key) ([]nametree.Key, error) {
	var s rule.Set
	if o.Kind() != object.Reference {
		return nil, nil
	}
	if err := t.reader.Read(o, &s.ContentSet); err != nil {
		return nil, object.IgnoreMalformed(err)
	}
	if s.Accepts(key) {
		return nil, nil
	}
	return t.ownKeys(t.name, o)
}

// errUnreadable means that a step is skipped because of an unreadable object.
var errUnreadable = errors.New("a content set that it leads to cannot be read")

// idOf returns the ID of a content set as a key. It returns "" if o is not a content set or has no ID. The error is an
// *object.Malformed if o is unreadable.
func (v *view) idOf(o object.Object) (nametree.Key, error) {
	var cs webcapture.ContentSet
	if err := v.reader.Read(o, &cs); err != nil {
		return "", err
	}
	id, ok := cs.Identifier()
	if !ok || !cs.Recognized() {
		return "", nil
	}
	return nametree.Key(id[:]), nil
}

// add gives a content set an additional key.
func (t *treeEdit) add(key nametree.Key, set object.Object) {
	t.added = append(t.added, addition{key: key, entry: -1, set: set})
	t.addedKeys[key] = true
	t.touched = true
}

// takeOut removes a content set from all entries with a key.
func (t *treeEdit) takeOut(key nametree.Key, set object.Ref) error {
	for i := range t.tree.All(key) {
		list, err := t.elements(i)
		if err != nil {
			return object.IgnoreMalformed(err)
		}
		isSet := func(o object.Object) bool { ref, ok := o.Ref(); return ok && ref == set }
		t.value[i] = slices.DeleteFunc(slices.Clone(list), isSet)
		t.touched = true
	}
	return nil
}

// join adds a content set to the first entry whose key is has, also if a step changes that key. Without such an
// entry, it adds the content set under the key gets.
func (t *treeEdit) join(has, gets nametree.Key, set object.Object) {
	a := addition{key: gets, entry: -1, set: set}
	for i := range t.tree.All(has) {
		a.entry = i
		break
	}
	t.added = append(t.added, a)
	t.touched = true
}

// tidy removes null and repeated elements from a value.
func (t *treeEdit) tidy(i int) error {
	list, err := t.elements(i)
	if err != nil {
		return err
	}
	t.value[i], err = t.distinct(list)
	return err
}

// distinct returns a list without null and repeated references.
func (v *view) distinct(list []object.Object) ([]object.Object, error) {
	seen := map[object.Ref]bool{}
	var out []object.Object
	for _, o := range list {
		if ref, ok := o.Ref(); ok {
			if seen[ref] {
				continue
			}
			seen[ref] = true
		}
		r, err := v.reader.Resolve(o)
		if object.IgnoreMalformed(err) != nil {
			return nil, err
		}
		if err == nil && r.IsNull() {
			continue
		}
		out = append(out, o)
	}
	return out, nil
}

// leadsTo reports whether a tree has a content set under a key of its ID or URLs.
func (t *treeEdit) leadsTo(set object.Object) (bool, error) {
	ref, isRef := set.Ref()
	keys, err := t.ownKeys(t.name, set)
	if err != nil || !isRef {
		return false, err
	}
	for _, key := range keys {
		for i := range t.tree.All(key) {
			list, err := t.elements(i)
			if object.IgnoreMalformed(err) != nil {
				return false, err
			}
			if slices.ContainsFunc(list, func(o object.Object) bool { r, ok := o.Ref(); return ok && r == ref }) {
				return true, nil
			}
		}
	}
	return false, nil
}

// ownKeys returns the keys for a content set's ID (in IDS) or URLs (in URLS); none for a disputed ID.
func (v *view) ownKeys(name webcapture.TreeName, o object.Object) ([]nametree.Key, error) {
	var cs webcapture.ContentSet
	if err := v.reader.Read(o, &cs); err != nil || !cs.Recognized() {
		return nil, object.IgnoreMalformed(err)
	}
	if name == webcapture.IDS {
		id, ok := cs.Identifier()
		if disputed, err := v.isIDDisputed(&cs); !ok || disputed || err != nil {
			return nil, err
		}
		return []nametree.Key{nametree.Key(id[:])}, nil
	}
	var keys []nametree.Key
	for i := range cs.Sources {
		for role, url := range cs.Sources[i].URLs() {
			if role == webcapture.Destination && len(url) > 0 {
				plain, _ := rule.PlainURL(url)
				keys = append(keys, v.canonical(nametree.Key(plain)))
			}
		}
	}
	return keys, nil
}

// isIDDisputed reports whether the members of a content set, or the data of its images, contradict its ID by the rules
// of the audit. A disputed ID is not used as a key.
func (v *view) isIDDisputed(cs *webcapture.ContentSet) (bool, error) {
	var carried witness.Carried
	for m, err := range witness.Members(v.reader, cs) {
		if carried.Add(m, err); object.IgnoreMalformed(err) != nil {
			return false, err
		}
	}
	var failed error
	images := func() (sums []digest.ID) {
		sums, failed = v.imageDigests(cs)
		return sums
	}
	verdict := carried.Judge(nametree.Key(cs.ID.Bytes), images, v.prefer)
	return verdict.Right != witness.Sets, failed
}

// imageDigests returns the MD5 of each image of a content set that is stored as fetched.
func (v *view) imageDigests(cs *webcapture.ContentSet) (sums []digest.ID, err error) {
	if cs.Subtype != webcapture.ImageSet {
		return nil, nil
	}
	var failed error
	look := func(o object.Object) (object.Object, bool) {
		r, err := v.reader.Resolve(o)
		failed = cmp.Or(failed, object.IgnoreMalformed(err))
		return r, err == nil
	}
	for m, err := range witness.Members(v.reader, cs) {
		failed = cmp.Or(failed, object.IgnoreMalformed(err))
		if err != nil || m.Ref.Num == 0 || !witness.IsAsFetched(m.Dict, look) {
			continue
		}
		data, err := v.reader.Stream(m.Ref)
		h := md5.New()
		if err == nil {
			_, err = io.Copy(h, data)
		}
		failed = cmp.Or(failed, object.IgnoreMalformed(err))
		if err == nil {
			sums = append(sums, digest.ID(h.Sum(nil)))
		}
	}
	return sums, failed
}

// stringFor returns an existing string object that equals a key, and that a content set uses as its ID or URL. Num is 0
// if there is none. In real files, keys, identifiers, and URLs share their strings (14.10.5.2, and implementation note
// 166 of the PDF Reference).
func (t *treeEdit) stringFor(key nametree.Key, set object.Object) (object.Ref, error) {
	var cs webcapture.ContentSet
	if err := t.reader.Read(set, &cs); err != nil {
		return object.Ref{}, object.IgnoreMalformed(err)
	}
	stored := cs.Dict.Lookup("ID")
	if t.name == webcapture.URLS {
		if len(cs.Sources) == 0 {
			return object.Ref{}, nil
		}
		stored = cs.Sources[0].Dict.Lookup("AU")
	}
	ref, ok := stored.Ref()
	if !ok {
		return object.Ref{}, nil
	}
	s, err := t.reader.String(stored)
	if err != nil || string(s.Bytes) != string(key) || !s.OK() {
		return object.Ref{}, object.IgnoreMalformed(err)
	}
	return ref, nil
}
