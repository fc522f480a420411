package checks

import (
	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// What rules about values, and about sets and their entries, share.

// isArray reports whether the value is an array, or refers to one.
func holdsArray(v *rule.Value) bool { return v.Resolved.Kind() == object.Array }

// known reports whether the value holds content sets, and all could be read, so
// that something can be said of them together.
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

// accepting returns the number of sets in the value of an entry of URLS of
// which the key is a URL.
func acceptingSets(v *rule.Value) int {
	n := 0
	for _, s := range v.Sets {
		if s.Recognized() && s.Accepts(v.Key) {
			n++
		}
	}
	return n
}

// sendHome returns the fix that takes a set out of the value of a key of URLS that is none
// of its URLs, and puts it under those that are; nil if it has none, or stands in the tree
// itself, where no other entry can refer to it.
func sendHome(v *rule.Value, s *rule.Set) *rule.Fix {
	if s.Ref.Num == 0 || !s.Recognized() {
		return nil
	}
	for role, url := range s.SourceURLs {
		if role == webcapture.Destination {
			return &rule.Fix{Action: rule.ChangeKey, Old: v.Key, New: canonicalKey(url), Set: s.Ref}
		}
	}
	return nil
}

// isID reports whether the key of an entry of IDS is, byte for byte, the ID of
// every content set in its value.
func keyIsID(v *rule.Value) bool {
	for _, s := range v.Sets {
		if !s.ID.OK() || string(s.ID.Bytes) != string(v.Key) {
			return false
		}
	}
	return len(v.Sets) > 0
}

// fixID returns the fix of an entry of IDS whose key is not the ID of a set in
// its value.
func fixID(v *rule.Value, s *rule.Set) *rule.Fix {
	return &rule.Fix{Action: rule.ChangeKey, Old: v.Key, New: nametree.Key(s.ID.Bytes), Set: s.Ref}
}

// firstWithID returns the first content set in a value that has an ID, nil if
// there is none.
func firstWithID(v *rule.Value) *rule.Set {
	for _, s := range v.Sets {
		if _, ok := s.Identifier(); ok && s.Recognized() {
			return s
		}
	}
	return nil
}

// describeSet says what stands in the place of a content set.
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

// refOf returns a set's reference after a blank, empty if it has none.
func refOf(s *rule.Set) string {
	if s.Ref.Num == 0 {
		return ""
	}
	return " " + s.Ref.String()
}

// comesFrom says where sets come from: the first of their URLs.
func comesFrom(sets []*rule.Set) string {
	for _, s := range sets {
		for _, url := range s.SourceURLs {
			return "comes from " + rule.Short(nametree.Key(url[:min(len(url), rule.MaxShown+1)]))
		}
	}
	return "has no URL"
}

// hasURL reports whether the set names any URL. If not, SI, AU or U is not what
// it has to be, which is reported by itself.
func namesURLs(s *rule.Set) bool {
	for range s.SourceURLs {
		return true
	}
	return false
}

// reportUnlisted calls missing for each URL of a set, in a role, that is not a key
// of URLS, with the key that it would be, and other for each that is one whose
// value does not hold the set. Where the set stands under a key that is none of
// its URLS, which is reported by itself, there is nothing to add.
func reportUnlisted(p *rule.Pass, l *rule.Links, as webcapture.Role, missing func([]byte, nametree.Key),
	other func([]byte, nametree.Entry)) {
	if isEmpty(p.DB.URLS) {
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
		where, entries := findEntries(p, p.DB.URLS, fs, l.Ref)
		switch {
		case where == nowhere && missing != nil:
			missing(url, canonicalKey(url))
		case where == elsewhere && other != nil:
			other(url, p.DB.URLS.Entry(entries[0]))
		}
	}
}

// canonicalKey returns the key of URLS that a URL of a content set has.
func canonicalKey(url []byte) nametree.Key {
	url, _ = rule.PlainURL(url)
	return nametree.Key(canon.PDF.Append(nil, url))
}

func anyIn(set map[string]bool, list []string) bool {
	for _, s := range list {
		if set[s] {
			return true
		}
	}
	return false
}

// addKey returns the fix that gives the set a key in a tree; nil if the set
// stands in a tree itself, where no other entry can refer to it.
func keyFor(l *rule.Links, tree string, key nametree.Key) *rule.Fix {
	if l.Ref.Num == 0 {
		return nil
	}
	return &rule.Fix{Action: rule.AddKey, Tree: tree, New: key, Set: l.Ref}
}

// remove returns the fix that takes the set out of the database.
func removal(s *rule.Set) *rule.Fix {
	if s.Ref.Num == 0 {
		return nil
	}
	return &rule.Fix{Action: rule.RemoveSet, Set: s.Ref}
}

// isEmpty reports whether a tree has no entries, or is not there: either mapping
// may be left out. Why there are none in a tree that is there is reported by
// itself, and not again with every set.
func isEmpty(t *webcapture.Tree) bool { return t == nil || t.Len() == 0 }

// missingID returns the ID of a set if it is not a key of IDS. A set that stands
// under another key is reported with that entry, and is not missing.
func missingID(p *rule.Pass, l *rule.Links) (nametree.Key, bool) {
	id, ok := l.Identifier()
	if !ok || isEmpty(p.DB.IDS) || len(l.IDS) > 0 {
		return "", false
	}
	where, _ := findEntries(p, p.DB.IDS, []string{string(id[:])}, l.Ref)
	return nametree.Key(id[:]), where == nowhere
}

// memberHas reports whether a page or image of the set carries the set's ID.
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

// otherWithID returns a set of the same subtype that stands in IDS under key,
// before s if s does too, and whose ID that is; false if there is none.
func otherWithID(p *rule.Pass, s *rule.Set, key nametree.Key) (object.Ref, bool) {
	n := 0
	for i := range p.DB.IDS.All(key) {
		for o, err := range p.Reader.Values(p.DB.IDS.Entry(i).Value) {
			if n++; err != nil || n > MaxSame {
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

// isSuch reports whether o is a content set with that subtype and ID.
func isSuch(p *rule.Pass, o object.Object, t webcapture.Subtype, id nametree.Key) bool {
	o, _ = p.Reader.Resolve(o) // what cannot be read is none, and is named where it is visited
	d, _ := o.Dict()
	s, _ := p.Reader.Resolve(d.Lookup("S"))
	has, _ := p.Reader.String(d.Lookup("ID"))
	return s.IsName([...]string{webcapture.PageSet: "SPS", webcapture.ImageSet: "SIS"}[t]) && has.OK() &&
		string(has.Bytes) == string(id)
}

// sameKind reports whether the value of an entry of IDS holds another set with
// the subtype and the ID of s; that is reported by itself.
func sameKind(p *rule.Pass, s *rule.Set, entry int) bool {
	_, ok := otherWithID(p, s, p.DB.IDS.Entry(entry).Key)
	return ok
}
