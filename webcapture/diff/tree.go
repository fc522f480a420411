package diff

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// keys are the keys of a tree.
type keys struct {
	of      *document
	tree    *webcapture.Tree
	entries []keyEntry // in the order of keys
	missed  bool       // a search does not find some key
	value   keyValue   // of the key that is compared
}

type keyEntry struct {
	key   nametree.Key
	index int32
}

// keyValue is the value of a key: that of all its entries.
type keyValue struct {
	contents []content
	kept     []content // without content sets in only one file, which other changes report
	found    bool      // a search finds the key
}

// loneKey is a key that is in only one file.
type loneKey struct {
	key  nametree.Key
	kept match.Hash // of its value
	text string
}

// keysOf returns the keys of a tree; none if it is missing.
func (d *document) keysOf(name webcapture.TreeName) *keys {
	k := &keys{of: d, tree: d.Database.Tree(name)}
	if k.tree == nil {
		return k
	}
	k.entries = make([]keyEntry, k.tree.Len())
	for i := range k.entries {
		k.entries[i] = keyEntry{k.tree.Entry(i).Key, int32(i)}
	}
	if !k.tree.Ascending() {
		slices.SortStableFunc(k.entries, compareKeys)
	}
	for range k.tree.Missed() {
		k.missed = true
		break
	}
	return k
}

func compareKeys(a, b keyEntry) int { return cmp.Compare(a.key, b.key) }

// read sets the value to that of a key, given by its entries. It returns false if a part is unreadable.
func (k *keys) read(entries []keyEntry) bool {
	v := &k.value
	v.contents, v.kept, v.found = v.contents[:0], v.kept[:0], true
	for _, e := range entries {
		v.contents = k.of.appendContents(v.contents, k.tree.Value(int(e.index)))
		if k.of.spend(len(v.contents)) {
			return false
		}
	}
	slices.SortFunc(v.contents, compareContents)
	for _, x := range v.contents {
		switch {
		case x.set == nil && x.kind == "":
			return false
		case x.set == nil || x.set.same.pair != nil:
			v.kept = append(v.kept, x)
		}
	}
	if k.missed && len(entries) > 0 {
		_, v.found = k.tree.Find(entries[0].key)
	}
	return true
}

// compareContents orders the contents in the value of a key.
func compareContents(x, y content) int {
	if x.set == nil || y.set == nil {
		return cmp.Compare(x.kind, y.kind)
	}
	return compareIdentities(x.set, y.set)
}

// equal reports whether two values lead a viewer to the same content sets.
func (v *keyValue) equal(w *keyValue) bool {
	return v.found == w.found &&
		slices.EqualFunc(v.kept, w.kept, func(x, y content) bool { return compareContents(x, y) == 0 })
}

// alone returns a key that is in only one file.
func (v *keyValue) alone(k nametree.Key) loneKey {
	var b []byte
	for _, x := range v.kept {
		b = append(appendBytes(b, []byte(x.kind)), 0)
		if x.set != nil {
			b = append(append(b, byte(x.set.subtype)), x.set.id[:]...)
		}
	}
	return loneKey{k, hashOf(b), v.String()}
}

// String describes the value by its first contents.
func (v *keyValue) String() string {
	const shown = 3
	text := ""
	for i, x := range v.contents {
		switch {
		case i == shown:
			return fmt.Sprintf("%s and %d more", text, len(v.contents)-shown)
		case i > 0:
			text += ", "
		}
		if x.set != nil {
			x.kind = Set{Subtype: x.set.subtype, ID: x.set.id, HasID: x.set.hasID}.String()
		}
		text += x.kind
	}
	if text == "" {
		text = "an empty array"
	}
	if !v.found {
		text += ", but a search does not find the key"
	}
	return text
}

// compareTree adds the changes of a tree. An empty tree counts as missing.
func (c *comparison) compareTree(name webcapture.TreeName) {
	at := Place{Part: WholeTree, Tree: name.String()}
	a, b := c.of[0].keysOf(name), c.of[1].keysOf(name)
	switch n, m := len(a.entries), len(b.entries); {
	case n == 0 && m > 0:
		c.onOne(1, at, layout.Count(m, "key"))
	case n > 0 && m == 0:
		c.onOne(0, at, layout.Count(n, "key"))
		c.cause(Cause{Kind: TreeDropped, Tree: at.Tree, Count: n, Of: n})
	case n > 0:
		c.compareKeys(Place{Part: TreeKey, Tree: at.Tree}, a, b)
	}
}

// compareKeys adds the changes of keys.
func (c *comparison) compareKeys(at Place, a, b *keys) {
	var alone [2][]loneKey
	before, common, hidden := len(c.changes), 0, 0
	for inA, inB := range groups(a.entries, b.entries, compareKeys) {
		readable := a.read(inA) && b.read(inB)
		switch v, w := &a.value, &b.value; {
		case c.failed():
			return
		case !readable:
		case len(inB) == 0 && (len(v.kept) > 0 || len(v.contents) == 0):
			alone[0] = append(alone[0], v.alone(inA[0].key))
		case len(inA) == 0 && (len(w.kept) > 0 || len(w.contents) == 0):
			alone[1] = append(alone[1], w.alone(inB[0].key))
		case len(inA) > 0 && len(inB) > 0:
			common++
			if v.found && !w.found {
				hidden++
			}
			if at.Key = inA[0].key; !v.equal(w) {
				c.change(at, v.String(), w.String())
			}
		}
	}
	transcoded := c.compareLoneKeys(at, alone, len(a.entries))
	if !transcoded && len(c.changes) > before && a.tree.Ascending() && !b.tree.Ascending() {
		c.causes = append(c.causes, Cause{Kind: TreeDisordered, Tree: at.Tree, Count: hidden, Of: common})
	}
}

// compareLoneKeys adds the changes of keys that are in only one file. A key of A and a key of B with the same value are
// one changed key. It reports whether a tool took keys of IDS for text and converted them.
func (c *comparison) compareLoneKeys(at Place, alone [2][]loneKey, all int) (transcoded bool) {
	compareValues := func(k, l loneKey) int { return bytes.Compare(k.kept[:], l.kept[:]) }
	for _, list := range alone {
		slices.SortStableFunc(list, compareValues)
	}
	encodings := map[string]int{}
	var rest [2][]loneKey
	rest[0], rest[1] = pairEqual(alone[0], alone[1], compareValues, func(k, l loneKey) {
		if as, ok := rule.Transcoded([]byte(k.key), []byte(l.key)); ok && at.Tree == webcapture.IDS.String() {
			encodings[as]++
		}
		at.Key = k.key
		c.change(at, short(k.key), short(l.key))
	})
	for side := range rest {
		for _, k := range rest[side] {
			at.Key = k.key
			c.onOne(side, at, k.text)
		}
	}
	for _, as := range []string{"UTF-8", "UTF-16"} {
		c.cause(Cause{Kind: KeysTranscoded, Tree: at.Tree, As: as, Count: encodings[as], Of: all})
	}
	return len(encodings) > 0
}
