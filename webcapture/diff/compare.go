package diff

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// comparison compares two documents. Arrays of two hold the values of A, then of B.
type comparison struct {
	of [2]*document

	changes []Change
	causes  []Cause
}

// run compares the documents. It stops if reading one of them again fails: see document.err.
func (c *comparison) run() {
	a, b := c.of[0], c.of[1]
	known := c.knownIDs()
	a.keepFound(known)
	b.keepFound(known)
	if !a.Database.Present() && !b.Database.Present() || a.over || b.over {
		return
	}
	whole := (a.entries() == 0) == (b.entries() == 0) // otherwise, the trees tell all about content sets and keys
	if whole {
		c.compareSets()
		c.comparePageOrder()
	}
	for name := range webcapture.TreeCount {
		c.compareTree(name)
	}
	c.compareInfo()
	if a.Database.Present() && !b.Database.Present() && len(c.changes) > 0 {
		c.causes = []Cause{{Kind: DatabaseDropped}}
	}
	c.compareCounts(PageID, "page", a.pageIDs(!whole), b.pageIDs(!whole))
	c.compareCounts(RetainedLink, "link", a.retained, b.retained)
	c.compareCounts(Destination, "link", a.found, b.found)
	c.countLosses()
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
		Report: d.report, Pages: len(d.contents), Tagged: len(d.pageIDs(true)), Retained: len(d.retained),
		Named: len(d.named), Found: len(d.found),
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

// cause adds a cause if its count is positive.
func (c *comparison) cause(cause Cause) {
	if cause.Count > 0 {
		c.causes = append(c.causes, cause)
	}
}

// countLosses adds the causes with counts of changes, or of totals of the files.
func (c *comparison) countLosses() {
	sets, nulls := 0, 0
	for i := range c.changes {
		switch change := &c.changes[i]; {
		case change.Place.Entry != "":
		case change.Place.Part == ContentSet && change.Kind == Lost:
			sets++
		case change.Place.Part == Member && change.B == "null":
			nulls++
		}
	}
	a, b := c.summary(0), c.summary(1)
	c.cause(Cause{Kind: SetsDropped, Count: sets, Of: len(c.of[0].sets)})
	c.cause(Cause{Kind: MembersNulled, Count: nulls, Of: c.of[0].members})
	c.cause(Cause{Kind: LinksBroken, Count: a.Found - b.Found, Of: a.Found})
	c.cause(Cause{Kind: PageIDsDropped, Count: a.Tagged - b.Tagged, Of: a.Tagged})
	c.cause(Cause{Kind: RetainedURLsLost, Count: a.Retained - b.Retained, Of: a.Retained})
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
	if a, b := len(lists[0]), len(lists[1]); a == 0 || b == 0 {
		lists[0], lists[1] = lists[0][:min(a, 1)], lists[1][:min(b, 1)]
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

// comparePageOrder compares the order of pages in O of content sets. It ignores pages that are in one file only, and
// shows the first difference.
func (c *comparison) comparePageOrder() {
	type page struct {
		content match.Hash
		id      nametree.Key
	}
	var order [2][]page
	var has [2]map[page]bool
	for side, d := range c.of {
		has[side] = map[page]bool{}
		for _, pg := range d.Pages {
			if p := (page{d.contents[pg.Number-1], nametree.Key(pg.ID)}); pg.Listed {
				order[side] = append(order[side], p)
				has[side][p] = true
			}
		}
	}
	for side := range order {
		order[side] = slices.DeleteFunc(order[side], func(p page) bool { return !has[1-side][p] })
	}
	for i := range min(len(order[0]), len(order[1])) {
		if p, q := order[0][i], order[1][i]; p != q {
			describe := func(p page) string { return fmt.Sprintf("page with ID %s, content %x", short(p.id), p.content) }
			c.change(Place{Part: PageOrder}, describe(p), describe(q))
			return
		}
	}
}

// compareCounts compares how often keys occur in two sorted lists.
func (c *comparison) compareCounts(part Part, noun string, inA, inB []nametree.Key) {
	for a, b := range groups(inA, inB, cmp.Compare[nametree.Key]) {
		at := Place{Part: part, Key: slices.Concat(a, b)[0]}
		switch {
		case len(a) == len(b):
		case len(b) == 0:
			c.onOne(0, at, layout.Count(len(a), noun))
		case len(a) == 0:
			c.onOne(1, at, layout.Count(len(b), noun))
		default:
			c.change(at, layout.Count(len(a), noun), layout.Count(len(b), noun))
		}
	}
}

// pageIDs returns the IDs of all pages, or of those in no content set, sorted.
func (d *document) pageIDs(all bool) (ids []nametree.Key) {
	for _, pg := range d.Pages {
		if pg.ID != "" && (all || !pg.Listed) {
			ids = append(ids, nametree.Key(pg.ID))
		}
	}
	slices.Sort(ids)
	return ids
}

// knownIDs returns the IDs of all content sets.
func (c *comparison) knownIDs() map[digest.ID]bool {
	known := map[digest.ID]bool{}
	for _, d := range c.of {
		for i := range d.sets {
			if d.sets[i].hasID && len(c.of[0].named)+len(c.of[1].named) > 0 {
				known[d.sets[i].id] = true
			}
		}
	}
	return known
}

// keepFound removes links to destinations without the ID of a content set, and notes those that a viewer finds.
func (d *document) keepFound(known map[digest.ID]bool) {
	isSet := func(id digest.ID) bool { return known[id] }
	d.named = slices.DeleteFunc(d.named, func(name nametree.Key) bool {
		_, ok := digest.Split(string(name), isSet)
		return !ok
	})
	for _, name := range d.named {
		if d.finds(name) {
			d.found = append(d.found, name)
		}
	}
}
