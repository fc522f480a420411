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
)

// loneKey is a key that is in only one file, with the content sets in its value there.
type loneKey struct {
	key    nametree.Key
	values contentHash
	text   string
}

// treeComparison compares URLS or IDS of two files.
type treeComparison struct {
	*comparison
	name   webcapture.TreeName
	trees  [2]*webcapture.Tree
	alone  [2][]loneKey
	missed bool // a search does not find some key in one of the files
	hidden int  // number of keys in both files that a search finds only in A
	common int  // number of keys in both files whose values can be read
}

// trees compares URLS and IDS.
func (c *comparison) trees() {
	for name := range webcapture.TreeCount {
		t := treeComparison{comparison: c, name: name}
		for side, f := range c.of {
			if tree := f.db.Tree(name); tree != nil && tree.Len() > 0 {
				t.trees[side] = tree
				for range tree.Missed() {
					t.missed = true
					break
				}
			}
		}
		t.compare()
	}
}

// compare compares one tree of both files. An empty tree counts as missing.
func (t *treeComparison) compare() {
	a, b := t.trees[0], t.trees[1]
	at := Place{Part: WholeTree, Tree: t.name.String()}
	switch {
	case a == nil && b == nil:
		return
	case a == nil:
		t.onOne(1, at, layout.Count(b.Len(), "key"))
		return
	case b == nil:
		t.onOne(0, at, layout.Count(a.Len(), "key"))
		t.causes = append(t.causes, Cause{Kind: TreeDropped, Tree: t.name.String(), Of: a.Len()})
		return
	}
	before := len(t.changes)
	t.keys()
	transcoded := t.aloneKeys()
	if transcoded == 0 && len(t.changes) > before && a.Ascending() && !b.Ascending() {
		t.causes = append(t.causes, Cause{Kind: TreeDisordered, Tree: t.name.String(), Count: t.hidden, Of: t.common})
	}
}

// keys compares the keys of both trees, in the order of keys.
func (t *treeComparison) keys() {
	a, b := sortedEntries(t.trees[0]), sortedEntries(t.trees[1])
	for i, j := 0, 0; i < a.n || j < b.n; {
		var k nametree.Key
		switch {
		case j == b.n:
			k = a.key(i)
		case i == a.n:
			k = b.key(j)
		default:
			k = min(a.key(i), b.key(j))
		}
		fromA, fromB := i, j
		i, j = a.run(i, k), b.run(j, k)
		var values [2][]int32
		for side, in := range []struct {
			*sortedTree
			from, to int
		}{{a, fromA, i}, {b, fromB, j}} {
			for ; in.from < in.to; in.from++ {
				v := t.of[side].values[t.name][in.entry(in.from)]
				values[side] = t.appendNumbers(values[side], side, v)
			}
			slices.Sort(values[side])
		}
		t.key(k, i > fromA, j > fromB, values)
	}
}

// sortedTree is a tree with its entries sorted by key. A rank is an index in this order.
type sortedTree struct {
	*webcapture.Tree
	order []int32 // entries by rank; nil if the stored order is sorted
	n     int
}

func sortedEntries(t *webcapture.Tree) *sortedTree {
	s := &sortedTree{Tree: t, n: t.Len()}
	if !t.Ascending() {
		s.order = make([]int32, s.n)
		for i := range s.order {
			s.order[i] = int32(i)
		}
		slices.SortFunc(s.order, func(i, j int32) int {
			return cmp.Or(cmp.Compare(t.Entry(int(i)).Key, t.Entry(int(j)).Key), cmp.Compare(i, j))
		})
	}
	return s
}

func (s *sortedTree) entry(rank int) int {
	if s.order == nil {
		return rank
	}
	return int(s.order[rank])
}

func (s *sortedTree) key(rank int) nametree.Key { return s.Entry(s.entry(rank)).Key }

// run returns the first rank from i on whose key is not k.
func (s *sortedTree) run(i int, k nametree.Key) int {
	for i < s.n && s.key(i) == k {
		i++
	}
	return i
}

// appendNumbers appends the numbers of the content sets in a value. For any other object it appends the negative value.
// It appends no list after the budget is exceeded, because then the result has no changes.
func (t *treeComparison) appendNumbers(dst []int32, side int, v value) []int32 {
	f := t.of[side]
	switch {
	case v >= 0:
		return append(dst, t.numbers[side][v])
	case v > firstList:
		return append(dst, int32(v))
	}
	list := f.lists[firstList-v]
	if f.spend(elementCost*int64(len(list))) != nil {
		return dst
	}
	for _, e := range list {
		if e >= 0 {
			dst = append(dst, t.numbers[side][e])
		} else {
			dst = append(dst, int32(e))
		}
	}
	return dst
}

// key compares the values of a key in both files. Content sets that are in only one file are ignored, because other
// changes report them.
func (t *treeComparison) key(k nametree.Key, inA, inB bool, values [2][]int32) {
	var rest [2][]int32
	var isAlone [2]bool
	for side := range values {
		if slices.Contains(values[side], int32(unreadable)) {
			return
		}
		for _, n := range values[side] {
			if int(n) < len(t.pairs) {
				rest[side] = append(rest[side], n)
			} else {
				isAlone[side] = true
			}
		}
	}
	at := Place{Part: TreeKey, Tree: t.name.String(), Key: k}
	switch {
	case inA && inB:
		t.common++
		if !slices.Equal(rest[0], rest[1]) {
			t.add(Changed, at, t.describe(0, values[0]), t.describe(1, values[1]))
		}
		t.search(at)
	case inA:
		t.only(0, k, values[0], rest[0], isAlone[0])
	default:
		t.only(1, k, values[1], rest[1], isAlone[1])
	}
}

// only records a key that is in one file, unless all its content sets are in that file only.
func (t *treeComparison) only(side int, k nametree.Key, values, rest []int32, isAlone bool) {
	if isAlone && len(rest) == 0 {
		return
	}
	var b []byte
	for _, n := range values {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	t.alone[side] = append(t.alone[side], loneKey{k, hashOf(b), t.describe(side, values)})
}

// search adds a change for a key that a search finds in only one of the files.
func (t *treeComparison) search(at Place) {
	if !t.missed {
		return
	}
	_, inA := t.trees[0].Find(at.Key)
	_, inB := t.trees[1].Find(at.Key)
	if inA == inB {
		return
	}
	if inA {
		t.hidden++
	}
	text := map[bool]string{true: "a search finds it", false: "a search does not find it"}
	t.add(Changed, at, text[inA], text[inB])
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
		order := 0
		switch {
		case len(b) == 0:
			order = -1
		case len(a) == 0:
			order = 1
		default:
			order = bytes.Compare(a[0].values[:], b[0].values[:])
		}
		switch {
		case order < 0:
			t.onOne(0, Place{Part: TreeKey, Tree: t.name.String(), Key: a[0].key}, a[0].text)
			a = a[1:]
		case order > 0:
			t.onOne(1, Place{Part: TreeKey, Tree: t.name.String(), Key: b[0].key}, b[0].text)
			b = b[1:]
		default:
			if as, ok := rule.Transcoded([]byte(a[0].key), []byte(b[0].key)); ok && t.name == webcapture.IDS {
				encodings[as]++
				transcoded++
			}
			t.add(Changed, Place{Part: TreeKey, Tree: t.name.String(), Key: a[0].key}, short(a[0].key), short(b[0].key))
			a, b = a[1:], b[1:]
		}
	}
	for _, as := range []string{"UTF-8", "UTF-16"} {
		t.cause(Cause{Kind: KeysTranscoded, Tree: t.name.String(), As: as, Count: encodings[as], Of: t.trees[0].Len()})
	}
	return transcoded
}

// describe describes the content sets of a key.
func (t *treeComparison) describe(side int, values []int32) string {
	const shown = 3
	text := ""
	for i, n := range values {
		switch {
		case i == shown:
			return fmt.Sprintf("%s and %d more", text, len(values)-shown)
		case i > 0:
			text += ", "
		}
		text += t.nameOf(side, n)
	}
	if text == "" {
		return "an empty array"
	}
	return text
}

// nameOf describes the content set with a number, or another object in place of one.
func (t *treeComparison) nameOf(side int, n int32) string {
	if n < 0 {
		return object.Kind(-1 - n).String()
	}
	i := int32(0)
	if int(n) < len(t.pairs) {
		i = t.pairs[n][side]
	} else {
		k := int(n) - len(t.pairs)
		if side == 1 {
			k -= len(t.comparison.alone[0])
		}
		i = t.comparison.alone[side][k]
	}
	s := &t.of[side].sets[i]
	return Set{Subtype: s.subtype, ID: s.id, HasID: s.hasID}.String()
}
