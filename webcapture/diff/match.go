package diff

import (
	"cmp"
	"slices"
)

// matchSets pairs the content sets that are in both files, and numbers all content sets. Two have the same number if
// and only if they are the same content set. Pairs are numbered first, then the content sets that are in only one file.
func (c *comparison) matchSets() {
	var distinct [2][]int32 // indexes of content sets with distinct contents, in the order of compareSets
	var same [2][]int32     // index of the first content set with the same content, by content set
	for side, f := range c.of {
		distinct[side], same[side] = f.distinctSets()
		c.numbers[side] = slices.Repeat([]int32{-1}, len(f.sets))
	}
	a, b := distinct[0], distinct[1]
	for len(a) > 0 && len(b) > 0 {
		sa, sb := &c.of[0].sets[a[0]], &c.of[1].sets[b[0]]
		switch order := compareIdentities(sa, sb); {
		case order < 0:
			a = a[1:]
		case order > 0:
			b = b[1:]
		default:
			inA, inB := c.of[0].sameIdentity(a), c.of[1].sameIdentity(b)
			c.matchGroup(a[:inA], b[:inB], sa.hasID)
			a, b = a[inA:], b[inB:]
		}
	}
	next := int32(len(c.pairs))
	for side := range c.of {
		for _, i := range distinct[side] {
			if c.numbers[side][i] < 0 {
				c.numbers[side][i] = next
				c.alone[side] = append(c.alone[side], i)
				next++
			}
		}
		for i, rep := range same[side] {
			c.numbers[side][i] = c.numbers[side][rep]
		}
	}
}

// distinctSets returns the content sets without repetition, compared by content. same holds for each content set the
// one in distinct with its content.
func (c *content) distinctSets() (distinct, same []int32) {
	order := make([]int32, len(c.sets))
	for i := range order {
		order[i] = int32(i)
	}
	compare := func(i, j int32) int {
		s, t := &c.sets[i], &c.sets[j]
		if order := compareSets(s, t); order != 0 {
			return order
		}
		return slices.CompareFunc(c.membersOf(s), c.membersOf(t), func(m, n member) int {
			return cmp.Or(m.ref.Compare(n.ref), cmp.Compare(m.direct, n.direct))
		})
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Or(compare(i, j), cmp.Compare(i, j)) })
	same = make([]int32, len(c.sets))
	for _, i := range order {
		if n := len(distinct); n == 0 || compare(distinct[n-1], i) != 0 {
			distinct = append(distinct, i)
		}
		same[i] = distinct[len(distinct)-1]
	}
	return distinct, same
}

// sameIdentity returns how many content sets at the start of a list share S and ID.
func (c *content) sameIdentity(list []int32) int {
	n := 1
	for n < len(list) && compareIdentities(&c.sets[list[0]], &c.sets[list[n]]) == 0 {
		n++
	}
	return n
}

// matchGroup pairs content sets that share S and ID, or that have no ID. It pairs those with the same content, then
// those with the same sources. If they have an ID, it also pairs the others, because they are more likely changed than
// new.
func (c *comparison) matchGroup(a, b []int32, hasID bool) {
	if hasID && len(a) == 1 && len(b) == 1 {
		c.pair(a[0], b[0])
		return
	}
	a, b = c.pairEqual(a, b, func(s, t *set) int {
		return cmp.Or(compareHashes(s.sources, t.sources), compareHashes(s.hash, t.hash))
	})
	a, b = c.pairEqual(a, b, func(s, t *set) int { return compareHashes(s.sources, t.sources) })
	if hasID {
		for k := range min(len(a), len(b)) {
			c.pair(a[k], b[k])
		}
	}
}

// pairEqual pairs the content sets of two lists that are equal by compare, and returns the others. Both lists must be
// in the order of compare.
func (c *comparison) pairEqual(a, b []int32, compare func(s, t *set) int) (restA, restB []int32) {
	for len(a) > 0 && len(b) > 0 {
		switch order := compare(&c.of[0].sets[a[0]], &c.of[1].sets[b[0]]); {
		case order < 0:
			restA, a = append(restA, a[0]), a[1:]
		case order > 0:
			restB, b = append(restB, b[0]), b[1:]
		default:
			c.pair(a[0], b[0])
			a, b = a[1:], b[1:]
		}
	}
	return append(restA, a...), append(restB, b...)
}

func (c *comparison) pair(a, b int32) {
	c.numbers[0][a], c.numbers[1][b] = int32(len(c.pairs)), int32(len(c.pairs))
	c.pairs = append(c.pairs, [2]int32{a, b})
}
