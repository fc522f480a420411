package nametree

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

// keeps reports whether an old node stays as it is, with its first unit at u.
func (p *plan) keeps(node int32, h, u int) bool {
	n := &p.t.nodes[node]
	return p.marks[node]&stale == 0 && n.ref.Num != 0 && n.hasLimits && p.holds(node, h, u) &&
		p.t.limits(n) == p.limits(h, u, u+p.had(node, h))
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
