package checks

// Pairs of Names: a key, which is a string and occurs once, and its value (7.9.6, table 36).

import (
	"sync"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeOddNames = &rule.Rule{
	ID:      "WC107",
	Title:   "Names holds pairs of a key and a value.",
	Problem: "Names arrays with an incomplete pair",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc:     "A key without a value leads nowhere. Some readers reject the whole node.",
	Repair: "If the leftover element is a content set, use its own URL or ID as key. If it is a key that the tree " +
		"has elsewhere, remove it. The value of any other key is unknown.",
	Basis: rule.Basis{
		Wrong: "A value has no key before it",
		Right: "URL and ID of the content set, if its members carry no other ID, and no other set of its kind has " +
			"its ID or one of its members",
		Otherwise: "The pair is kept",
	},
	Action:    rule.RestoreKeys,
	CheckTree: checkTreeOddNames,
}

var treeKeyType = &rule.Rule{
	ID:      "WC108",
	Title:   "Keys are strings.",
	Problem: "Keys that are not strings",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc:     "Viewers can search only for strings. A null key also shows that an object is missing from the file.",
	Repair:  "If the value holds content sets, use their own URLs and IDs as keys.",
	Basis: rule.Basis{
		Wrong: "A value has a key that is not a string",
		Right: "URL and ID of the content set, if its members carry no other ID, and no other set of its kind has " +
			"its ID or one of its members. A set with neither needs no key here if one of the other tree leads to it",
		Otherwise: "The pair is kept",
	},
	Action:    rule.RestoreKeys,
	CheckTree: checkTreeKeyType,
}

var treeDuplicate = &rule.Rule{
	ID:      "WC110",
	Title:   "A key occurs only once in a tree.",
	Problem: "Duplicate keys in a tree",
	Cause:   "typical of tools that join the trees of two files",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "The standard does not define which of the entries a viewer finds, so the others are lost. Several " +
		"content sets with one key belong in an array value.",
	Repair: "Merge the entries. If their content sets differ, use an array value.",
	Basis: rule.Basis{
		Wrong: "Two entries have the same key",
		Right: "Not needed: the merged entry has the content sets of both",
	},
	Action:    rule.MergeEntries,
	CheckTree: checkTreeDuplicate,
}

func checkTreeOddNames(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.OddNames) {
		p.Reportf(t.AtPair(d.Node, d.Index), restoreKeys(p, t, d),
			"Names ends with %v, which has no value", Describe(p, d.Found))
	}
}

func checkTreeKeyType(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.KeyNotString, nametree.KeyNull) {
		p.Reportf(t.AtPair(d.Node, d.Index), restoreKeys(p, t, d), "the key is %v, not a string",
			Describe(p, d.Found))
	}
}

func checkTreeDuplicate(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.DuplicateKey) {
		first := t.Entry(d.Other)
		p.Reportf(t.AtPair(d.Node, d.Index), &rule.Fix{Action: rule.MergeEntries, Old: t.Entry(d.Entry).Key},
			"key %v is already at %v", t.Entry(d.Entry).Key, *t.AtPair(first.Node, first.Pair).Node)
	}
}

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
			if err != nil || s.OK() && !hasKey(t.Tree.Tree, nametree.Key(s.Bytes)) &&
				!strayKeysOf(p, t)[nametree.Key(s.Bytes)] {
				return nil
			}
		case !haveKeys(p, t, half, d.Kind != nametree.OddNames):
			return nil
		}
	}
	return &rule.Fix{Action: rule.RestoreKeys}
}

// hasKey reports whether a tree has an entry with a key.
func hasKey(t *nametree.Tree, key nametree.Key) bool {
	for range t.All(key) {
		return true
	}
	return false
}

// strayKeys are the keys of each tree that the content sets in its pairs without a key get. Where one key was lost,
// each further pair has the key of the next content set.
type strayKeys struct {
	once [webcapture.TreeCount]sync.Once
	keys [webcapture.TreeCount]map[nametree.Key]bool
}

func strayKeysOf(p *rule.Pass, t *rule.Tree) map[nametree.Key]bool {
	k := rule.Shared[strayKeys](p.Audit)
	k.once[t.Name].Do(func() {
		k.keys[t.Name] = map[nametree.Key]bool{}
		for d := range t.DefectsOf(rule.StrayPairs...) {
			for _, half := range [...]object.Object{d.Found, d.Value} {
				o, err := p.Reader.Resolve(half)
				if err != nil || o.Kind() != object.Dictionary && o.Kind() != object.Array {
					continue
				}
				for s := range setsIn(p, half) {
					for _, own := range ownKeys(p, t.Name, s) {
						k.keys[t.Name][own] = true
					}
				}
			}
		}
	})
	return k.keys[t.Name]
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
