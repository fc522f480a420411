package nametree

// level makes the nodes of level h: kept nodes, and between them new nodes for the remaining units.
func (p *plan) level(h int) []branch {
	owners := p.owners(h)
	level := make([]branch, 0, len(owners)/p.e.fanOut+1)
	for _, b := range p.parts(h, owners) {
		if b.kept {
			level = append(level, b)
		} else {
			level = p.divide(level, b, owners, h)
		}
	}
	for i := range level {
		b := &level[i]
		b.kept = b.old > 0 && b.to-b.from == p.unitsOf(b.old, h) && p.keeps(b.old, h, b.from)
		b.Limits = p.limits(h, b.from, b.to)
	}
	return level
}

// owners returns the owner of each unit of level h: the old node that contains the unit, or else that of a neighbour.
// The owner is 0 if there is no such node. Node 0 is the root, which is never an owner, because the root is not part of
// a level.
func (p *plan) owners(h int) []int {
	owners := make([]int, p.units(h))
	if h == 0 {
		p.leaves(owners)
	} else {
		p.parents(owners, p.levels[h-1])
	}
	for u, node := range owners {
		if node > 0 && p.height[node] != h {
			owners[u] = 0
		}
	}
	p.adopt(owners, h)
	return owners
}

// adopt gives units without an owner the owner of a neighbour.
func (p *plan) adopt(owners []int, h int) {
	for from := 0; from < len(owners); from++ {
		to := from
		for to < len(owners) && owners[to] == 0 {
			to++
		}
		if node := p.neighbour(owners, from, to, h); from < to && node > 0 {
			p.marks[node] |= joined
			for u := from; u < to; u++ {
				owners[u] = node
			}
		}
		from = to
	}
}

// neighbour returns the owner of the unit before or after some units without an owner: the first one that has room for
// them. If neither has room, it returns an owner only for units that would fill less than half a node, or else 0.
func (p *plan) neighbour(owners []int, from, to, h int) int {
	best, size := 0, to-from
	for _, u := range []int{from - 1, to} {
		if u < 0 || u >= len(owners) || p.marks[owners[u]]&(hasStray|keyTwice) != 0 {
			continue
		}
		had := p.unitsOf(owners[u], h)
		if had+size <= p.maxUnits(had) {
			return owners[u]
		}
		if best == 0 && 2*size < p.e.fanOut {
			best = owners[u]
		}
	}
	return best
}

// parents sets the old parent of each unit of a level above the leaves.
func (p *plan) parents(owners []int, units []branch) {
	for u, b := range units {
		if b.old > 0 {
			owners[u] = p.t.nodes[b.old].Parent
		}
	}
}

// leaves sets the old leaf of each entry of the sequence. An entry with a new key keeps its old leaf if it is still
// between the same entries.
func (p *plan) leaves(owners []int) {
	before, next := -1, 0 // nearest entries that keep their keys: entry number before u, unit index after u
	for u, i := range p.seq.order {
		if i >= 0 {
			owners[u] = int(p.t.at(i).node)
			before = i
			continue
		}
		next = max(next, u)
		for next < len(owners) && p.seq.order[next] < 0 {
			next++
		}
		origin := p.e.placed[^i].Origin
		if origin > before && (next == len(owners) || origin < p.seq.order[next]) {
			owners[u] = int(p.t.at(origin).node)
		}
	}
}

// parts divides the units of a level into kept nodes, and runs of units between kept nodes.
func (p *plan) parts(h int, owners []int) []branch {
	parts := make([]branch, 0, len(owners)/p.e.fanOut+1)
	for u := 0; u < len(owners); {
		node := owners[u]
		if node > 0 && p.marks[node]&joined == 0 && p.keeps(node, h, u) {
			to := u + p.unitsOf(node, h)
			parts = append(parts, branch{old: node, kept: true, from: u, to: to})
			u = to
			continue
		}
		if last := len(parts) - 1; last < 0 || parts[last].kept {
			parts = append(parts, branch{from: u})
		}
		u++
		parts[len(parts)-1].to = u
	}
	return parts
}

// keeps reports whether an old node can stay unchanged with its first unit at u.
func (p *plan) keeps(node, h, u int) bool {
	n := &p.t.nodes[node]
	return p.marks[node]&mustChange == 0 && n.Ref.Num != 0 && n.HasLimits && p.holds(node, h, u) &&
		n.Limits == p.limits(h, u, u+p.unitsOf(node, h))
}

// holds reports whether the units from u on are the same as the units of an old node.
func (p *plan) holds(node, h, u int) bool {
	n := &p.t.nodes[node]
	if p.units(h)-u < p.unitsOf(node, h) {
		return false
	}
	if h == 0 {
		for i := range n.Count {
			if p.seq.order[u+i] != n.First+i {
				return false
			}
		}
		return true
	}
	for i, kid := range n.Kids {
		if p.levels[h-1][u+i].old != kid {
			return false
		}
	}
	return true
}

// divide appends new nodes for a run to level. It divides the run between the units of two old nodes if possible, that
// is, if all units of earlier old nodes come before all units of later old nodes.
func (p *plan) divide(level []branch, run branch, owners []int, h int) []branch {
	last := make(map[int]int) // last unit of each owner
	for u := run.from; u < run.to; u++ {
		last[owners[u]] = u
	}
	from, reach, only := run.from, -1, 0
	for u := run.from; u < run.to; u++ {
		node := owners[u]
		if node == 0 {
			continue
		}
		switch {
		case reach < 0:
			only = node
		case u > reach:
			level = p.fill(level, branch{old: only, from: from, to: u}, owners, h)
			from, only = u, node
		case node != only:
			only = 0
		}
		reach = max(reach, last[node])
	}
	return p.fill(level, branch{old: only, from: from, to: run.to}, owners, h)
}

// fill appends nodes for the units of b to level. It makes as few nodes as possible, of about equal size. b.old is the
// owner of the units if there is only one owner. A new node reuses the object of the first owner of its units whose
// object is not reused yet.
func (p *plan) fill(level []branch, b branch, owners []int, h int) []branch {
	size, most := b.to-b.from, p.e.fanOut
	if b.old > 0 {
		most = p.maxUnits(p.unitsOf(b.old, h))
	}
	n := 1
	if size > most {
		n = (size + p.e.fanOut - 1) / p.e.fanOut
	}
	for i := range n {
		from, to := b.from+size*i/n, b.from+size*(i+1)/n
		level = append(level, branch{old: p.take(owners[from:to]), from: from, to: to})
	}
	return level
}

// take returns the first of these old nodes whose object is not reused yet, and marks it as taken. It returns 0 if
// there is none.
func (p *plan) take(owners []int) int {
	for _, node := range owners {
		if node > 0 && p.marks[node]&taken == 0 {
			p.marks[node] |= taken
			return node
		}
	}
	return 0
}
