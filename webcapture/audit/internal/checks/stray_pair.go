package checks

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// restoreKeys returns the fix for a pair that is not an entry. The fix gives its content sets the keys of their own IDs
// or URLs. It is nil if a content set has no such key, or if a string in the pair may be a key whose value is lost.
func restoreKeys(p *rule.Pass, t *rule.Tree, d nametree.Defect) *rule.Fix {
	halves := [...]object.Object{d.Found, d.Value}
	for i, half := range halves {
		o, err := p.Reader.Resolve(half)
		if isMissing(p, err) || err != nil {
			return nil
		}
		switch kind := o.Kind(); {
		case kind == object.Null, i == 0 && (kind < object.String || kind == object.Name): // nothing to restore
		case kind == object.String:
			s, err := p.Reader.String(half)
			if err != nil || s.OK() && !hasKey(t, nametree.Key(s.Bytes)) && !isOwnKey(p, t, halves[1-i], string(s.Bytes)) {
				return nil
			}
		case !haveKeys(p, t, half, d.Kind != nametree.OddNames):
			return nil
		}
	}
	return &rule.Fix{Action: rule.RestoreKeys}
}

// hasKey reports whether a tree has an entry with a key.
func hasKey(t *rule.Tree, key nametree.Key) bool {
	for range t.All(key) {
		return true
	}
	return false
}

// isOwnKey reports whether a content set in a value gets a key in a tree.
func isOwnKey(p *rule.Pass, t *rule.Tree, value object.Object, key string) bool {
	for s := range setsIn(p, value) {
		if slices.Contains(ownKeys(p, t.Name, s), key) {
			return true
		}
	}
	return false
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
