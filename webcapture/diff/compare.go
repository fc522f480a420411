package diff

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// turn it keeps in arrays of two, A first.
type comparison struct {
	of      [2]*content
	numbers [2][]int32 // of sets, see matchSets
	pairs   [][2]int32
	alone   [2][]int32

	changes []Change
	causes  []Cause
	nulled  int
	gone    map[nametree.Key]int // pages that became null in O, by the ID of their set
	moves   pageMoves
	painted map[[2]object.Ref]bool // images that two pages paint in one place, and whether they are the same
	emptied bool                   // one of the files has no entries: what the other's lead to is not listed
	named   [2][2]int              // links to destinations that were made with an ID, and those that lead somewhere
}

func (c *comparison) run() error {
	a, b := c.of[0], c.of[1]
	if !a.db.Present() && !b.db.Present() || a.over || b.over {
		return nil
	}
	c.gone = map[nametree.Key]int{}
	c.matchSets()
	c.emptied = a.empty() != b.empty()
	for _, part := range []func() error{c.sets, c.trees, c.info} {
		if err := part(); err != nil {
			return err
		}
	}
	if a.db.Present() && !b.db.Present() && len(c.changes) > 0 {
		c.causes = []Cause{{Kind: DatabaseDropped}}
	}
	c.pageIDs()
	c.retained()
	c.destinations()
	return nil
}

// empty reports whether the trees have no entries.
func (c *content) empty() bool {
	return len(c.values[webcapture.URLS])+len(c.values[webcapture.IDS]) == 0
}

// result returns what was found; nothing if one of the files is over its budget.
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

// onOne adds what is in one file alone: lost if that is A.
func (c *comparison) onOne(side int, p Place, text string) {
	if side == 0 {
		c.add(Lost, p, text, "")
	} else {
		c.add(Added, p, "", text)
	}
}

// cause adds a cause if there is anything to it.
func (c *comparison) cause(cause Cause) {
	if cause.Count > 0 {
		c.causes = append(c.causes, cause)
	}
}
