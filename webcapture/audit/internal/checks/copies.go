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

// Helpers of rules about copies. Copies are content sets of one subtype that share two of these: ID, URL, first member.
// At most one of them is right: the one that trees and members support. A content set without an ID may have had the ID
// of its first member. A content set without members may have had those of a content set with its ID.

// copiedFrom returns the content set of which s may be a copy; nil if there is none. Its support is at least that of s
// plus lead, unless it is a direct object; see support.
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
				has = least // a direct content set can get no other key
			}
			if has > least || has == least && (best == nil || other.Ref.Compare(best.Ref) < 0) {
				best, least = other, has
			}
		}
	}
	return best
}

// strayCopy returns a content set that may be a copy of s, under a key of URLS that is not a URL of either; nil if
// there is none. The key may be the right URL of both.
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

// hasForeignKey reports whether any key of URLS has only content sets with other URLs. Another content set may then
// have lost its key or URL.
func hasForeignKey(p *rule.Pass) bool {
	t := rule.Shared[strayTable](p.Audit)
	t.once.Do(func() { t.gather(p) })
	return t.foreign
}

// strayTable holds content sets under keys of URLS that are not among their URLs. It finds them by the hashes of
// copyTable.
type strayTable struct {
	copyTable
	rows    map[uint64][]straySet
	foreign bool // some key has only content sets with other URLs
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

// copyTable holds the content sets that were not found consistent with their entries, by the hashes of their copyKeys.
type copyTable struct {
	once sync.Once
	seed maphash.Seed
	rows []copyRow // sorted
}

type copyRow struct {
	hash uint64 // hash of a copyKey
	set  object.Ref
}

// copyKey is equal for content sets with the same first member and the same ID or URL, which may be copies.
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

// possibleCopies returns at most MaxSame content sets that may be copies of s.
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

// hasCopyWithID reports whether another content set of the same subtype may be a copy of s, if s gets the ID id. The
// other one has that ID and is under it in IDS; or it has the first member of s, and either id or the present ID of s.
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

// isCopy reports whether two content sets may be copies of each other: two of ID, URL, and first member are equal. An
// ID or members that one of them lacks may also count as equal; see above.
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
		same++ // one of them may have lost its members
	}
	urls := keysNamed(a, webcapture.URLS)
	if slices.ContainsFunc(keysNamed(b, webcapture.URLS), func(url string) bool { return slices.Contains(urls, url) }) {
		same++
	}
	return same >= 2
}

// firstMemberID returns the ID of a content set's first member; none if it has no ID.
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

// support returns how many of three facts support a content set: a key that is its URL, a key that is its ID, and
// members with its ID.
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

// keysNamed returns the possible keys of a content set in a tree: the forms of its first URLs, or its ID.
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

// valuesAbout yields the objects among which copies of a content set may be: possibleCopies, and the values under its
// possible keys and under the ID of its first member.
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

// keyUnlessCopy returns the fix that gives a content set a key in a tree, or the reason why there is none. The content
// set may be a copy of another one. Or it is a direct object in a tree, so no other entry can refer to it.
func keyUnlessCopy(p *rule.Pass, l *rule.Links, tree string, key nametree.Key) (*rule.Fix, string) {
	return keyUnless(copiedFrom(p, l.Set, 0), l, tree, key)
}

// keyUnless is like keyUnlessCopy if the result of copiedFrom is known.
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

// whyCopy returns the reason that a content set may be a copy of another one.
func whyCopy(copied *rule.Set) string {
	other := "content set" + refOf(copied) + ", which has at least as much support"
	if copied.Ref.Num == 0 {
		other = "one stored directly in a tree, which can get no other key"
	}
	return "the content set may be a copy of " + other + "; " + remedyOriginal
}
