package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// keys are the keys of a tree.
type keys struct {
	of      *document
	tree    *webcapture.Tree
	entries []keyEntry // in the order of keys
	missed  bool       // a search does not find some key
}

type keyEntry struct {
	key   nametree.Key
	index int32
}

func compareKeys(a, b keyEntry) int { return cmp.Compare(a.key, b.key) }

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

// setOf returns the content set that an entry or an element of its array has; nil for another object.
func (d *document) setOf(stored object.Object) *set {
	ref, isRef := stored.Ref()
	i := int(d.byRef.Get(ref))
	if !isRef {
		i = d.byText[string(stored.Raw())]
	}
	if i == 0 {
		return nil
	}
	return &d.sets[i-1]
}

// paired reports whether the entries of a key in both files have the same content set, like most keys.
func (k *keys) paired(entries []keyEntry, l *keys, others []keyEntry) bool {
	if len(entries) != 1 || len(others) != 1 || k.missed || l.missed {
		return false
	}
	s := k.of.setOf(k.tree.Entry(int(entries[0].index)).Value)
	t := l.of.setOf(l.tree.Entry(int(others[0].index)).Value)
	return s != nil && t != nil && s.hash == t.hash
}

// alone stands for a content set that is in one file only.
const alone = "only content sets that the other file does not have"

// appendNames appends the names of content sets, and the kinds of other objects, in a value or in its array.
func (d *document) appendNames(names []string, stored object.Object, inArray bool) []string {
	if s := d.setOf(stored); s != nil && d.alone[s.hash] {
		return append(names, alone)
	} else if s != nil {
		return append(names, s.name())
	}
	ref, _ := stored.Ref()
	o, err := d.Reader.Resolve(stored)
	list, isArray := o.Array()
	switch {
	case d.fail(cmp.Or(err, d.Spend(1+list.Len()))) || d.unread[ref]:
		return append(names, unreadable)
	case isArray && !inArray:
		for e := range list.All() {
			names = d.appendNames(names, e, true)
		}
		return names
	}
	return append(names, o.Kind().String())
}

// value returns the value of a key as text. It omits content sets that are in one file only, because other changes
// report them.
func (k *keys) value(entries []keyEntry) string {
	var names []string
	for _, e := range entries {
		names = k.of.appendNames(names, k.tree.Entry(int(e.index)).Value, false)
	}
	all := len(names)
	kept := slices.DeleteFunc(names, func(name string) bool { return name == alone })
	switch {
	case slices.Contains(kept, unreadable):
		return unreadable
	case len(kept) > 0:
		slices.Sort(kept)
		return strings.Join(kept, ", ")
	case all > 0:
		return alone
	}
	return "an empty array"
}

// found adds to the value of a key whether a search finds it.
func (k *keys) found(key nametree.Key, value string) string {
	if _, ok := k.tree.Find(key); !ok && k.missed {
		value += ", but a search does not find the key"
	}
	return value
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
	case n > 0:
		at.Part = TreeKey
		c.compareKeys(at, a, b)
	}
}

// compareKeys adds the changes of keys. A key of A and a key of B with the same value are one changed key.
func (c *comparison) compareKeys(at Place, a, b *keys) {
	var lone [2][]fact
	for inA, inB := range groups(a.entries, b.entries, compareKeys) {
		if c.failed() {
			return
		}
		if at.Key = slices.Concat(inA, inB)[0].key; a.paired(inA, b, inB) {
			continue
		}
		v, w := a.value(inA), b.value(inB)
		switch {
		case v == unreadable || w == unreadable:
		case len(inA) > 0 && len(inB) > 0:
			if v, w = a.found(at.Key, v), b.found(at.Key, w); v != w {
				c.change(at, v, w)
			}
		case len(inB) == 0 && v != alone:
			lone[0] = append(lone[0], fact{Place: at, value: []byte(v)})
		case len(inA) == 0 && w != alone:
			lone[1] = append(lone[1], fact{Place: at, value: []byte(w)})
		}
	}
	for _, list := range lone {
		slices.SortStableFunc(list, compareValues)
	}
	lone[0], lone[1] = pairEqual(lone[0], lone[1], compareValues, func(f, g fact) {
		is := short(g.Key)
		if as, ok := rule.Transcoded([]byte(f.Key), []byte(g.Key)); ok && at.Tree == webcapture.IDS.String() {
			is += ", re-encoded as " + as + " text"
		}
		c.change(f.Place, short(f.Key), is)
	})
	for side := range lone {
		for _, f := range lone[side] {
			c.onOne(side, f.Place, string(f.value))
		}
	}
}
