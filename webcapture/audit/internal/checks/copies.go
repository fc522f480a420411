package checks

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// What rules share about copies: content sets of one subtype that have two of ID, URL, and first member in common. At
// most one of them is right: the one that the trees and the member support. A content set without an ID may have had
// the one that its first member carries, and one without members those of a set with its ID.

// copiedFrom returns the content set of which s may be a copy: its support is larger by at least lead. It returns nil
// if there is none.
func copiedFrom(p *rule.Pass, s *rule.Set, lead int) (best *rule.Set) {
	least := -1
	for value := range valuesAbout(p, s) {
		n := 0
		for other := range setsIn(p, value) {
			if n++; n > MaxSame {
				break
			}
			if other == nil || !isCopy(other, s) {
				continue
			}
			if least < 0 {
				least = support(p, s) + lead
			}
			has := support(p, other)
			if other.Ref.Num == 0 {
				has = least // a set that stands in a tree can get no other key
			}
			if has > least || has == least && (best == nil || other.Ref.Compare(best.Ref) < 0) {
				best, least = other, has
			}
		}
	}
	return best
}

// strayCopy returns a copy of a content set that is below a key of URLS which is a URL of neither, nil if there is none:
// the key may be that of the content set, and the URL of the content set wrong.
func strayCopy(p *rule.Pass, s *rule.Set) *rule.Set {
	t := rule.Shared[strayTable](p.Audit)
	t.once.Do(func() { t.gather(p) })
	if len(t.rows) == 0 {
		return nil
	}
	for hash := range t.hashes(p, s) {
		for _, stray := range t.rows[hash] {
			if !s.Accepts(stray.key) && isCopy(stray.set, s) {
				return stray.set
			}
		}
	}
	return nil
}

// hasForeignKey reports whether a key of URLS leads only to content sets of other URLs: another content set may have lost
// its key, or its URL.
func hasForeignKey(p *rule.Pass) bool {
	t := rule.Shared[strayTable](p.Audit)
	t.once.Do(func() { t.gather(p) })
	return t.foreign
}

// strayTable has the content sets that keys of URLS lead to which are none of their URLs, by the hashes of copyTable.
type strayTable struct {
	copyTable
	rows    map[uint64][]straySet
	foreign bool // a key leads to no others
}

type straySet struct {
	set *rule.Set
	key nametree.Key
}

func (t *strayTable) gather(p *rule.Pass) {
	t.seed, t.rows = maphash.MakeSeed(), map[uint64][]straySet{}
	urls := p.Audit.Trees[webcapture.URLS]
	for _, i := range p.Audit.InFileOrder(urls, p.Audit.Unresolved.Entries[webcapture.URLS]) {
		e := rule.NewEntry(urls, i)
		if isTranscoded(p, urls, i) {
			continue
		}
		accepted, others := false, false
		for s := range setsIn(p, e.Value) {
			if s == nil || !s.Recognized() || !namesURLs(s) {
				continue
			}
			if s.Accepts(e.Key) {
				accepted = true
				continue
			}
			others = true
			for hash := range t.hashes(p, s) {
				t.rows[hash] = append(t.rows[hash], straySet{s, e.Key})
			}
		}
		t.foreign = t.foreign || others && !accepted
	}
}

// copyTable has the content sets that did not agree with their entries at once, by their first members with their IDs
// and URLs.
type copyTable struct {
	once sync.Once
	seed maphash.Seed
	rows []copyRow // sorted
}

type copyRow struct {
	hash uint64 // of copyKey
	set  object.Ref
}

// copyKey is equal for copies.
type copyKey struct {
	member object.Ref
	tree   webcapture.TreeName
	key    string // an ID or URL
}

func (a copyRow) compare(b copyRow) int {
	return cmp.Or(cmp.Compare(a.hash, b.hash), a.set.Compare(b.set))
}

func (t *copyTable) gather(p *rule.Pass) {
	t.seed = maphash.MakeSeed()
	for _, ref := range p.Audit.Unresolved.Inconsistent {
		var s rule.Set
		if !isUnreadable(p, object.MakeRef(ref), &s.ContentSet) && p.Spend(rule.ElementCost) {
			for hash := range t.hashes(p, &s) {
				t.rows = append(t.rows, copyRow{hash, ref})
			}
		}
	}
	slices.SortFunc(t.rows, copyRow.compare)
	t.rows = slices.Compact(t.rows)
}

// hashes yields the hash of each copyKey of a content set.
func (t *copyTable) hashes(p *rule.Pass, s *rule.Set) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for tree := range webcapture.TreeCount {
			keys := keysNamed(s, tree)
			if tree == webcapture.IDS && len(keys) == 0 {
				keys = firstMemberID(p, s)
			}
			for _, key := range keys {
				if !yield(maphash.Comparable(t.seed, copyKey{firstMember(s), tree, key})) {
					return
				}
			}
		}
	}
}

// possibleCopies returns references to content sets that may be copies of one, at most MaxSame.
func possibleCopies(p *rule.Pass, s *rule.Set) (refs []object.Ref) {
	t := rule.Shared[copyTable](p.Audit)
	t.once.Do(func() { t.gather(p) })
	for hash := range t.hashes(p, s) {
		i, _ := slices.BinarySearchFunc(t.rows, copyRow{hash: hash}, copyRow.compare)
		for ; i < len(t.rows) && t.rows[i].hash == hash && len(refs) < MaxSame; i++ {
			if ref := t.rows[i].set; ref != s.Ref && !slices.Contains(refs, ref) {
				refs = append(refs, ref)
			}
		}
	}
	return refs
}

// hasCopyWithID reports whether another content set of the same kind has the same first member, and either an ID or the
// one that the set has now; or has an ID that leads to it in IDS.
func hasCopyWithID(p *rule.Pass, s *rule.Set, id nametree.Key) bool {
	for i := range p.DB.IDS.All(id) {
		for other := range setsIn(p, p.DB.IDS.Entry(i).Value) {
			if other != nil && other.Ref != s.Ref && other.Subtype == s.Subtype && nametree.Key(other.ID.Bytes) == id {
				return true
			}
		}
	}
	wanted := *s
	wanted.ID.Bytes = []byte(id)
	return slices.ContainsFunc(append(possibleCopies(p, &wanted), possibleCopies(p, s)...), func(ref object.Ref) bool {
		var other rule.Set
		return !isUnreadable(p, object.MakeRef(ref), &other.ContentSet) && other.Subtype == s.Subtype &&
			firstMember(&other) == firstMember(s) &&
			(nametree.Key(other.ID.Bytes) == id || bytes.Equal(other.ID.Bytes, s.ID.Bytes))
	})
}

// isCopy reports whether two content sets may be copies of each other: two of ID, URL, and first member are the same.
func isCopy(a, b *rule.Set) bool {
	if a.Ref == b.Ref || a.Subtype != b.Subtype {
		return false
	}
	same := 0
	first := firstMember(a)
	shares := first.Num != 0 && first == firstMember(b)
	if shares {
		same++
	}
	idA, okA := a.Identifier()
	idB, okB := b.Identifier()
	sameID := okA && okB && idA == idB
	if sameID || shares && okA != okB {
		same++
	}
	if sameID && (first.Num == 0) != (firstMember(b).Num == 0) {
		same++ // one of them has lost its members
	}
	urls := keysNamed(a, webcapture.URLS)
	if slices.ContainsFunc(keysNamed(b, webcapture.URLS), func(url string) bool { return slices.Contains(urls, url) }) {
		same++
	}
	return same >= 2
}

// firstMemberID returns the ID that the first member of a content set carries, if any.
func firstMemberID(p *rule.Pass, s *rule.Set) []string {
	o, _ := p.Reader.Resolve(object.MakeRef(firstMember(s)))
	d, _ := o.Dict()
	id, err := p.Reader.String(d.Lookup("ID"))
	if err != nil || !id.OK() {
		return nil
	}
	return []string{string(id.Bytes)}
}

func firstMember(s *rule.Set) (ref object.Ref) {
	for o := range s.Members() {
		ref, _ = o.Ref()
		break
	}
	return ref
}

// support returns how many of three records support a content set: a key that is its URL, a key that is its ID, and
// members that carry its ID.
func support(p *rule.Pass, s *rule.Set) (n int) {
	for _, t := range p.DB.Trees() {
		if where, _ := findEntries(p, t, keysNamed(s, t.Name), s.Ref); where == here {
			n++
		}
	}
	if memberHas(p, s) {
		n++
	}
	return n
}

// keysNamed returns the forms of keys that a content set names in a tree: of its first URLs, or its ID.
func keysNamed(s *rule.Set, tree webcapture.TreeName) (keys []string) {
	if tree == webcapture.IDS {
		if id, ok := s.Identifier(); ok {
			keys = []string{string(id[:])}
		}
		return keys
	}
	n := 0
	for role, url := range s.SourceURLs {
		if n++; n > MaxSame {
			break
		}
		if role == webcapture.Destination {
			keys = append(keys, rule.Forms(url)...)
		}
	}
	return keys
}

// valuesAbout yields the values of keys that a content set, or its first member, names, and content sets that may be
// copies of it.
func valuesAbout(p *rule.Pass, s *rule.Set) iter.Seq[object.Object] {
	return func(yield func(object.Object) bool) {
		for _, ref := range possibleCopies(p, s) {
			if !yield(object.MakeRef(ref)) {
				return
			}
		}
		for _, t := range p.DB.Trees() {
			keys := keysNamed(s, t.Name)
			if t.Name == webcapture.IDS {
				keys = append(keys, firstMemberID(p, s)...)
			}
			for _, key := range keys {
				n := 0
				for i := range t.All(nametree.Key(key)) {
					if n++; n > MaxSame || !yield(t.Entry(i).Value) {
						return
					}
				}
			}
		}
	}
}

// keyUnlessCopy returns the fix that gives a content set a key in a tree. Without one it says why: the set may be a
// copy of another one, or stands in a tree itself, where no other entry can refer to it.
func keyUnlessCopy(p *rule.Pass, l *rule.Links, tree string, key nametree.Key) (*rule.Fix, string) {
	return keyUnless(copiedFrom(p, l.Set, 0), l, tree, key)
}

// keyUnless is keyUnlessCopy where the other content set is known, nil for none.
func keyUnless(copied *rule.Set, l *rule.Links, tree string, key nametree.Key) (*rule.Fix, string) {
	if copied != nil {
		return nil, "; " + whyCopy(copied)
	}
	fix := keyFor(l, tree, key)
	if fix == nil {
		return nil, "; repair WC121 first, which adds the key"
	}
	return fix, ""
}

// whyCopy says that a content set may be a copy of another one.
func whyCopy(copied *rule.Set) string {
	other := "content set" + refOf(copied)
	if copied.Ref.Num == 0 {
		other = "one stored directly in a tree"
	}
	return "the content set may be a copy of " + other + ", which has as much support; " + remedyOriginal
}
