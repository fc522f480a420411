package diff

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// comparison compares the contents of two files. Arrays of two hold the values of A, then of B.
type comparison struct {
	of      [2]*content
	numbers [2][]int32 // number of each content set; see matchSets
	pairs   [][2]int32
	alone   [2][]int32

	changes []Change
	causes  []Cause
	nulled  int
	gone    map[nametree.Key]int // number of pages that became null in O, by the ID of their content set
	moves   pageMoves
	painted map[[2]object.Ref]bool // whether two images are the same, for images that two pages paint in one place
	emptied bool                   // only one file has entries; its content sets and keys are not listed one by one
	named   [2][2]int              // links to destinations with an ID, and the number of them that work
}

func (c *comparison) run() error {
	a, b := c.of[0], c.of[1]
	if !a.db.Present() && !b.db.Present() || a.over || b.over {
		return nil
	}
	c.gone, c.painted = map[nametree.Key]int{}, map[[2]object.Ref]bool{}
	c.matchSets()
	c.emptied = (a.entries() == 0) != (b.entries() == 0)
	if err := c.sets(); err != nil {
		return err
	}
	c.trees()
	if err := c.info(); err != nil {
		return err
	}
	if a.db.Present() && !b.db.Present() && len(c.changes) > 0 {
		c.causes = []Cause{{Kind: DatabaseDropped}}
	}
	c.pageIDs()
	c.retained()
	c.destinations()
	return nil
}

// entries returns the number of entries in both trees.
func (c *content) entries() int {
	return len(c.values[webcapture.URLS]) + len(c.values[webcapture.IDS])
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
	f := c.of[side]
	return Summary{
		Report: f.report, Pages: len(f.pages.refs), Tagged: len(f.pages.tagged), Retained: len(f.links.retained),
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
