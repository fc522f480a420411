package diff

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// comparison compares two documents. Arrays of two hold the values of A, then of B.
type comparison struct {
	of [2]*document

	changes []Change
	causes  []Cause
	differ  [][2]*set            // content sets in both files with different facts
	alone   [2][]*set            // content sets in only one file
	nulled  int                  // number of elements of O that became null
	gone    map[nametree.Key]int // how many pages with an ID are in A only, by changes of content sets
	moves   []int32              // page numbers in B of elements of O, by page number in A; 0 for others
	named   [2][2]int            // links to destinations with an ID, and the number of them that work
}

func newComparison(of [2]*document) *comparison {
	return &comparison{of: of, gone: map[nametree.Key]int{}, moves: make([]int32, len(of[0].contents)+1)}
}

// run compares the documents. It stops if reading one of them again fails: see document.err.
func (c *comparison) run() {
	a, b := c.of[0], c.of[1]
	if !a.Database.Present() && !b.Database.Present() || a.over || b.over {
		return
	}
	if (a.entries() == 0) == (b.entries() == 0) { // otherwise, the trees tell all
		c.compareSets()
	}
	for name := range webcapture.TreeCount {
		c.compareTree(name)
	}
	c.compareInfo()
	if a.Database.Present() && !b.Database.Present() && len(c.changes) > 0 {
		c.causes = []Cause{{Kind: DatabaseDropped}}
	}
	c.compareCounts(PageID, "page", [2][]nametree.Key{a.tagged, b.tagged}, PageIDsDropped)
	c.compareCounts(RetainedLink, "link", [2][]nametree.Key{a.retained, b.retained}, RetainedURLsLost)
	c.compareCounts(Destination, "link", [2][]nametree.Key{c.foundLinks(0), c.foundLinks(1)}, LinksBroken)
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
		Report: d.report, Pages: len(d.contents), Tagged: len(d.tagged), Retained: len(d.retained),
		Named: c.named[side][0], Found: c.named[side][1],
	}
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

// cause adds a cause if its count is not 0.
func (c *comparison) cause(cause Cause) {
	if cause.Count > 0 {
		c.causes = append(c.causes, cause)
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

// compareFacts adds changes for two sorted lists of facts about one content set, or about SpiderInfo. If a source, a
// command, or an element of O differs as a whole, its entries are not reported.
func (c *comparison) compareFacts(name Set, a, b []fact) {
	var whole Place
	for x, y := range groups(a, b, comparePlaces) {
		x, y = pairEqual(x, y, compareValues, func(fact, fact) {})
		for i := range max(len(x), len(y)) {
			var both [2]*fact
			if i < len(x) {
				both[0] = &x[i]
			}
			if i < len(y) {
				both[1] = &y[i]
			}
			at := cmp.Or(both[0], both[1]).Place
			if at.Part == Member && !c.noteMember(both) {
				continue
			}
			part := at
			if part.Entry = ""; at == part {
				whole = part
			} else if part == whole {
				continue
			}
			at.Set = name
			c.compareFact(at, both)
		}
	}
}

// compareFact adds the change of a fact that differs. One of the two may be missing.
func (c *comparison) compareFact(at Place, both [2]*fact) {
	switch a, b := both[0], both[1]; {
	case b == nil:
		c.onOne(0, at, c.of[0].text(a))
	case a == nil:
		c.onOne(1, at, c.of[1].text(b))
	case len(a.value) > 0 && len(b.value) > 0:
		c.change(at, c.of[0].text(a), c.of[1].text(b))
	}
}

// compareInfo compares SpiderInfo. The order of commands counts, too.
func (c *comparison) compareInfo() {
	var lists, commands [2][]fact
	for side, d := range c.of {
		if d.info.err != nil {
			return
		}
		for _, f := range d.info.list {
			if f.Part == Command && f.Entry == "" {
				commands[side] = append(commands[side], f)
			}
		}
		lists[side] = slices.SortedFunc(slices.Values(d.info.list), compareFacts)
	}
	before := len(c.changes)
	c.compareFacts(Set{}, lists[0], lists[1])
	sameURL := func(a, b fact) bool { return a.Key == b.Key }
	if len(c.changes) == before && !slices.EqualFunc(commands[0], commands[1], sameURL) {
		c.change(Place{Part: Info, Entry: "C"}, orderOf(commands[0]), orderOf(commands[1]))
	}
}

// orderOf returns the URLs of the first commands, as text.
func orderOf(commands []fact) string {
	const shown = 3
	var urls []string
	for _, f := range commands[:min(len(commands), shown)] {
		urls = append(urls, short(f.Key))
	}
	if len(commands) > shown {
		urls = append(urls, "…")
	}
	return strings.Join(urls, " ")
}

// compareCounts compares how often keys occur in two sorted lists. It skips IDs of pages if changes of content sets say
// the same.
func (c *comparison) compareCounts(part Part, noun string, keys [2][]nametree.Key, kind CauseKind) {
	lost := 0
	for a, b := range groups(keys[0], keys[1], cmp.Compare[nametree.Key]) {
		lost += max(len(a)-len(b), 0)
		at := Place{Part: part, Key: slices.Concat(a[:min(len(a), 1)], b[:min(len(b), 1)])[0]}
		switch more := len(a) - len(b); {
		case more == 0 || part == PageID && more == c.gone[at.Key]:
		case len(b) == 0:
			c.onOne(0, at, layout.Count(len(a), noun))
		case len(a) == 0:
			c.onOne(1, at, layout.Count(len(b), noun))
		default:
			c.change(at, layout.Count(len(a), noun), layout.Count(len(b), noun))
		}
	}
	c.cause(Cause{Kind: kind, Count: lost, Of: len(keys[0])})
}

// foundLinks returns the named destinations of links that a viewer finds, of those with the ID of a content set.
func (c *comparison) foundLinks(side int) (found []nametree.Key) {
	known := map[digest.ID]bool{}
	for _, d := range c.of {
		for i := range d.sets {
			if d.sets[i].hasID && len(d.named) > 0 {
				known[d.sets[i].id] = true
			}
		}
	}
	d := c.of[side]
	for _, name := range d.named {
		if _, ok := digest.Split(string(name), func(id digest.ID) bool { return known[id] }); !ok {
			continue
		}
		c.named[side][0]++
		if d.finds(name) {
			found = append(found, name)
		}
	}
	c.named[side][1] = len(found)
	return found
}
