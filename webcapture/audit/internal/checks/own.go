package checks

import (
	"iter"
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules whose repairs use the record of a content set itself: its ID or its URL. Such a record becomes a key
// only in place of a key that is absent or broken by itself, and only if it can belong to no other content set.

// The remedies in findings: what would decide.
const (
	remedyOriginal = "give --from"
	remedySets     = remedyOriginal + ", or choose with --prefer sets"
	remedyEither   = remedyOriginal + ", or choose with --prefer keys|sets"
)

// setTable is the table of all content sets. It is made on first use, because most files need none.
type setTable struct {
	once  sync.Once
	table *rule.SetTable
}

func setTableOf(p *rule.Pass) *rule.SetTable {
	t := rule.Shared[setTable](p.Audit)
	t.once.Do(func() {
		var err error
		if t.table, err = rule.NewSetTable(p.Audit.File, p.DB, p.Reader, p.Spend); err != nil {
			p.Fail(err)
		}
	})
	return t.table
}

// isAlone reports whether no other content set of its kind has the ID of s, or one of its members.
func isAlone(p *rule.Pass, s *rule.Set) bool {
	return setTableOf(p).IsAlone(storedAs(s), &s.ContentSet)
}

// storedAs returns a content set as it is stored in a value: a reference, or the direct object.
func storedAs(s *rule.Set) object.Object {
	if s.Ref.Num == 0 {
		return s.Object
	}
	return object.MakeRef(s.Ref)
}

const whyNotAlone = "another content set has the same ID or member; " + remedyOriginal

// disputeOf describes what contradicts the ID of a content set; empty if nothing does.
func disputeOf(p *rule.Pass, s *rule.Set) string {
	for _, err := range webcapture.Members(p.Reader, &s.ContentSet) {
		if err != nil && p.CouldNotRead(s.At(), err) != nil {
			return ""
		}
	}
	by, err := rule.DisputeOf(p.Reader, &s.ContentSet, p.Audit.Prefer)
	isMissing(p, err)
	p.Spend(rule.ElementCost)
	return by
}

// idProblem returns the reason why the ID of a content set cannot become a key; empty if it can.
func idProblem(p *rule.Pass, s *rule.Set) string {
	if by := disputeOf(p, s); by != "" {
		return by + "; " + remedySets
	}
	if !isAlone(p, s) {
		return whyNotAlone
	}
	return ""
}

// dependsOnChoice reports whether the ID of a content set can become a key only because the user prefers content sets.
func dependsOnChoice(p *rule.Pass, s *rule.Set) bool {
	if p.Audit.Prefer != rule.Sets {
		return false
	}
	by, err := rule.DisputeOf(p.Reader, &s.ContentSet, rule.Open)
	isMissing(p, err)
	return by != ""
}

// commonID returns the ID that all content sets in a value have; false if they have none, or several.
func commonID(v *rule.Value) (id digest.ID, ok bool) {
	for i, s := range v.Sets {
		own, has := s.Identifier()
		if !has || !s.Recognized() || i > 0 && own != id {
			return digest.ID{}, false
		}
		id = own
	}
	return id, len(v.Sets) > 0 && len(v.Sets) == v.Elements
}

// commonURL returns the key for the URL that all content sets in a value have; empty if there is no such URL, if it is
// not absolute, or if it is not the only one.
func commonURL(v *rule.Value) (key nametree.Key) {
	for i, s := range v.Sets {
		url, ok := onlyURL(s)
		if !ok || !s.Recognized() || i > 0 && canonicalKey(url) != key {
			return ""
		}
		key = canonicalKey(url)
	}
	if u := canon.Split(rule.KeyBytes(key)); !u.Absolute() || isDrive(u) || len(v.Sets) != v.Elements {
		return ""
	}
	return key
}

// areAlone is like isAlone, for all content sets in a value.
func areAlone(p *rule.Pass, v *rule.Value) bool {
	for _, s := range v.Sets {
		if !isAlone(p, s) {
			return false
		}
	}
	return true
}

// onlyURL returns the URL of a content set; false if it has none or several. Redirects do not count.
func onlyURL(s *rule.Set) (only []byte, ok bool) {
	for role, url := range s.SourceURLs {
		if role == webcapture.Destination {
			if ok {
				return nil, false
			}
			only, ok = url, true
		}
	}
	return only, ok
}

// ownKeys returns the keys that a content set should have in a tree: its absolute URLs in canonical form, or its ID. It
// returns none if these records may belong to another content set, or are contradicted.
func ownKeys(p *rule.Pass, tree webcapture.TreeName, s *rule.Set) (keys []string) {
	if s == nil || !s.Recognized() || !isAlone(p, s) {
		return nil
	}
	if tree == webcapture.IDS {
		if id, ok := s.Identifier(); ok && disputeOf(p, s) == "" {
			keys = []string{string(id[:])}
		}
		return keys
	}
	for role, url := range s.SourceURLs {
		if role == webcapture.Destination && len(url) > 0 {
			if key, ok := p.Audit.Base.Key(url); ok {
				keys = append(keys, string(key))
			}
		}
	}
	return keys
}

// setsIn yields the content sets in a value; nil for an unreadable element. It skips null.
func setsIn(p *rule.Pass, value object.Object) iter.Seq[*rule.Set] {
	return func(yield func(*rule.Set) bool) {
		for o, err := range p.Reader.Values(value) {
			s := new(rule.Set)
			s.Ref, _ = o.Ref()
			switch r, unread := p.Reader.Resolve(o); {
			case isMissing(p, err), !p.Spend(rule.ElementCost):
				return
			case err == nil && unread == nil && r.IsNull():
				continue
			case err != nil, isUnreadable(p, o, &s.ContentSet):
				s = nil
			}
			if !yield(s) {
				return
			}
		}
	}
}

// addKey returns the fix that gives a content set a key in a tree, or the reason why there is none. problem is a reason
// that the caller found. A direct content set gets no key, because no other entry can refer to it.
func addKey(l *rule.Links, tree string, key nametree.Key, problem string) (*rule.Fix, string) {
	if problem != "" {
		return nil, ", but " + problem
	}
	if fix := keyFor(l, tree, key); fix != nil {
		return fix, ""
	}
	return nil, "; repair WC121 first"
}

// addID returns the fix that gives a content set its ID as a key of IDS, or the reason why there is none. entries are
// those under the ID. If any of them has a content set of another ID, its key may be wrong.
func addID(p *rule.Pass, l *rule.Links, id nametree.Key, entries []int) (*rule.Fix, string) {
	problem := idProblem(p, l.Set)
	for _, i := range entries {
		for s := range setsIn(p, p.DB.IDS.Entry(i).Value) {
			if problem == "" && (s == nil || string(s.ID.Bytes) != string(id)) {
				problem = "the key leads to a content set with another ID; " + remedyOriginal
			}
		}
	}
	fix, why := addKey(l, "IDS", id, problem)
	if fix != nil {
		fix.Chosen = dependsOnChoice(p, l.Set)
	}
	return fix, why
}

// provenID returns the fix that makes the MD5 of an image the ID of its content set, whose ID is broken. A key of IDS
// for the set, or the ID of a member, must confirm the MD5; otherwise a tool may have encoded the image again, and the
// result is nil. It is also nil if another content set has that ID or the image.
func provenID(p *rule.Pass, s *rule.Set) *rule.Fix {
	if s.Ref.Num == 0 || p.DB.IDS == nil {
		return nil
	}
	images, err := rule.ImageDigests(p.Reader, &s.ContentSet)
	if isMissing(p, err) || !p.Spend(rule.ElementCost) {
		return nil
	}
	for _, sum := range slices.Concat(images...) {
		id, wanted := nametree.Key(sum[:]), *s
		wanted.ID.Bytes = sum[:]
		where, _ := findEntries(p, p.DB.IDS, []string{string(id)}, s.Ref)
		if (where == here || where == nowhere && memberHas(p, &wanted)) && isAlone(p, &wanted) {
			return &rule.Fix{Action: rule.ChangeID, Old: shown(s.ID.Bytes), New: id, Set: s.Ref}
		}
	}
	return nil
}

// isMissing reports whether an error means that the file can no longer be read. Malformed objects do not count. If the
// result is true, the audit ends.
func isMissing(p *rule.Pass, err error) bool {
	if object.IgnoreMalformed(err) == nil {
		return false
	}
	p.Fail(err)
	return true
}

// isUnreadable reads a content set, and reports whether reading failed.
func isUnreadable(p *rule.Pass, o object.Object, s *webcapture.ContentSet) bool {
	err := p.Reader.Read(o, s)
	isMissing(p, err)
	return err != nil
}
