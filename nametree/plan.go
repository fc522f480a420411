package nametree

import "fmt"

// fanOut is how many pairs a leaf, and how many kids an intermediate node, has
// at most if it is made anew.
const fanOut = 64

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

// holds reports whether the units from u on are those of an old node.
func (p *plan) holds(node int32, h, u int) bool {
	n := &p.t.nodes[node]
	if p.units(h)-u < p.had(node, h) {
		return false
	}
	if h == 0 {
		for i := range n.count {
			if p.seq.order[u+int(i)] != n.first+i {
				return false
			}
		}
		return true
	}
	for i, kid := range p.t.kidsOf(n) {
		if int(p.levels[h-1][u+i].old) != kid {
			return false
		}
	}
	return true
}

// keeps reports whether an old node stays as it is, with its first unit at u.
func (p *plan) keeps(node int32, h, u int) bool {
	n := &p.t.nodes[node]
	return p.marks[node]&stale == 0 && n.ref.Num != 0 && n.hasLimits && p.holds(node, h, u) &&
		p.t.limits(n) == p.limits(h, u, u+p.had(node, h))
}

// homes returns for each unit of a level the old node that it belongs to, -1 if
// there is none: the node in which it stands already. An entry with a new key
// still stands there if it is between the same others as before. The root is
// nobody's home, as it is not part of a level.
func (p *plan) homes(h int) []int32 {
	homes := make([]int32, p.units(h))
	settle := func(u int, node int32) {
		homes[u] = -1
		if node > 0 && int(p.height[node]) == h {
			homes[u] = node
		}
	}
	if h > 0 {
		for u, b := range p.levels[h-1] {
			parent := int32(-1)
			if b.old >= 0 {
				parent = p.t.nodes[b.old].parent
			}
			settle(u, parent)
		}
		return homes
	}
	for u, i := range p.seq.order {
		node := int32(-1)
		if i >= 0 {
			node = int32(p.t.at(int(i)).node)
		}
		settle(u, node)
	}
	before, next := -1, 0 // the entry before u, and the unit after, that have kept their places
	for u, i := range p.seq.order {
		if i >= 0 {
			before = int(i)
			continue
		}
		next = max(next, u)
		for next < len(homes) && p.seq.order[next] < 0 {
			next++
		}
		origin := p.seq.placed[^i].Origin
		if origin <= before || next < len(homes) && origin > int(p.seq.order[next]) {
			continue
		}
		settle(u, int32(p.t.at(origin).node))
	}
	return homes
}

// level makes the nodes of a level: those that can stay, and between them new
// ones for the units that are left.
func (p *plan) level(h int) []branch {
	homes := p.homes(h)
	// Kept nodes, and runs of units that belong to none of them.
	parts := make([]branch, 0, len(homes)/p.e.fanOut+1)
	for u := 0; u < len(homes); {
		node := homes[u]
		if node >= 0 && p.keeps(node, h, u) {
			to := u + p.had(node, h)
			parts = append(parts, branch{old: node, kept: true, from: u, to: to})
			u = to
			continue
		}
		if last := len(parts) - 1; last < 0 || parts[last].kept {
			parts = append(parts, branch{old: -1, from: u})
		}
		u++
		parts[len(parts)-1].to = u
	}
	p.join(parts, homes, h)

	level := make([]branch, 0, len(parts))
	for i := 0; i < len(parts); {
		b := parts[i]
		i++
		if b.kept {
			level = append(level, b)
			continue
		}
		for ; i < len(parts) && !parts[i].kept; i++ {
			b.to = parts[i].to
		}
		level = p.divide(level, b, homes, h)
	}
	for i := range level {
		level[i].Limits = p.limits(h, level[i].from, level[i].to)
	}
	return level
}

// join gives up kept nodes next to runs that are homeless, so that what comes
// between two nodes goes into the one that has room. If none has, a run that
// would make less than half a node shares one with its neighbour.
func (p *plan) join(parts []branch, homes []int32, h int) {
	for i, run := range parts {
		if run.kept || !homeless(homes[run.from:run.to]) {
			continue
		}
		if i > 0 && !parts[i-1].kept {
			continue // that node was given up for the run before it
		}
		best := -1
		for _, j := range []int{i - 1, i + 1} {
			if j < 0 || j >= len(parts) || !parts[j].kept || p.marks[parts[j].old]&(lost|twice) != 0 {
				continue
			}
			had, size := p.had(parts[j].old, h), run.to-run.from
			if had+size <= p.limit(had) {
				best = j
				break
			}
			if best < 0 && 2*size < p.e.fanOut {
				best = j
			}
		}
		if best >= 0 {
			parts[best].kept = false
		}
	}
}

func homeless(homes []int32) bool {
	for _, node := range homes {
		if node >= 0 {
			return false
		}
	}
	return true
}

// divide appends new nodes for a run to level. It divides between old nodes
// where it can: where all units of the nodes before come before those of the
// nodes after.
func (p *plan) divide(level []branch, run branch, homes []int32, h int) []branch {
	last := make(map[int32]int)
	for u := run.from; u < run.to; u++ {
		last[homes[u]] = u
	}
	from, reach, only := run.from, -1, int32(-1)
	for u := run.from; u < run.to; u++ {
		node := homes[u]
		if node < 0 {
			continue
		}
		switch {
		case reach < 0:
			only = node
		case u > reach:
			level = p.fill(level, branch{old: only, from: from, to: u}, homes, h)
			from, only = u, node
		case node != only:
			only = -1
		}
		reach = max(reach, last[node])
	}
	return p.fill(level, branch{old: only, from: from, to: run.to}, homes, h)
}

// fill appends to level as many nodes of about the same size as the units of b
// need; b.old is the only old node that they belong to, if there is only one.
// A new node takes the place of the first old one in it that is still free.
func (p *plan) fill(level []branch, b branch, homes []int32, h int) []branch {
	size, limit := b.to-b.from, p.e.fanOut
	if b.old >= 0 {
		limit = p.limit(p.had(b.old, h))
	}
	n := 1
	if size > limit {
		n = (size + p.e.fanOut - 1) / p.e.fanOut
	}
	for i := range n {
		piece := branch{old: -1, from: b.from + size*i/n, to: b.from + size*(i+1)/n}
		for _, node := range homes[piece.from:piece.to] {
			if node >= 0 && p.marks[node]&taken == 0 {
				p.marks[node] |= taken
				piece.old = node
				break
			}
		}
		level = append(level, piece)
	}
	return level
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
