package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// compareMembers compares the elements of O by their index. It returns the indexes of those that differ, and of pages
// that differ only in PZ or ID.
func (c *comparison) compareMembers(p [2]*set) (differ, tagged []int) {
	inA, inB := c.of[0].membersOf(p[0]), c.of[1].membersOf(p[1])
	for i := range max(len(inA), len(inB)) {
		if i >= len(inA) || i >= len(inB) || !c.isSame(inA[i], inB[i]) {
			differ = append(differ, i)
			continue
		}
		a, b := c.of[0].Page(inA[i].ref), c.of[1].Page(inB[i].ref)
		if a == nil || b == nil {
			continue
		}
		c.moves[a.Number] = int32(b.Number)
		if c.of[0].zooms[a.Ref] != c.of[1].zooms[b.Ref] || c.haveExchangedIDs(a, b) {
			tagged = append(tagged, i)
		}
	}
	return differ, tagged
}

// isSame reports whether two elements of O are the same. It returns true for elements that cannot be compared.
func (c *comparison) isSame(m, n member) bool {
	a, b := c.of[0], c.of[1]
	p, q := a.Page(m.ref), b.Page(n.ref)
	switch {
	case p == nil && a.unread[m.ref] || q == nil && b.unread[n.ref]:
		return true
	case p != nil && q != nil:
		return c.isSamePage(p, q)
	case p != nil || q != nil:
		return false
	}
	x, y := a.Image(m.ref), b.Image(n.ref)
	switch {
	case x != nil && y != nil:
		return x.ID == y.ID && c.isSameImage(x, y)
	case x != nil || y != nil:
		return false
	}
	return a.otherOf(m) == b.otherOf(n)
}

// isSamePage reports whether two pages are the same. If their numbers differ, so that pages were inserted or removed,
// their IDs must be equal. Pages with the same ID and operators are told apart by their order.
func (c *comparison) isSamePage(p, q *match.Page) bool {
	switch {
	case p.Unread && p.Operators == match.Hash{} || q.Unread && q.Operators == match.Hash{}:
		return true
	case p.Operators != q.Operators:
		return false
	case p.Number != q.Number && (p.ID != q.ID || c.of[0].rank(p) != c.of[1].rank(q)):
		return false
	}
	for i := range min(len(p.Painted), len(q.Painted)) { // a page with unreadable resources has none
		if !c.isSamePainted(p.Painted[i], q.Painted[i]) {
			return false
		}
	}
	return true
}

// rank returns the number of earlier pages with the same ID and operators.
func (d *document) rank(pg *match.Page) int32 {
	type key struct {
		id        string
		operators match.Hash
	}
	if d.ranks == nil {
		d.ranks = make([]int32, d.pages+1)
		count := map[key]int32{}
		for _, pg := range d.Pages {
			k := key{pg.ID, pg.Operators}
			d.ranks[pg.Number] = count[k]
			count[k]++
		}
	}
	return d.ranks[pg.Number]
}

// isSamePainted reports whether two XObjects that pages paint are the same. It returns true for XObjects that cannot be
// compared.
func (c *comparison) isSamePainted(m, n object.Ref) bool {
	a, b := c.of[0], c.of[1]
	if a.unread[m] || b.unread[n] || a.spend(1) {
		return true
	}
	x, y := a.Image(m), b.Image(n)
	if x != nil && y != nil {
		return c.isSameImage(x, y)
	}
	return x == nil && y == nil && a.Form(m) == b.Form(n)
}

// errEncoding means that two images have different encodings, so that their samples cannot be compared.
var errEncoding = &object.Malformed{Reason: "the image cannot be compared: the two files store its samples in " +
	"different forms"}

// isSameImage reports whether two images are the same. It returns true for images that cannot be compared, and records
// each of them once.
func (c *comparison) isSameImage(x, y *match.Image) bool {
	likeness := x.Compare(y)
	switch {
	case likeness != match.Incomparable:
	case x.Undecoded != nil:
		c.of[0].notCompared(x, x.Undecoded)
	default:
		c.of[1].notCompared(y, cmp.Or(y.Undecoded, error(errEncoding)))
	}
	return likeness != match.Different
}

// notCompared records once why an image cannot be compared.
func (d *document) notCompared(im *match.Image, err error) {
	if !d.incomparable[im.Ref] {
		d.incomparable[im.Ref] = true
		d.Unread = append(d.Unread, rule.Unread{Place: rule.Place{Object: im.Ref}, Err: err})
	}
}

// otherOf returns the kind and ID of a member that is neither a page nor an image.
func (d *document) otherOf(m member) other {
	if m.ref.Num == 0 {
		return other{kind: m.kind}
	}
	return d.others[m.ref]
}

func (d *document) isNull(m member) bool {
	return d.Page(m.ref) == nil && d.Image(m.ref) == nil && !d.unread[m.ref] && d.otherOf(m).kind == object.Null
}

// haveExchangedIDs reports whether two pages, which are the same page, have different IDs, and B has as many pages with
// the ID of the page in A as A. pageIDs reports other differences of page IDs.
func (c *comparison) haveExchangedIDs(a, b *match.Page) bool {
	return a.ID != b.ID && a.ID != "" && b.ID != "" && c.of[0].countOf(a.ID) == c.of[1].countOf(a.ID)
}

// countOf returns the number of pages with an ID.
func (d *document) countOf(id string) int {
	i, _ := slices.BinarySearch(d.tagged, nametree.Key(id))
	return runOf(d.tagged[i:], nametree.Key(id))
}

// members adds the changes of members, given by indexes.
func (c *comparison) members(name Set, p [2]*set, differ, tagged []int) {
	inA, inB := c.of[0].membersOf(p[0]), c.of[1].membersOf(p[1])
	at := Place{Part: Member, Set: name}
	for _, at.Index = range differ {
		switch i := at.Index; {
		case i >= len(inB):
			c.add(Lost, at, c.of[0].describe(inA[i], false), "")
		case i >= len(inA):
			c.add(Added, at, "", c.of[1].describe(inB[i], false))
		default:
			c.noteNull(name, inA[i], inB[i])
			c.changedMember(at, inA[i], inB[i])
		}
	}
	for _, at.Index = range tagged {
		a, b := c.of[0].Page(inA[at.Index].ref), c.of[1].Page(inB[at.Index].ref)
		if x, y := c.of[0].zooms[a.Ref], c.of[1].zooms[b.Ref]; x != y {
			at.Entry = "PZ"
			c.add(Changed, at, zoomText(x), zoomText(y))
		}
		if c.haveExchangedIDs(a, b) {
			at.Entry = "ID"
			c.add(Changed, at, short(nametree.Key(a.ID)), short(nametree.Key(b.ID)))
		}
	}
}

// noteNull counts a member that is null in one of the files.
func (c *comparison) noteNull(name Set, m, n member) {
	id := nametree.Key(name.ID[:])
	switch {
	case c.of[1].isNull(n):
		c.nulled++
		if c.of[0].Page(m.ref) != nil {
			c.gone[id]++
		}
	case c.of[0].isNull(m) && c.of[1].Page(n.ref) != nil:
		c.gone[id]--
	}
}

// changedMember adds the change of a member. The texts have the content of pages only if they are equal otherwise.
func (c *comparison) changedMember(at Place, m, n member) {
	a, b := c.of[0].describe(m, false), c.of[1].describe(n, false)
	if a == b {
		a, b = c.of[0].describe(m, true), c.of[1].describe(n, true)
	}
	c.add(Changed, at, a, b)
}

// describe describes a member in words.
func (d *document) describe(m member, content bool) string {
	if pg := d.Page(m.ref); pg != nil {
		text := fmt.Sprintf("page %d", pg.Number)
		if content {
			sum := d.Document.Content(pg)
			text += fmt.Sprintf(", content %x", sum[:4])
		}
		return text
	}
	im, o := d.Image(m.ref), d.otherOf(m)
	text, id := o.kind.String(), o.id
	switch {
	case im != nil:
		text, id = fmt.Sprintf("image of %d × %d", im.Width, im.Height), nametree.Key(im.ID)
	case d.unread[m.ref]:
		return "unreadable"
	case o.kind == object.Dictionary:
		text = "dictionary outside the page tree"
	case o.kind == object.Stream:
		text = "stream that is not an image"
	}
	if id != "" {
		text += ", ID " + short(id)
	}
	if im != nil && im.Data != (match.Hash{}) {
		text += fmt.Sprintf(", data %x", im.Data[:4])
	}
	return text
}

// movedPages adds changes for members that are moved pages. A page has moved if another page is before it in one file
// and after it in the other. Pages that are added or removed before it do not move it.
func (c *comparison) movedPages() error {
	moved := c.findMoved()
	if len(moved) == 0 {
		return nil
	}
	for _, p := range c.pairs {
		inA, inB := c.of[0].membersOf(p[0]), c.of[1].membersOf(p[1])
		for i := range min(len(inA), len(inB)) {
			a, b := c.of[0].Page(inA[i].ref), c.of[1].Page(inB[i].ref)
			if a == nil || b == nil || !moved[a.Number] || int(c.moves[a.Number]) != b.Number {
				continue
			}
			name, err := c.of[0].name(p[0])
			if err != nil {
				return err
			}
			c.add(Changed, Place{Part: Member, Set: name, Index: i}, c.of[0].describe(inA[i], false),
				c.of[1].describe(inB[i], false))
		}
	}
	return nil
}

// findMoved returns the numbers in A of the moved pages.
func (c *comparison) findMoved() map[int]bool {
	moved := map[int]bool{}
	last := int32(0) // highest page number in B so far
	for a, b := range c.moves {
		if b != 0 && b < last {
			moved[a] = true
		}
		last = max(last, b)
	}
	first := int32(math.MaxInt32) // lowest page number in B so far, from the end
	for a, b := range slices.Backward(c.moves) {
		if b == 0 {
			continue
		}
		if b > first {
			moved[a] = true
		}
		first = min(first, b)
	}
	return moved
}

func zoomText(zoom float64) string {
	if zoom == 0 {
		return "none"
	}
	return strconv.FormatFloat(zoom, 'g', -1, 32)
}
