package restore

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// This file matches the content sets of the file with those of the original. Tools and accidents change any record
// of a set, so the records vote: the members count most, with the ID, then the URL, then dates, titles, and keys. A
// set is matched once. If an ID and members are unique, they decide. Records that others contradict in the original
// do not vote. Of several equally good matches, the one with the same object number wins, because many tools keep
// numbers. The others are its copies if they have its members, and its ID or URL.

const (
	leastScore = 4 // for a match: an equal ID, or equal members
	otherScore = 7 // for content sets with different IDs and no common member: one URL may have been captured twice
)

// traits are the records by which a content set is recognized.
type traits struct {
	ref     object.Ref
	subtype webcapture.Subtype
	id      string
	members []object.Ref // pages and images of the original, sorted
	urls    []string     // of its sources
	others  [5]string    // TS, CT, T, and TID, and TS of the first source
	stored  []object.Ref // members as stored in its own file
	keys    []treeKey    // its keys
	proof   agreement    // for a set of the original: its records that no other contradicts
}

// treeKey is a key of one of the two trees.
type treeKey struct {
	tree webcapture.TreeName
	key  nametree.Key
}

// traitsOf reads the content sets of the entries of a file. member returns the page or image of the original for a
// member.
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

// readable returns the content sets of a list, and the number of keys without one.
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

// read reads the records of a content set. Other objects lose their reference.
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

// score returns the degree of match of two content sets of the original and the file; 0 if they do not match.
// Records that others contradict in the original do not count.
func (t *traits) score(o *traits) (n int) {
	least := leastScore
	sameID := t.proof.id && t.id != "" && t.id == o.id
	if t.proof.id && t.id != "" && o.id != "" && !sameID {
		least = otherScore
	}
	sameMembers := len(t.members) > 0 && slices.Equal(t.members, o.members)
	if t.subtype != o.subtype && !sameMembers { // members distinguish pages from images
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
			n += 2 // a copy in the file may have the members
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

// labels returns the keys for looking up a content set: ID, URL, and members, then keys.
func (t *traits) labels() []string {
	list := t.ownLabels()
	for _, k := range t.keys {
		list = append(list, k.tree.String()+" "+string(k.key))
	}
	return list
}

// ownLabels returns the labels in the content set itself: ID, URL, and members.
func (t *traits) ownLabels() []string {
	list := []string{"ID " + t.id, "URL " + t.url()}
	for _, ref := range t.members {
		list = append(list, "member "+ref.String())
	}
	return list
}

// setPair is a content set of the original, at an index, with a possible match in the file.
type setPair struct {
	a, b    *traits
	score   int
	members bool // are equal
	at      int
}

// pairSets returns all possible matches.
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
				continue // shared by too many
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

// identify matches content sets of the original with those of the file, and returns further copies of these, by the
// first. A set whose ID is not changed back does not match one with another ID.
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
	for _, p := range pairs { // a set with another URL is no copy: it was added, and stays
		isOfURL := p.b.url() == "" || p.b.url() == p.a.url()
		if isOfURL && !taken[p.b.ref] && changesBack(p.b.ref) && p.b.isCopyOf(p.a) &&
			(p.a.id == p.b.id || !identities[identityOf(p.b.subtype, p.b.id)]) {
			copies[is[p.a.ref]], taken[p.b.ref] = append(copies[is[p.a.ref]], p.b.ref), true
		}
	}
	return is, copies
}

// matchSets sorts pairs by an order and then by score, and matches each content set with the first free one.
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

// compareBools puts false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// isCopyOf reports whether two content sets have the same members, and one ID or URL.
func (t *traits) isCopyOf(o *traits) bool {
	return t.subtype == o.subtype && len(t.members) > 0 && slices.Equal(t.members, o.members) &&
		(t.id != "" && t.id == o.id || t.url() != "" && t.url() == o.url())
}
