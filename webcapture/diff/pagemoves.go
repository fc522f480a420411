package diff

import (
	"math"
	"slices"
	"strconv"
)

// pageMoves records the page numbers of pages in content sets, and finds moved pages. A page has moved if another page
// is before it in one file and after it in the other. Pages that are added or removed before it do not move it.
type pageMoves struct {
	to    []int32 // page number in B, by page number in A; 0 if no content set lists the page
	moved bool    // some page number differs
}

// note records a page that is in both files. Members that are not pages have the number 0.
func (m *pageMoves) note(a, b int32) {
	if a == 0 || b == 0 {
		return
	}
	if grow := int(a) + 1 - len(m.to); grow > 0 {
		m.to = append(m.to, make([]int32, grow)...)
	}
	m.to[a] = b
	m.moved = m.moved || a != b
}

// list returns the moved pages, by page number in A.
func (m *pageMoves) list() map[int32]bool {
	moved := map[int32]bool{}
	last := int32(0) // highest page number in B so far
	for a, b := range m.to {
		if b != 0 && b < last {
			moved[int32(a)] = true
		}
		last = max(last, b)
	}
	first := int32(math.MaxInt32) // lowest page number in B so far, from the end
	for a, b := range slices.Backward(m.to) {
		if b == 0 {
			continue
		}
		if b > first {
			moved[int32(a)] = true
		}
		first = min(first, b)
	}
	return moved
}

// movedPages adds changes for members that are moved pages.
func (c *comparison) movedPages() error {
	if !c.moves.moved {
		return nil
	}
	moved := c.moves.list()
	if len(moved) == 0 {
		return nil
	}
	for _, p := range c.pairs {
		inA, inB := c.of[0].membersOf(&c.of[0].sets[p[0]]), c.of[1].membersOf(&c.of[1].sets[p[1]])
		for i := range min(len(inA), len(inB)) {
			a, b := inA[i].page, inB[i].page
			if !moved[a] || c.moves.to[a] != b {
				continue
			}
			name, err := c.of[0].name(p[0])
			if err != nil {
				return err
			}
			c.add(Changed, Place{Part: Member, Set: name, Index: i}, c.of[0].describe(&inA[i]),
				c.of[1].describe(&inB[i]))
		}
	}
	return nil
}

// zoomDiffers reports whether two members are pages with different PZ.
func (c *comparison) zoomDiffers(m, n *member) bool {
	return m.page > 0 && n.page > 0 && c.of[0].pages.zoom(m.page) != c.of[1].pages.zoom(n.page)
}

func zoomText(zoom float32) string {
	if zoom == 0 {
		return "none"
	}
	return strconv.FormatFloat(float64(zoom), 'g', -1, 32)
}
