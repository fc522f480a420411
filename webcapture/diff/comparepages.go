package diff

import (
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// pageIDs compares the number of pages with each ID. It skips IDs of content sets that are in one file only, and pages
// that became null in O, because other changes report these.
func (c *comparison) pageIDs() {
	reported := map[nametree.Key]bool{}
	for side, list := range c.alone {
		for _, i := range list {
			if s := &c.of[side].sets[i]; s.hasID && !c.emptied {
				reported[nametree.Key(s.id[:])] = true
			}
		}
	}
	lost, tagged := 0, [2][]nametree.Key{c.of[0].pages.tagged, c.of[1].pages.tagged}
	multisets(tagged, func(id nametree.Key, a, b int) {
		if reported[id] || a-b == c.gone[id] {
			return
		}
		lost += max(a-b, 0)
		c.counts(Place{Part: PageID, Key: id}, a, b, "page")
	})
	c.cause(Cause{Kind: PageIDsDropped, Count: lost, Of: len(tagged[0])})
}

// retained compares the URLs in PA of links.
func (c *comparison) retained() {
	lost, urls := 0, [2][]nametree.Key{c.of[0].links.retained, c.of[1].links.retained}
	multisets(urls, func(url nametree.Key, a, b int) {
		lost += max(a-b, 0)
		c.counts(Place{Part: RetainedLink, Key: url}, a, b, "link")
	})
	c.cause(Cause{Kind: RetainedURLsLost, Count: lost, Of: len(urls[0])})
}

// multisets calls do for each key that occurs a different number of times in two sorted lists.
func multisets(lists [2][]nametree.Key, do func(k nametree.Key, a, b int)) {
	a, b := lists[0], lists[1]
	for len(a) > 0 || len(b) > 0 {
		var k nametree.Key
		switch {
		case len(b) == 0:
			k = a[0]
		case len(a) == 0:
			k = b[0]
		default:
			k = min(a[0], b[0])
		}
		inA, inB := runOf(a, k), runOf(b, k)
		a, b = a[inA:], b[inB:]
		if inA != inB {
			do(k, inA, inB)
		}
	}
}

// runOf returns how often k occurs at the start of a sorted list.
func runOf(list []nametree.Key, k nametree.Key) int {
	n := 0
	for n < len(list) && list[n] == k {
		n++
	}
	return n
}

// counts adds a change for a count that changes from a to b.
func (c *comparison) counts(at Place, a, b int, noun string) {
	switch {
	case b == 0:
		c.add(Lost, at, layout.Count(a, noun), "")
	case a == 0:
		c.add(Added, at, "", layout.Count(b, noun))
	default:
		c.add(Changed, at, layout.Count(a, noun), layout.Count(b, noun))
	}
}

// destinations compares which links to named destinations with the ID of a content set work.
func (c *comparison) destinations() {
	known := map[digest.ID]bool{}
	for _, f := range c.of {
		for i := range f.sets {
			if f.sets[i].hasID {
				known[f.sets[i].id] = true
			}
		}
	}
	isSet := func(id digest.ID) bool { return known[id] }
	lost := 0
	for side, f := range c.of {
		for i := 0; i < len(f.links.named); {
			name := f.links.named[i]
			n := runOf(f.links.named[i:], name)
			i += n
			if _, ok := digest.Split(string(name), isSet); !ok {
				continue
			}
			c.named[side][0] += n
			if !f.links.finds(name) {
				continue
			}
			c.named[side][1] += n
			if !c.of[1-side].links.finds(name) {
				c.onOne(side, Place{Part: Destination, Key: name}, layout.Count(n, "link"))
				if side == 0 {
					lost += n
				}
			}
		}
	}
	c.cause(Cause{Kind: LinksBroken, Count: lost, Of: c.named[0][1]})
}

// hasOtherID reports whether the pages m of A and n of B, which are the same page, have different IDs, and B has as
// many pages with the ID of m as A. pageIDs reports other differences of page IDs.
func (c *comparison) hasOtherID(m, n *member) bool {
	if m.page == 0 || n.page == 0 {
		return false
	}
	a, b := c.of[0].pages.id(m.page), c.of[1].pages.id(n.page)
	return a != b && a != "" && b != "" && c.of[0].pages.count(a) == c.of[1].pages.count(a)
}

// count returns the number of pages with an ID.
func (t *pageTable) count(id nametree.Key) int {
	i, _ := slices.BinarySearch(t.tagged, id)
	return runOf(t.tagged[i:], id)
}
