package checks

import (
	"slices"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules about values, and about content sets with their entries.

// hasKnownSets reports whether all elements of the value are readable and at least one is a content set. Only then
// rules compare them.
func hasKnownSets(v *rule.Value) bool {
	if len(v.Sets) == 0 || len(v.Sets) != v.Elements {
		return false
	}
	for _, s := range v.Sets {
		if s.Recognized() {
			return true
		}
	}
	return false
}

// acceptingSets returns the number of content sets in the value of an entry that have the key as a URL.
func acceptingSets(v *rule.Value) int {
	n := 0
	for _, s := range v.Sets {
		if s.Recognized() && s.Accepts(v.Key) {
			n++
		}
	}
	return n
}

// keyIsID reports whether the key of an entry of IDS is, byte for byte, the ID of every content set in its value.
func keyIsID(v *rule.Value) bool {
	for _, s := range v.Sets {
		if !s.ID.OK() || string(s.ID.Bytes) != string(v.Key) {
			return false
		}
	}
	return len(v.Sets) > 0
}

// describeSet describes an object in the place of a content set.
func describeSet(s *rule.Set) string {
	switch k := s.Object.Kind(); k {
	case object.Null:
		if s.Ref.Num != 0 {
			return s.Ref.String() + ", which is not in the file"
		}
		return "null"
	case object.Dictionary:
		return "a dictionary without the entries of a content set"
	default:
		return rule.Article(k)
	}
}

// refOf returns a blank and the reference of a content set; empty for a direct one.
func refOf(s *rule.Set) string {
	if s.Ref.Num == 0 {
		return ""
	}
	return " " + s.Ref.String()
}

// comesFrom describes the origin of content sets by their first URL.
func comesFrom(sets []*rule.Set) string {
	for _, s := range sets {
		for _, url := range s.SourceURLs {
			return "comes from " + rule.Short(nametree.Key(url[:min(len(url), rule.MaxShown+1)]))
		}
	}
	return "has no URL"
}

// namesURLs reports whether a content set has any URL. If it has none, other rules report SI, AU, or U.
func namesURLs(s *rule.Set) bool {
	for range s.SourceURLs {
		return true
	}
	return false
}

// eachUnlisted calls report for each URL of a content set, in a role, that leads to no entry with the content set. It
// passes the entries under the URL, if there are any. It does nothing if the content set is under a key that is not one
// of its URLs, because another rule reports that.
func eachUnlisted(p *rule.Pass, l *rule.Links, as webcapture.Role, report func(url []byte, entries []int)) {
	if hidesKeys(p, p.DB.URLS) {
		return
	}
	own := map[string]bool{}
	for _, e := range l.URLS {
		if !l.Accepts(e.Key) {
			return
		}
		for _, f := range rule.Forms(rule.KeyBytes(e.Key)) {
			own[f] = true
		}
	}
	done := map[string]bool{}
	for role, url := range l.SourceURLs {
		fs := rule.Forms(url)
		if role != as || done[fs[0]] || anyIn(own, fs) {
			continue
		}
		done[fs[0]] = true
		if where, entries := findEntries(p, p.DB.URLS, fs, l.Ref); where != here {
			report(url, entries)
		}
	}
}

// canonicalKey returns the key of URLS for a URL of a content set.
func canonicalKey(url []byte) nametree.Key {
	url, _ = rule.PlainURL(url)
	return nametree.Key(canon.PDF.Append(nil, url))
}

// anyOf reports whether two lists have a common element.
func anyOf(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

func anyIn(set map[string]bool, list []string) bool {
	for _, s := range list {
		if set[s] {
			return true
		}
	}
	return false
}

// keyFor returns the fix that gives a content set a key in a tree; nil for a direct content set, because no other entry
// can refer to it.
func keyFor(l *rule.Links, tree string, key nametree.Key) *rule.Fix {
	if l.Ref.Num == 0 {
		return nil
	}
	return &rule.Fix{Action: rule.AddKey, Tree: tree, New: key, Set: l.Ref}
}

// removal returns the fix that removes a content set from the database; nil for a direct one.
func removal(s *rule.Set) *rule.Fix {
	if s.Ref.Num == 0 {
		return nil
	}
	return &rule.Fix{Action: rule.RemoveSet, Set: s.Ref}
}

// isEmpty reports whether a tree has no entries or does not exist.
func isEmpty(t *webcapture.Tree) bool { return t == nil || t.Len() == 0 }

// hidesKeys reports whether a tree without entries may have some in a part that is unreadable, or in a root that is not
// a dictionary. Other rules report these. A root that is null has no entries.
func hidesKeys(p *rule.Pass, t *webcapture.Tree) bool {
	switch {
	case t == nil || t.Len() > 0:
		return false
	case t.DefectCount(nametree.RootNotDictionary) > 0:
		root, err := p.Reader.Resolve(t.Root)
		return err != nil || !root.IsNull()
	}
	return !t.IsWhole()
}

// findOwnID looks up the ID of a content set in IDS. The result is here for a content set without ID, and for one under
// any key, because the rule for that entry reports another key.
func findOwnID(p *rule.Pass, l *rule.Links) (key nametree.Key, where leadsTo, entries []int) {
	id, ok := l.Identifier()
	if !ok || isEmpty(p.DB.IDS) || len(l.IDS) > 0 {
		return "", here, nil
	}
	where, entries = findEntries(p, p.DB.IDS, []string{string(id[:])}, l.Ref)
	return nametree.Key(id[:]), where, entries
}

// memberHas reports whether a page or image of a content set has the ID of the content set.
func memberHas(p *rule.Pass, s *rule.Set) bool {
	for _, m := range membersOf(p, s) {
		ref, _ := m.Ref()
		at := rule.Place{Object: ref}
		o, _ := p.Look(at, m)
		d, _ := o.Dict()
		if id, _ := p.LookString(at, d.Lookup("ID")); id.OK() && string(id.Bytes) == string(s.ID.Bytes) {
			return true
		}
	}
	return false
}

// otherWithID returns the first content set under key in IDS, other than s, that has the subtype of s and key as its
// ID. It returns false if there is none, or if s comes first.
func otherWithID(p *rule.Pass, s *rule.Set, key nametree.Key) (object.Ref, bool) {
	n := 0
	for i := range p.DB.IDS.All(key) {
		for o, err := range p.Reader.Values(p.DB.IDS.Entry(i).Value) {
			if n++; isMissing(p, err) || err != nil || n > MaxSame {
				return object.Ref{}, false
			}
			ref, ok := o.Ref()
			if !ok {
				continue
			}
			if ref == s.Ref {
				return object.Ref{}, false
			}
			if !p.Spend(rule.ElementCost) {
				return object.Ref{}, false
			}
			if isSuch(p, o, s.Subtype, key) {
				return ref, true
			}
		}
	}
	return object.Ref{}, false
}

// isSuch reports whether o is a content set with a subtype and an ID.
func isSuch(p *rule.Pass, o object.Object, t webcapture.Subtype, id nametree.Key) bool {
	o, err := p.Reader.Resolve(o) // malformed objects do not count, and are reported when visited
	isMissing(p, err)
	d, _ := o.Dict()
	s, _ := p.Reader.Resolve(d.Lookup("S"))
	has, _ := p.Reader.String(d.Lookup("ID"))
	return s.IsName([...]string{webcapture.PageSet: "SPS", webcapture.ImageSet: "SIS"}[t]) && has.OK() &&
		string(has.Bytes) == string(id)
}

// sameKind reports whether the value of an entry of IDS holds another content set with the subtype of s and the key as
// its ID. Another rule reports that.
func sameKind(p *rule.Pass, s *rule.Set, entry int) bool {
	_, ok := otherWithID(p, s, p.DB.IDS.Entry(entry).Key)
	return ok
}
