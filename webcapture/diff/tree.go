package diff

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// treeComparison compares URLS or IDS of two files.
type treeComparison struct {
	*comparison
	at     Place
	trees  [2]*webcapture.Tree
	alone  [2][]loneKey
	missed bool // a search does not find some key in one of the files
	hidden int  // number of keys in both files that a search finds only in A
	common int  // number of keys in both files whose values can be read
}

// loneKey is a key that is in only one file, with the content sets in its value there.
type loneKey struct {
	key    nametree.Key
	values match.Hash
	text   string
}

// compareTree adds the changes of a tree. An empty tree counts as missing.
func (c *comparison) compareTree(name webcapture.TreeName) {
	t := treeComparison{comparison: c, at: Place{Part: WholeTree, Tree: name.String()}}
	for side, d := range c.of {
		if tree := d.Database.Tree(name); tree != nil && tree.Len() > 0 {
			t.trees[side] = tree
			for range tree.Missed() {
				t.missed = true
				break
			}
		}
	}
	a, b := t.trees[0], t.trees[1]
	switch {
	case a == nil && b == nil:
		return
	case a == nil:
		t.onOne(1, t.at, layout.Count(b.Len(), "key"))
		return
	case b == nil:
		t.onOne(0, t.at, layout.Count(a.Len(), "key"))
		t.causes = append(t.causes, Cause{Kind: TreeDropped, Tree: t.at.Tree, Of: a.Len()})
		return
	}
	before := len(t.changes)
	t.at.Part = TreeKey
	t.keys()
	transcoded := t.aloneKeys()
	if transcoded == 0 && len(t.changes) > before && a.Ascending() && !b.Ascending() {
		t.causes = append(t.causes, Cause{Kind: TreeDisordered, Tree: t.at.Tree, Count: t.hidden, Of: t.common})
	}
}

// keyStream yields the keys of a tree in sorted order.
type keyStream struct {
	of     *document
	tree   *webcapture.Tree
	order  []int32 // entries that were not yielded yet
	values []value // numbers of the content sets of the last yielded key
}

func newKeyStream(d *document, tree *webcapture.Tree) *keyStream {
	s := &keyStream{of: d, tree: tree, order: make([]int32, tree.Len())}
	for i := range s.order {
		s.order[i] = int32(i)
	}
	if !tree.Ascending() {
		slices.SortFunc(s.order, func(i, j int32) int {
			return cmp.Or(cmp.Compare(tree.Entry(int(i)).Key, tree.Entry(int(j)).Key), cmp.Compare(i, j))
		})
	}
	return s
}

// key returns the next key; false at the end.
func (s *keyStream) key() (nametree.Key, bool) {
	if len(s.order) == 0 {
		return "", false
	}
	return s.tree.Entry(int(s.order[0])).Key, true
}

// take sets values to those of all entries with key k, which must be next, and reports whether there are any.
func (s *keyStream) take(k nametree.Key) (found bool) {
	s.values = s.values[:0]
	for next, ok := s.key(); ok && next == k; next, ok = s.key() {
		before := len(s.values)
		s.values = s.of.appendValues(s.values, s.tree, int(s.order[0]))
		if s.of.spend(len(s.values) - before) { // an array that many keys may share
			s.order = nil
			return false
		}
		s.order, found = s.order[1:], true
	}
	for i, v := range s.values {
		if v >= 0 {
			s.values[i] = s.of.sets[v].number
		}
	}
	slices.Sort(s.values)
	return found
}

// keys compares the keys of both trees, in the order of keys.
func (t *treeComparison) keys() {
	a, b := newKeyStream(t.of[0], t.trees[0]), newKeyStream(t.of[1], t.trees[1])
	for {
		k, inA := a.key()
		other, inB := b.key()
		if !inA && !inB {
			return
		}
		if !inA || inB && other < k {
			k = other
		}
		inA, inB = a.take(k), b.take(k)
		t.key(k, inA, inB, [2][]value{a.values, b.values})
	}
}

// key compares the values of a key in both files. Content sets that are in only one file are ignored, because other
// changes report them.
func (t *treeComparison) key(k nametree.Key, inA, inB bool, values [2][]value) {
	if slices.Contains(values[0], unreadable) || slices.Contains(values[1], unreadable) {
		return
	}
	paired := func(v value) bool { return int(v) < len(t.pairs) }
	t.at.Key = k
	if inA && inB {
		t.common++
		isAlone := func(v value) bool { return !paired(v) }
		if !slices.Equal(slices.DeleteFunc(slices.Clone(values[0]), isAlone),
			slices.DeleteFunc(slices.Clone(values[1]), isAlone)) {
			t.add(Changed, t.at, t.describe(0, values[0]), t.describe(1, values[1]))
		}
		t.search()
		return
	}
	side := 0
	if inB {
		side = 1
	}
	if len(values[side]) == 0 || slices.ContainsFunc(values[side], paired) {
		var b []byte
		for _, n := range values[side] {
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
		t.alone[side] = append(t.alone[side], loneKey{k, hashOf(b), t.describe(side, values[side])})
	}
}

// search adds a change for a key that a search finds in only one of the files.
func (t *treeComparison) search() {
	if !t.missed {
		return
	}
	_, inA := t.trees[0].Find(t.at.Key)
	_, inB := t.trees[1].Find(t.at.Key)
	if inA == inB {
		return
	}
	if inA {
		t.hidden++
	}
	text := map[bool]string{true: "a search finds it", false: "a search does not find it"}
	t.add(Changed, t.at, text[inA], text[inB])
}

// aloneKeys reports the keys that are in only one file. A key of A and a key of B with the same content sets are
// reported as one changed key. It returns the number of keys that a tool took for text and converted.
func (t *treeComparison) aloneKeys() (transcoded int) {
	for side := range t.alone {
		slices.SortFunc(t.alone[side], func(a, b loneKey) int {
			return cmp.Or(bytes.Compare(a.values[:], b.values[:]), cmp.Compare(a.key, b.key))
		})
	}
	encodings := map[string]int{}
	a, b := t.alone[0], t.alone[1]
	for len(a) > 0 || len(b) > 0 {
		order := cmp.Compare(len(b), len(a))
		if len(a) > 0 && len(b) > 0 {
			order = bytes.Compare(a[0].values[:], b[0].values[:])
		}
		switch {
		case order < 0:
			t.at.Key = a[0].key
			t.onOne(0, t.at, a[0].text)
			a = a[1:]
		case order > 0:
			t.at.Key = b[0].key
			t.onOne(1, t.at, b[0].text)
			b = b[1:]
		default:
			if as, ok := rule.Transcoded([]byte(a[0].key), []byte(b[0].key)); ok && t.at.Tree == webcapture.IDS.String() {
				encodings[as]++
				transcoded++
			}
			t.at.Key = a[0].key
			t.add(Changed, t.at, short(a[0].key), short(b[0].key))
			a, b = a[1:], b[1:]
		}
	}
	for _, as := range []string{"UTF-8", "UTF-16"} {
		t.cause(Cause{Kind: KeysTranscoded, Tree: t.at.Tree, As: as, Count: encodings[as], Of: t.trees[0].Len()})
	}
	return transcoded
}

// describe describes the content sets of a key, given by their numbers.
func (t *treeComparison) describe(side int, values []value) string {
	const shown = 3
	text := ""
	for i, n := range values {
		switch {
		case i == shown:
			return fmt.Sprintf("%s and %d more", text, len(values)-shown)
		case i > 0:
			text += ", "
		}
		text += t.nameOf(side, int(n))
	}
	if text == "" {
		return "an empty array"
	}
	return text
}

// nameOf describes the content set with a number, or another object in place of one.
func (t *treeComparison) nameOf(side, n int) string {
	var s *set
	switch first := len(t.pairs) + side*len(t.comparison.alone[0]); {
	case n < 0:
		return object.Kind(-1 - n).String()
	case n < len(t.pairs):
		s = t.pairs[n][side]
	default:
		s = t.comparison.alone[side][n-first]
	}
	return Set{Subtype: s.subtype, ID: s.id, HasID: s.hasID}.String()
}
