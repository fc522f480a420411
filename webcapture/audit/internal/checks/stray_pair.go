package checks

import (
	"iter"
	"sync"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// restoreKeys returns the fix for a pair without a key. The fix gives its content sets the keys of their own IDs or
// URLs. It is nil if a content set has no such key, or if a string in the pair may be a key whose value is lost.
func restoreKeys(p *rule.Pass, t *rule.Tree, d nametree.Defect) *rule.Fix {
	for i, half := range halvesOf(d) {
		kind, ok := kindOf(p, half)
		switch {
		case !ok:
			return nil
		case saysNothing(kind, i):
		case kind == object.String:
			if s, err := p.Reader.String(half); err != nil || s.OK() && !isKey(p, t, nametree.Key(s.Bytes)) {
				return nil
			}
		case !haveKeys(p, t, half, d.Kind != nametree.OddNames):
			return nil
		}
	}
	return &rule.Fix{Action: rule.RestoreKeys}
}

// halvesOf returns the two objects of a pair: in place of the key, and the value.
func halvesOf(d nametree.Defect) [2]object.Object { return [2]object.Object{d.Found, d.Value} }

// kindOf returns the kind of a half after resolving it; false if it is unreadable.
func kindOf(p *rule.Pass, half object.Object) (object.Kind, bool) {
	o, err := p.Reader.Resolve(half)
	isMissing(p, err)
	return o.Kind(), err == nil
}

// saysNothing reports whether a half has no information to restore: it is null, or a boolean, number, or name in place
// of the key.
func saysNothing(kind object.Kind, place int) bool {
	return kind == object.Null || place == 0 && (kind < object.String || kind == object.Name)
}

// strayKeys holds, for each tree, the URLs or IDs of content sets in pairs without a key: the keys they would get.
type strayKeys struct {
	once [webcapture.TreeCount]sync.Once
	keys [webcapture.TreeCount]map[nametree.Key]bool
}

// isKey reports whether a tree has a key, or a content set in a pair without a key would get it.
func isKey(p *rule.Pass, t *rule.Tree, key nametree.Key) bool {
	for range t.All(key) {
		return true
	}
	k := rule.Shared[strayKeys](p.Audit)
	k.once[t.Name].Do(func() {
		k.keys[t.Name] = map[nametree.Key]bool{}
		for d := range t.DefectsOf(nametree.OddNames, nametree.KeyNotString, nametree.KeyNull) {
			for i, half := range halvesOf(d) {
				if kind, ok := kindOf(p, half); !ok || kind == object.String || saysNothing(kind, i) {
					continue
				}
				for s := range setsIn(p, half) {
					for _, own := range ownKeys(p, t.Name, s) {
						k.keys[t.Name][nametree.Key(own)] = true
					}
				}
			}
		}
	})
	return k.keys[t.Name][key]
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

// haveKeys reports whether each content set in a value has a URL or ID that can be its key in a tree. If otherCounts is
// true, an entry in the other tree is enough.
func haveKeys(p *rule.Pass, t *rule.Tree, value object.Object, otherCounts bool) bool {
	other := p.Audit.Trees[1-t.Name]
	for s := range setsIn(p, value) {
		if len(ownKeys(p, t.Name, s)) > 0 {
			continue
		}
		if s == nil || !otherCounts || other == nil {
			return false
		}
		if where, _ := findEntries(p, other.Tree, ownKeys(p, other.Name, s), s.Ref); where != here {
			return false
		}
	}
	return true
}

// ownKeys returns the keys that a content set should have in a tree: its URLs in canonical form, or its ID unless that
// is disputed.
func ownKeys(p *rule.Pass, tree webcapture.TreeName, s *rule.Set) (keys []string) {
	if s == nil || !s.Recognized() {
		return nil
	}
	if tree == webcapture.IDS {
		if id, ok := s.Identifier(); ok && !isIDDisputed(p, s, carriedIDs(p, s)) {
			keys = []string{string(id[:])}
		}
		return keys
	}
	for role, url := range s.SourceURLs {
		if role == webcapture.Destination && len(url) > 0 {
			keys = append(keys, string(canonicalKey(url)))
		}
	}
	return keys
}
