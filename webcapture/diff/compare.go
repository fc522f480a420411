package diff

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// comparison compares two documents. Arrays of two hold the values of A, then of B.
type comparison struct {
	of    [2]*document
	pairs [][2]*set
	alone [2][]*set // content sets in only one file

	changes []Change
	causes  []Cause
	nulled  int                  // members that became null
	gone    map[nametree.Key]int // pages that became null in O, by the ID of their content set
	moves   []int32              // page numbers in B of paired members, by page number in A; 0 for others
	emptied bool                 // only one file has entries; its content sets and keys are not listed one by one
	named   [2][2]int            // links to destinations with an ID, and the number of them that work
}

func newComparison(a, b *document) *comparison {
	return &comparison{of: [2]*document{a, b}, gone: map[nametree.Key]int{}, moves: make([]int32, a.pages+1)}
}

func (c *comparison) run() error {
	a, b := c.of[0], c.of[1]
	if !a.Database.Present() && !b.Database.Present() || a.over || b.over {
		return nil
	}
	c.pairSets()
	c.emptied = (a.entries() == 0) != (b.entries() == 0)
	if !c.emptied {
		if err := c.compareSets(); err != nil {
			return err
		}
	}
	for name := range webcapture.TreeCount {
		c.compareTree(name)
	}
	if err := c.info(); err != nil {
		return err
	}
	if a.Database.Present() && !b.Database.Present() && len(c.changes) > 0 {
		c.causes = []Cause{{Kind: DatabaseDropped}}
	}
	c.pageIDs()
	c.retained()
	c.destinations()
	return nil
}

// entries returns the number of entries in both trees.
func (d *document) entries() (n int) {
	for _, t := range d.Database.Trees() {
		n += t.Len()
	}
	return n
}

// result returns the result; without changes if one of the files exceeds its budget.
func (c *comparison) result() *Result {
	res := &Result{A: c.summary(0), B: c.summary(1)}
	if c.of[0].over || c.of[1].over {
		return res
	}
	slices.SortFunc(c.changes, Change.compare)
	slices.SortStableFunc(c.causes, func(a, b Cause) int { return cmp.Compare(a.Kind, b.Kind) })
	res.Changes, res.Causes = c.changes, c.causes
	return res
}

func (c *comparison) summary(side int) Summary {
	d := c.of[side]
	d.report.Unread = d.unreadParts()
	return Summary{
		Report: d.report, Pages: d.pages, Tagged: len(d.tagged), Retained: len(d.retained),
		Named: c.named[side][0], Found: c.named[side][1],
	}
}

func (c *comparison) add(k Kind, p Place, a, b string) {
	c.changes = append(c.changes, Change{k, p, a, b})
}

// onOne adds a change for an object in only one file: Lost for A, Added for B.
func (c *comparison) onOne(side int, p Place, text string) {
	if side == 0 {
		c.add(Lost, p, text, "")
	} else {
		c.add(Added, p, "", text)
	}
}

// cause adds a cause if its count is not 0.
func (c *comparison) cause(cause Cause) {
	if cause.Count > 0 {
		c.causes = append(c.causes, cause)
	}
}

// pageIDs compares the number of pages with each ID. It skips IDs of content sets that are in one file only, and pages
// that became null in O, because other changes report these.
func (c *comparison) pageIDs() {
	reported := map[nametree.Key]bool{}
	for _, list := range c.alone {
		for _, s := range list {
			if s.hasID && !c.emptied {
				reported[nametree.Key(s.id[:])] = true
			}
		}
	}
	lost := c.counts(PageID, "page", c.of[0].tagged, c.of[1].tagged, func(id nametree.Key, more int) bool {
		return reported[id] || more == c.gone[id]
	})
	c.cause(Cause{Kind: PageIDsDropped, Count: lost, Of: len(c.of[0].tagged)})
}

// retained compares the URLs in PA of links.
func (c *comparison) retained() {
	lost := c.counts(RetainedLink, "link", c.of[0].retained, c.of[1].retained,
		func(nametree.Key, int) bool { return false })
	c.cause(Cause{Kind: RetainedURLsLost, Count: lost, Of: len(c.of[0].retained)})
}

// counts adds a change for each key that occurs a different number of times in two sorted lists, and returns how often
// keys of the first are missing in the second. It skips keys for which reported returns true, given how much more often
// they are in the first list.
func (c *comparison) counts(part Part, noun string, a, b []nametree.Key, reported func(nametree.Key, int) bool) int {
	lost := 0
	for len(a) > 0 || len(b) > 0 {
		k := firstKey(a, b)
		inA, inB := runOf(a, k), runOf(b, k)
		a, b = a[inA:], b[inB:]
		at := Place{Part: part, Key: k}
		switch {
		case inA == inB || reported(k, inA-inB):
			continue
		case inB == 0:
			c.add(Lost, at, layout.Count(inA, noun), "")
		case inA == 0:
			c.add(Added, at, "", layout.Count(inB, noun))
		default:
			c.add(Changed, at, layout.Count(inA, noun), layout.Count(inB, noun))
		}
		lost += max(inA-inB, 0)
	}
	return lost
}

// firstKey returns the first key of two sorted lists, of which at least one has keys.
func firstKey(a, b []nametree.Key) nametree.Key {
	switch {
	case len(b) == 0:
		return a[0]
	case len(a) == 0:
		return b[0]
	}
	return min(a[0], b[0])
}

// runOf returns how often k occurs at the start of a sorted list.
func runOf(list []nametree.Key, k nametree.Key) int {
	n := 0
	for n < len(list) && list[n] == k {
		n++
	}
	return n
}

// destinations compares which links to named destinations with the ID of a content set work.
func (c *comparison) destinations() {
	known := map[digest.ID]bool{}
	for _, d := range c.of {
		for i := range d.sets {
			if d.sets[i].hasID {
				known[d.sets[i].id] = true
			}
		}
	}
	isSet := func(id digest.ID) bool { return known[id] }
	lost := 0
	for side, d := range c.of {
		for i := 0; i < len(d.named); {
			name := d.named[i]
			n := runOf(d.named[i:], name)
			i += n
			if _, ok := digest.Split(string(name), isSet); !ok {
				continue
			}
			c.named[side][0] += n
			if !d.finds(name) {
				continue
			}
			c.named[side][1] += n
			if !c.of[1-side].finds(name) {
				c.onOne(side, Place{Part: Destination, Key: name}, layout.Count(n, "link"))
				if side == 0 {
					lost += n
				}
			}
		}
	}
	c.cause(Cause{Kind: LinksBroken, Count: lost, Of: c.named[0][1]})
}
