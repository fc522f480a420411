package webcapture

import (
	"slices"
	"sort"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// A TreeName is the name of one of the two name trees of a content database.
type TreeName uint8

// The trees, in the order in which they are read, written, and reported.
const (
	URLS TreeName = iota // from canonical URLs to content sets (14.10.3.2)
	IDS                  // from digital identifiers to content sets (14.10.3.3)

	// TreeCount is the number of trees. Arrays with an element for each tree have this length.
	TreeCount
)

var treeNames = [TreeCount]string{"URLS", "IDS"}

// String returns the key of the tree in the name dictionary (7.7.4, table 32).
func (n TreeName) String() string { return treeNames[n] }

// ParseTreeName returns the TreeName whose String is s. ok is false if there is none.
func ParseTreeName(s string) (n TreeName, ok bool) {
	i := slices.Index(treeNames[:], s)
	return TreeName(max(i, 0)), i >= 0
}

// A Tree is one of the two name trees of a content database.
type Tree struct {
	*nametree.Tree
	Name TreeName
	Root object.Object // as stored in the name dictionary
}

// Tree returns the tree with this name; nil if the file has no such tree.
func (db *Database) Tree(name TreeName) *Tree {
	if name == URLS {
		return db.URLS
	}
	return db.IDS
}

// Trees returns the trees of the file, URLS before IDS.
func (db *Database) Trees() []*Tree {
	var ts []*Tree
	for name := range TreeCount {
		if t := db.Tree(name); t != nil {
			ts = append(ts, t)
		}
	}
	return ts
}

// EntryAt returns the index, for Entry, of the entry that is stored as the given pair of a node's Names array. Pairs
// count from 0. ok is false if the pair is not an entry.
func (t *Tree) EntryAt(node, pair int) (i int, ok bool) {
	n := t.Node(node)
	i = n.First + sort.Search(n.Count, func(k int) bool { return t.Entry(n.First+k).Pair >= pair })
	return i, i < n.First+n.Count && t.Entry(i).Pair == pair
}
