package nametree

import "fmt"

// A plan says which nodes a tree will have. Its levels are made from the leaves
// up. What the nodes of a level hold are its units: for leaves the entries of
// the sequence, for others the nodes of the level below. Old nodes are of the
// level that their height says, so that those of a tree of uneven depth, too,
// have a level where they may stay; the root is above all levels.
type plan struct {
	t      *Tree
	e      *Edit
	seq    *sequence
	marks  []mark  // of the old nodes
	height []int32 // of the old nodes: how far the deepest node below is
	levels [][]branch
	kept   bool // the root stays as it is
}

// A branch is a leaf or intermediate node of the planned tree.
type branch struct {
	old      int32 // the old node whose place it takes; -1 if it has none
	kept     bool  // it is that node, unchanged
	from, to int   // its units
	Limits
}

// A mark is what has to be known of an old node.
type mark uint8

const (
	stale   mark = 1 << iota // it cannot stay as it is
	lost                     // it has a pair that makes no entry and is not dropped
	twice                    // its dictionary has a key twice
	foreign                  // its dictionary has other keys than those of nodes
	taken                    // a branch takes its place
	stays                    // it is kept
)

// mends are the defects because of which a node has to change. Those of keys and
// Limits are not among them: these are looked at in the tree to be, where they
// may have come right. Nor are those of nodes without any entry, which go.
var mends = [defectKinds]bool{
	BothKidsAndNames: true,
	RootLimits:       true,
	EmptyKids:        true,
	KidNotIndirect:   true,
	KidNotDictionary: true,
	NodeCycle:        true,
	NodeShared:       true,
	HugeLeaf:         true,
}

// unknown are the defects of a tree that was not read as a whole.
var unknown = [defectKinds]bool{
	Unreadable:     true,
	KidsNotArray:   true,
	NamesNotArray:  true,
	TooDeep:        true,
	TooManyNodes:   true,
	TooManyEntries: true,
	TooLarge:       true,
	TooManyDefects: true,
}

// plan returns what is to be written, or a *Refused.
func (e *Edit) plan() (*plan, error) {
	t := e.t
	p := &plan{t: t, e: e, marks: make([]mark, len(t.nodes)), height: make([]int32, len(t.nodes))}
	for _, d := range t.defects {
		switch {
		case unknown[d.Kind]:
			return nil, refuse("it was not read as a whole (%v)", d.Kind)
		case d.Node >= 0:
			p.mark(d)
		}
	}
	for i := range e.values {
		p.marks[t.at(i).node] |= stale
	}
	for i := len(t.nodes) - 1; i > 0; i-- {
		above := t.nodes[i].parent
		p.height[above] = max(p.height[above], p.height[i]+1)
	}
	p.seq = e.sequence()
	if k, ok := p.seq.repeated(); ok {
		return nil, refuse("two entries have the key %v", k)
	}
	if p.idle() {
		p.kept = true
		return p, nil
	}
	if err := p.grow(); err != nil {
		return nil, err
	}
	return p, p.check()
}

func (p *plan) mark(d Defect) {
	m := &p.marks[d.Node]
	switch d.Kind {
	case KeyNull, KeyNotString, KeyUnreadable, OddNames:
		if p.e.dropped[place{d.Node, d.Index}] {
			*m |= stale
		} else {
			*m |= lost
		}
	case KeyTwice:
		*m |= twice
	case ForeignKey:
		*m |= foreign
	}
	if mends[d.Kind] {
		*m |= stale
	}
}

// idle reports whether there is nothing to do.
func (p *plan) idle() bool {
	t := p.t
	if len(p.seq.order) == 0 && (len(t.nodes) == 0 || !t.nodes[0].hasKids && !t.nodes[0].hasNames) {
		return true // no tree, or what Acrobat leaves of one
	}
	if len(t.nodes) == 0 || len(p.seq.order) != t.n || len(p.seq.placed) > 0 || !t.Ascending() {
		return false
	}
	for i := range t.nodes {
		n := &t.nodes[i]
		if p.marks[i]&stale != 0 || i > 0 && (!n.hasLimits || n.least < 0 || t.limits(n) != t.bounds(n)) {
			return false
		}
	}
	return true
}

// grow makes the levels. In the end all units of the last one, or all entries
// if there is no level, are those of the root.
func (p *plan) grow() error {
	rootHeight, rootUnits := 0, 0
	if len(p.t.nodes) > 0 {
		rootHeight = int(p.height[0])
		rootUnits = p.had(0, rootHeight)
	}
	for {
		h := len(p.levels)
		units := p.units(h)
		if h > rootHeight {
			rootUnits = 0
		}
		if h >= rootHeight && units <= p.limit(rootUnits) {
			break
		}
		level := p.level(h)
		if len(level) < 2 {
			for _, b := range level { // the root itself takes the place of this node
				if !b.kept && b.old >= 0 {
					p.marks[b.old] &^= taken
				}
			}
			break
		}
		if h+2 > caps.depth {
			return refuse("it would have more levels than %d", caps.depth)
		}
		p.levels = append(p.levels, level)
	}
	h := len(p.levels)
	p.kept = len(p.t.nodes) > 0 && p.marks[0]&stale == 0 && h == rootHeight && p.units(h) == p.had(0, h) && p.holds(0, h, 0)
	for _, level := range p.levels {
		for _, b := range level {
			if b.kept {
				p.marks[b.old] |= stays
			}
		}
	}
	return nil
}

// units returns the number of units of a level.
func (p *plan) units(h int) int {
	if h == 0 {
		return len(p.seq.order)
	}
	return len(p.levels[h-1])
}

// limits returns what Limits says of a node with these units of a level.
func (p *plan) limits(h, from, to int) Limits {
	if h == 0 {
		return Limits{p.seq.key(from), p.seq.key(to - 1)}
	}
	return Limits{p.levels[h-1][from].Least, p.levels[h-1][to-1].Greatest}
}

// had returns the number of units of an old node of this height.
func (p *plan) had(node int32, h int) int {
	if h == 0 {
		return int(p.t.nodes[node].count)
	}
	return int(p.t.nodes[node].kidsLen)
}

// limit returns how many units a node may have that had so many. One that is
// larger than those made here is divided when it becomes huge, not before.
func (p *plan) limit(had int) int {
	if had > p.e.fanOut {
		return caps.hugeLeaf
	}
	return p.e.fanOut
}

// check refuses a plan that would lose what cannot be told from here.
func (p *plan) check() error {
	for i, m := range p.marks {
		root := i == 0
		gone := !root && (m&taken == 0 || p.t.nodes[i].ref.Num == 0)
		switch {
		case root && p.kept, m&stays != 0:
		case m&lost != 0:
			return refuse("%s has to change, and has a pair that makes no entry", p.name(i))
		case m&twice != 0:
			return refuse("%s has to change, and has a key twice", p.name(i))
		case m&foreign != 0 && gone:
			return refuse("%s would be gone, and has keys that are not those of a node", p.name(i))
		}
	}
	return nil
}

// name tells which node is meant.
func (p *plan) name(node int) string {
	if ref := p.t.nodes[node].ref; ref.Num != 0 {
		return fmt.Sprintf("node %v", ref)
	}
	return fmt.Sprintf("node %d, which is no object,", node)
}
