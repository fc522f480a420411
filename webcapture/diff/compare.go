package diff

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// comparison compares two documents. Arrays of two hold the values of A, then of B.
type comparison struct {
	of      [2]*document
	changes []Change
}

// run compares the documents. It stops if reading one of them again fails: see document.err.
func (c *comparison) run() {
	a, b := c.of[0], c.of[1]
	if !a.Database.Present() && !b.Database.Present() {
		return
	}
	// If only one file has entries, the trees tell all about content sets and keys.
	whole := (a.entries() == 0) == (b.entries() == 0)
	if whole {
		c.compareSets()
		c.comparePageOrder()
	}
	for name := range webcapture.TreeCount {
		c.compareTree(name)
	}
	c.compareOthers(!whole)
}

// failed reports whether reading a document again has failed.
func (c *comparison) failed() bool { return c.of[0].err != nil || c.of[1].err != nil }

// entries returns the number of entries in both trees.
func (d *document) entries() (n int) {
	for _, t := range d.Database.Trees() {
		n += t.Len()
	}
	return n
}

func (c *comparison) result() *Result {
	slices.SortFunc(c.changes, Change.compare)
	for _, d := range c.of {
		d.report.Unread = d.Unread
	}
	return &Result{A: c.of[0].report, B: c.of[1].report, Changes: c.changes}
}

func (c *comparison) change(p Place, a, b string) {
	c.changes = append(c.changes, Change{Changed, p, a, b})
}

// onOne adds a change for an object in only one file: Lost for A, Added for B.
func (c *comparison) onOne(side int, p Place, text string) {
	if side == 0 {
		c.changes = append(c.changes, Change{Lost, p, text, ""})
	} else {
		c.changes = append(c.changes, Change{Added, p, "", text})
	}
}

// groups yields the elements of two sorted lists that are equal by compare. One of two groups may be empty.
func groups[T any](a, b []T, compare func(x, y T) int) iter.Seq2[[]T, []T] {
	return func(yield func(x, y []T) bool) {
		for len(a)+len(b) > 0 {
			order := cmp.Compare(len(b), len(a))
			if len(a) > 0 && len(b) > 0 {
				order = compare(a[0], b[0])
			}
			var n, m int
			if order <= 0 {
				n = countEqual(a, compare)
			}
			if order >= 0 {
				m = countEqual(b, compare)
			}
			if !yield(a[:n], b[:m]) {
				return
			}
			a, b = a[n:], b[m:]
		}
	}
}

// countEqual returns how many elements at the start of a list are equal.
func countEqual[T any](list []T, compare func(x, y T) int) int {
	n := 1
	for n < len(list) && compare(list[0], list[n]) == 0 {
		n++
	}
	return n
}

// pairEqual calls pair for elements of two sorted lists that are equal by compare, and returns the others.
func pairEqual[T any](a, b []T, compare func(x, y T) int, pair func(x, y T)) (restA, restB []T) {
	for x, y := range groups(a, b, compare) {
		n := min(len(x), len(y))
		for i := range n {
			pair(x[i], y[i])
		}
		restA, restB = append(restA, x[n:]...), append(restB, y[n:]...)
	}
	return restA, restB
}

// compareOthers compares SpiderInfo, links, and pages with ID in no content set; with all, all pages with ID.
func (c *comparison) compareOthers(all bool) {
	unread := c.of[0].infoUnread || c.of[1].infoUnread
	for _, d := range c.of {
		for _, pg := range d.Pages {
			if pg.ID != "" && (all || !pg.Listed) {
				d.others.add(Place{Part: PageID, Key: nametree.Key(pg.ID)}, "page")
			}
		}
		slices.SortFunc(d.others.list, compareFacts)
		d.others.list = slices.DeleteFunc(d.others.list, func(f fact) bool {
			return unread && (f.Part == Info || f.Part == Command)
		})
	}
	c.compareFacts(Set{}, c.of[0].others.list, c.of[1].others.list)
}

// comparePageOrder compares the order of pages in O of content sets. It ignores pages that one file has more often, and
// shows the first difference.
func (c *comparison) comparePageOrder() {
	type page struct {
		content match.Hash
		id      nametree.Key
	}
	var order [2][]page
	var count [2]map[page]int
	for side, d := range c.of {
		count[side] = map[page]int{}
		for _, pg := range d.Pages {
			if p := (page{pg.Content, nametree.Key(pg.ID)}); pg.Listed {
				order[side] = append(order[side], p)
				count[side][p]++
			}
		}
	}
	for side := range order {
		order[side] = slices.DeleteFunc(order[side], func(p page) bool { return count[0][p] != count[1][p] })
	}
	for i := range min(len(order[0]), len(order[1])) {
		if p, q := order[0][i], order[1][i]; p != q {
			describe := func(p page) string { return fmt.Sprintf("page with ID %s, content %x", short(p.id), p.content) }
			c.change(Place{Part: PageOrder}, describe(p), describe(q))
			return
		}
	}
}
