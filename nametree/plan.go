package nametree

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// A plan is the list of nodes of the new tree. It is made level by level, from
// the leaves up. A node contains units: a leaf contains entries of the sequence,
// any other node contains nodes of the level below. The level of an old node is
// its height, that is, the distance to its deepest descendant. So nodes of a
// tree of uneven depth also have a level where they can be kept. The root is
// above all levels.
//
// In this example, new nodes have at most 4 units. Numbers are objects, and
// brackets contain Limits; the root has no Limits.
//
//	               1
//	       ┌───────┴────────┐
//	    2 [a f]          3 [h q]
//	   ┌───┴───┐        ┌───┴───┐
//	4 [a c] 5 [e f]  6 [h k] 7 [p q]
//	 a b c    e f    h i j k   p q
//
// An Edit adds the entry ii and gives the entry b the key pp. The steps are:
//
//	sequence        a c  e f  h i ii j k  p pp q
//	owners          4 4  5 5  6 6  6 6 6  7  7 7
//
// The owner of a unit is the old node that contains it. An entry with a new key
// stays there only if it is still between the same entries as before: with the
// key bb, the owner of b would still be 4. Otherwise, and for an added entry, the
// owner is that of a neighbour.
//
//	level 0, kept   (a c)  5  (h i ii j k  p pp q)
//
// An old node is kept if its units are contiguous and unchanged in the sequence,
// and its Limits are correct. Here only 5 is kept. The units between kept nodes
// are a run.
//
//	level 0, made   4 [a c]  5 [e f]  6 [h i]  8 [ii k]  7 [p q]
//
// Runs are divided between the units of old nodes if possible. The parts are
// then divided into as few nodes as possible, of about equal size. Each node
// reuses the object of an owner of its units. Object 6 is already reused when
// the node for ii and k is made, so this node becomes the new object 8.
//
//	units           4 5  6 8 7
//	owners          2 2  3 3 3
//	level 1, kept   2  (6 8 7)
//	level 1, made   2 [a f]  3 [h q]
//
// The units of level 1 are the nodes of level 0. Node 2 has the same kids, and
// its Limits are still the first and last key of these kids, so node 2 is kept.
// The root can contain the two units of level 1, as before, so no further level
// is needed. The root is also kept.
//
//	               1
//	       ┌───────┴──────────┐
//	    2 [a f]            3 [h q]
//	   ┌───┴───┐       ┌──────┼───────┐
//	4 [a c] 5 [e f] 6 [h i] 8 [ii k] 7 [p q]
//	  a c     e f     h i    ii j k   p pp q
//
// Write writes the nodes that are not kept: 4, 6, 8, 7 and 3.
//
// If the Edit had also removed e and f, nothing would refer to 5, and node 2 would
// have only the kid 4.
type plan struct {
	t      *Tree
	e      *Edit
	seq    *sequence
	marks  []mark // marks of the old nodes
	height []int  // heights of the old nodes: distance to the deepest descendant
	levels [][]branch
	kept   bool           // the root stays as it is
	strays map[int][]byte // text of the pairs that are not entries, by old node
}

// A branch is a leaf or an intermediate node of the planned tree.
type branch struct {
	old      int  // old node whose object is reused; 0, the root, for a new object
	kept     bool // the branch is the old node, unchanged
	from, to int  // range of units
	Limits
}

// A mark is a set of properties of an old node.
type mark uint8

const (
	mustChange mark = 1 << iota // the node cannot be kept
	hasStray                    // a pair is not an entry and was not dropped
	keyTwice                    // the dictionary has Kids, Names, or Limits twice
	foreignKey                  // the dictionary has keys that the standard does not define for nodes
	joined                      // the node gets units that no node contains
	taken                       // a branch reuses the object
	unchanged                   // a branch is the unchanged node
)

// toMend are the defects that force a node to change. Defects of keys and Limits are not included, because keys and
// Limits are checked in the planned tree, which may no longer have these defects. Defects of nodes without entries are
// not included, because these nodes disappear. The exception is EmptyKids: a root with empty Kids stays.
var toMend = [defectKinds]bool{
	BothKidsAndNames: true,
	RootLimits:       true,
	EmptyKids:        true,
	KidNotIndirect:   true,
	KidNotDictionary: true,
	NodeCycle:        true,
	NodeShared:       true,
	HugeLeaf:         true,
}

// incomplete are the defects that show that the tree was not read completely.
var incomplete = [defectKinds]bool{
	Unreadable:    true,
	KidsNotArray:  true,
	NamesNotArray: true,
	TooDeep:       true,
}

var errNotArray = errors.New("a node has Kids or Names that is not an array")

// IsWhole reports whether the tree was read completely. Edit.Write rejects any other tree.
func (t *Tree) IsWhole() bool {
	return !slices.ContainsFunc(t.defects, func(d Defect) bool { return incomplete[d.Kind] })
}

// plan returns the nodes to write, or a *Refused.
func (e *Edit) plan() (*plan, error) {
	t := e.t
	p := &plan{
		t: t, e: e, marks: make([]mark, len(t.nodes)), height: t.heights(), seq: e.sequence(), strays: map[int][]byte{},
	}
	for _, d := range t.defects {
		switch {
		case incomplete[d.Kind]:
			return nil, refuse("a part of the tree cannot be read: %v", cmp.Or(d.Unread(), errNotArray))
		case d.Node >= 0:
			p.mark(d)
		}
	}
	for i := range e.values {
		p.marks[t.at(i).node] |= mustChange
	}
	for i := range t.nodes {
		if ref := t.nodes[i].Ref; ref.Num != 0 && e.replaced[ref] {
			p.markPath(i)
		}
	}
	if k, ok := p.seq.repeated(); ok {
		return nil, refuse("two entries have the key %v", k)
	}
	if p.nothingToDo() {
		p.kept = true
		return p, nil
	}
	if err := p.makeLevels(); err != nil {
		return nil, err
	}
	return p, p.check()
}

// markPath marks a node and its ancestors, because an ancestor refers to the new object of the node.
func (p *plan) markPath(node int) {
	for p.marks[node] |= mustChange; node > 0; p.marks[node] |= mustChange {
		node = p.t.nodes[node].Parent
	}
}

// appendStray appends the text of a pair that is not an entry.
func appendStray(dst []byte, d Defect) []byte {
	dst = d.Found.Append(append(dst, '\n'))
	if d.Kind == OddNames {
		return dst
	}
	return d.Value.Append(append(dst, ' '))
}

// heights returns the height of each node.
func (t *Tree) heights() []int {
	heights := make([]int, len(t.nodes))
	for i := len(t.nodes) - 1; i > 0; i-- { // a node comes before its descendants
		parent := t.nodes[i].Parent
		heights[parent] = max(heights[parent], heights[i]+1)
	}
	return heights
}

func (p *plan) mark(d Defect) {
	m := &p.marks[d.Node]
	switch d.Kind {
	case KeyNull, KeyNotString, KeyUnreadable, OddNames:
		if p.e.dropped[pairOf{d.Node, d.Index}] {
			*m |= mustChange
		} else {
			*m |= hasStray
			p.strays[d.Node] = appendStray(p.strays[d.Node], d)
		}
	case KeyTwice:
		*m |= keyTwice
	case ForeignKey:
		*m |= foreignKey
	}
	if toMend[d.Kind] {
		*m |= mustChange
	}
}

// nothingToDo reports whether the tree is sound and the Edit does not change it.
func (p *plan) nothingToDo() bool {
	t := p.t
	if len(p.seq.order) == 0 && (len(t.nodes) == 0 || !t.nodes[0].HasKids && !t.nodes[0].HasNames) {
		return true // no tree, or an empty tree in the form that Acrobat writes
	}
	if len(t.nodes) == 0 || len(p.seq.order) != t.n || p.seq.placed > 0 || !t.Ascending() {
		return false
	}
	for i := range t.nodes {
		if p.marks[i]&mustChange != 0 || i > 0 && !t.hasRightLimits(i) {
			return false
		}
	}
	return true
}

func (t *Tree) hasRightLimits(i int) bool {
	n := &t.nodes[i]
	return n.HasLimits && n.least >= 0 && n.Limits == t.bounds(n)
}

// makeLevels makes the levels. At the end, the kids of the root are the nodes of the last level. If there is no level,
// the root contains all entries.
func (p *plan) makeLevels() error {
	for !p.rootHolds(len(p.levels)) {
		level := p.level(len(p.levels))
		if len(level) < 2 {
			for _, b := range level { // the root gets its units, and it is not written
				if b.old > 0 {
					p.marks[b.old] &^= taken
				}
			}
			break
		}
		if len(p.levels)+2 > maxDepth {
			return refuse("it would have more than %d levels", maxDepth)
		}
		p.levels = append(p.levels, level)
	}
	p.kept = p.rootKept()
	for _, level := range p.levels {
		for _, b := range level {
			if b.kept {
				p.marks[b.old] |= unchanged
			}
		}
	}
	return nil
}

// rootHolds reports whether the root can contain all units of level h.
func (p *plan) rootHolds(h int) bool {
	switch rootHeight := p.rootHeight(); {
	case h < rootHeight:
		return false
	case h == rootHeight && len(p.t.nodes) > 0:
		return p.units(h) <= p.maxUnits(p.unitsOf(0, h))
	}
	return p.units(h) <= p.maxUnits(0)
}

func (p *plan) rootHeight() int {
	if len(p.t.nodes) == 0 {
		return 0
	}
	return p.height[0]
}

func (p *plan) rootKept() bool {
	h := len(p.levels)
	return len(p.t.nodes) > 0 && p.marks[0]&mustChange == 0 && h == p.rootHeight() &&
		p.units(h) == p.unitsOf(0, h) && p.holds(0, h, 0)
}

// units returns the number of units of a level.
func (p *plan) units(h int) int {
	if h == 0 {
		return len(p.seq.order)
	}
	return len(p.levels[h-1])
}

// limits returns the Limits of a node with the units [from, to) of level h.
func (p *plan) limits(h, from, to int) Limits {
	if h == 0 {
		return Limits{p.seq.key(from), p.seq.key(to - 1)}
	}
	return Limits{p.levels[h-1][from].Least, p.levels[h-1][to-1].Greatest}
}

// unitsOf returns the number of units of an old node of this height.
func (p *plan) unitsOf(node, h int) int {
	if h == 0 {
		return p.t.nodes[node].Count
	}
	return len(p.t.nodes[node].Kids)
}

// maxUnits returns the maximum number of units of an old node that had this number of units. An old node that is larger
// than new nodes is divided only when it becomes huge.
func (p *plan) maxUnits(had int) int {
	if had > p.e.fanOut {
		return hugeLeaf
	}
	return p.e.fanOut
}

// check rejects a plan that would lose unknown data.
func (p *plan) check() error {
	for i, m := range p.marks {
		root := i == 0
		gone := !root && (m&taken == 0 || p.t.nodes[i].Ref.Num == 0)
		switch {
		case root && p.kept, m&unchanged != 0:
		case m&hasStray != 0 && (gone || p.height[i] > 0 || root && len(p.levels) > 0):
			return refuse("%s would disappear, but has a pair that is not an entry", p.name(i))
		case m&keyTwice != 0:
			return refuse("%s must change, but its dictionary has Kids, Names, or Limits twice", p.name(i))
		case m&foreignKey != 0 && gone:
			return refuse("%s would be removed, but has keys that do not belong to a node", p.name(i))
		}
	}
	return nil
}

// name describes a node for messages.
func (p *plan) name(node int) string {
	if ref := p.t.nodes[node].Ref; ref.Num != 0 {
		return fmt.Sprintf("node %v", ref)
	}
	return fmt.Sprintf("node %d (a direct object)", node)
}
