package restore

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// This file matches the content sets of the file with those of the original. Tools and accidents may change any
// property of a content set, so all of them count: members and ID most, then the URL, then dates, titles, and keys.
// Each content set is matched at most once. A property that the original itself contradicts does not count. If several
// matches are equally good, an equal object number decides, because many tools keep the numbers. Of the content sets
// that are left, those with the members of a matched one, and its ID or URL, are copies of it.

const (
	leastScore = 4 // minimum for a match: an equal ID, or equal members
	otherScore = 7 // minimum for sets with different IDs and no common member: captures may share a URL
)

// traits are the properties that identify a content set.
type traits struct {
	ref     object.Ref
	subtype webcapture.Subtype
	id      string
	members []object.Ref // members as pages and images of the original, sorted
	urls    []string     // URLs of its sources
	others  [5]string    // TS, CT, T, TID, and TS of the first source
	stored  []object.Ref // members in its own file
	keys    []treeKey    // keys of its entries
	proof   agreement    // only for the original: records that no other record contradicts
}

// treeKey is a key of one of the two trees.
type treeKey struct {
	tree webcapture.TreeName
	key  nametree.Key
}

// traitsOf reads the content sets of a file's entries. member maps a member to the page or image of the original.
func traitsOf(s side, member func(object.Ref) object.Ref) ([]*traits, error) {
	known := map[object.Ref]*traits{}
	var list []*traits
	for _, tree := range s.db.Trees() {
		for _, e := range tree.Entries() {
			values, err := valuesOf(s.reader, e.Value)
			if object.IgnoreMalformed(err) != nil {
				return nil, err
			}
			for _, o := range values {
				ref, ok := o.Ref()
				if !ok {
					continue
				}
				t := known[ref]
				if t == nil {
					t = &traits{ref: ref}
					known[ref] = t
					list = append(list, t)
				}
				t.keys = append(t.keys, treeKey{tree.Name, e.Key})
			}
		}
	}
	refs := make([]object.Ref, len(list))
	for i, t := range list {
		refs[i] = t.ref
	}
	s.file.SortByPosition(refs)
	for _, ref := range refs {
		if err := known[ref].read(s.reader, member); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// url returns the first URL of a content set; empty if it has none.
func (t *traits) url() string {
	if len(t.urls) == 0 {
		return ""
	}
	return t.urls[0]
}

// readable returns the content sets of a list, and the number of keys without a content set.
func readable(list []*traits) (sets []*traits, keys int) {
	for _, t := range list {
		if t.ref.Num == 0 {
			keys += len(t.keys)
		} else {
			sets = append(sets, t)
		}
	}
	return sets, keys
}

// read reads the records of a content set. If the object is not a content set, read clears its reference.
func (t *traits) read(r *webcapture.Reader, member func(object.Ref) object.Ref) error {
	var cs webcapture.ContentSet
	if err := r.Read(object.MakeRef(t.ref), &cs); err != nil || !cs.Recognized() {
		t.ref = object.Ref{}
		return object.IgnoreMalformed(err)
	}
	t.subtype, t.id = cs.Subtype, string(cs.ID.Bytes)
	for m := range cs.Members() {
		ref, ok := m.Ref()
		if ok {
			t.stored = append(t.stored, ref)
		}
		if ref = member(ref); ref.Num != 0 {
			t.members = append(t.members, ref)
		}
	}
	slices.SortFunc(t.members, object.Ref.Compare)
	t.members = slices.Compact(t.members)
	var retrieved object.Object
	if len(cs.Sources) > 0 {
		retrieved = cs.Sources[0].TS
	}
	for i := range cs.Sources {
		for _, url := range cs.Sources[i].URLs() {
			t.urls = append(t.urls, string(url))
		}
	}
	for i, o := range []object.Object{cs.TS, cs.CT, cs.T, cs.TID, retrieved} {
		s, err := r.String(o)
		if object.IgnoreMalformed(err) != nil {
			return err
		}
		t.others[i] = string(s.Bytes)
	}
	return nil
}

// score returns how well a content set t of the original matches one of the file; 0 for no match. Records that other
// records in the original contradict do not count.
func (t *traits) score(o *traits) (n int) {
	least := leastScore
	sameID := t.proof.id && t.id != "" && t.id == o.id
	if t.proof.id && t.id != "" && o.id != "" && !sameID {
		least = otherScore
	}
	sameMembers := len(t.members) > 0 && slices.Equal(t.members, o.members)
	if t.subtype != o.subtype && !sameMembers { // equal members prove equal subtypes
		n -= 3
	}
	if sameID {
		n += 4
	}
	switch {
	case sameMembers:
		n += 4
		least = leastScore
	case slices.ContainsFunc(t.members, func(ref object.Ref) bool { return slices.Contains(o.members, ref) }):
		n += 2
		least = leastScore
	}
	if t.proof.url && t.url() != "" && t.url() == o.url() {
		n += 3
		if sameID {
			n += 2 // a copy of it may have the members
		}
	}
	for i, text := range t.others {
		if text != "" && text == o.others[i] {
			n++
		}
	}
	trees := map[webcapture.TreeName]bool{}
	for _, k := range t.keys {
		if t.proof.in(k.tree) && slices.Contains(o.keys, k) {
			trees[k.tree] = true
		}
	}
	if trees[webcapture.IDS] {
		least = leastScore
	}
	if n += len(trees); n < least {
		return 0
	}
	return n
}

// labels returns the keys for looking up similar content sets: the ID, URL, and members, then the keys in trees.
func (t *traits) labels() []string {
	list := t.ownLabels()
	for _, k := range t.keys {
		list = append(list, k.tree.String()+" "+string(k.key))
	}
	return list
}

// ownLabels returns the labels that come from the content set itself: ID, URL, and members.
func (t *traits) ownLabels() []string {
	list := []string{"ID " + t.id, "URL " + t.url()}
	for _, ref := range t.members {
		list = append(list, "member "+ref.String())
	}
	return list
}

// setPair is a content set of the original, at an index in the list, with a possible match in the file.
type setPair struct {
	a, b    *traits
	score   int
	members bool // the members are equal
	at      int
}

// pairSets returns all possible matches, with their scores.
func pairSets(original, file []*traits, changesBack func(object.Ref) bool) (pairs []setPair) {
	alike := map[string][]*traits{}
	for _, t := range file {
		for _, label := range t.labels() {
			if len(alike[label]) <= maxAlike {
				alike[label] = append(alike[label], t)
			}
		}
	}
	for at, a := range original {
		seen := map[*traits]bool{}
		for _, label := range a.labels() {
			if len(alike[label]) > maxAlike {
				continue // too many content sets share it
			}
			for _, b := range alike[label] {
				if seen[b] {
					continue
				}
				seen[b] = true
				if a.id != b.id && a.id != "" && b.id != "" && !changesBack(b.ref) {
					continue
				}
				if score := a.score(b); score > 0 {
					members := len(a.members) > 0 && slices.Equal(a.members, b.members)
					pairs = append(pairs, setPair{a, b, score, members, at})
				}
			}
		}
	}
	return pairs
}

// identify matches content sets of the original with those of the file. copies holds, for each matched content set, its
// further copies in the file. If changesBack is false for a content set of the file, it does not match one with another
// ID.
func identify(original, file []*traits, changesBack func(object.Ref) bool) (
	is map[object.Ref]object.Ref, copies map[object.Ref][]object.Ref,
) {
	pairs := pairSets(original, file, changesBack)
	is, taken := matchSets(pairs, func(setPair, setPair) int { return 0 })
	if slices.ContainsFunc(pairs, func(p setPair) bool { return p.members && is[p.a.ref] != p.b.ref }) {
		sorted := slices.Clone(pairs)
		other, otherTaken := matchSets(sorted, func(p, q setPair) int { return compareBools(q.members, p.members) })
		if len(other) > len(is) {
			pairs, is, taken = sorted, other, otherTaken
		}
	}
	copies = map[object.Ref][]object.Ref{}
	identities := map[string]bool{}
	for _, t := range original {
		identities[identityOf(t.subtype, t.id)] = true
	}
	for _, p := range pairs { // a content set with another URL is not a copy: it was added, and stays
		isOfURL := p.b.url() == "" || p.b.url() == p.a.url()
		if isOfURL && !taken[p.b.ref] && changesBack(p.b.ref) && p.b.isCopyOf(p.a) &&
			(p.a.id == p.b.id || !identities[identityOf(p.b.subtype, p.b.id)]) {
			copies[is[p.a.ref]], taken[p.b.ref] = append(copies[is[p.a.ref]], p.b.ref), true
		}
	}
	return is, copies
}

// matchSets sorts pairs by an order and then by score. It matches each content set of the original with the first one
// that is still free.
func matchSets(pairs []setPair, order func(p, q setPair) int) (is map[object.Ref]object.Ref, taken map[object.Ref]bool) {
	slices.SortStableFunc(pairs, func(p, q setPair) int {
		return cmp.Or(order(p, q), cmp.Compare(q.score, p.score), compareBools(q.a.ref == q.b.ref, p.a.ref == p.b.ref),
			cmp.Compare(p.at, q.at), p.b.ref.Compare(q.b.ref))
	})
	is, taken = map[object.Ref]object.Ref{}, map[object.Ref]bool{}
	for _, p := range pairs {
		if _, ok := is[p.a.ref]; !ok && !taken[p.b.ref] {
			is[p.a.ref], taken[p.b.ref] = p.b.ref, true
		}
	}
	return is, taken
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// isCopyOf reports whether two content sets have the same members, and the same ID or URL.
func (t *traits) isCopyOf(o *traits) bool {
	return t.subtype == o.subtype && len(t.members) > 0 && slices.Equal(t.members, o.members) &&
		(t.id != "" && t.id == o.id || t.url() != "" && t.url() == o.url())
}
