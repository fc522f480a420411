package diff

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// compare orders content sets by S and ID, or by S and sources.
func (i *identity) compare(j *identity) int {
	switch {
	case i.hasID == j.hasID:
		return cmp.Or(cmp.Compare(i.subtype, j.subtype), bytes.Compare(i.id[:], j.id[:]))
	case i.hasID:
		return 1
	}
	return -1
}

func compareIdentities(s, t *set) int { return s.identity.compare(&t.identity) }

func compareSources(s, t *set) int {
	return cmp.Or(compareIdentities(s, t), bytes.Compare(s.sources[:], t.sources[:]))
}

func compareSets(s, t *set) int { return cmp.Or(compareSources(s, t), bytes.Compare(s.hash[:], t.hash[:])) }

// distinctSets returns the content sets in the order of compareSets, without those that repeat another one.
func (d *document) distinctSets() []*set {
	list := make([]*set, len(d.sets))
	for i := range d.sets {
		list[i] = &d.sets[i]
	}
	slices.SortStableFunc(list, compareSets)
	n := 0
	for _, s := range list {
		if s.same = s; n > 0 && compareSets(list[n-1], s) == 0 {
			s.same = list[n-1]
			continue
		}
		list[n] = s
		n++
	}
	return list[:n]
}

// compareSets pairs the content sets of both files, and adds the changes of those that differ. Content sets with the
// same identity are pairs if all facts are the same, then if their sources are the same, then in any case, because they
// are more likely changed than new.
func (c *comparison) compareSets() {
	a, b := c.of[0].distinctSets(), c.of[1].distinctSets()
	distinct := len(a)
	for _, compare := range []func(s, t *set) int{compareSets, compareSources, compareIdentities} {
		a, b = pairEqual(a, b, compare, c.pair)
	}
	c.compareAlone(0, a)
	c.compareAlone(1, b)
	c.cause(Cause{Kind: SetsDropped, Count: len(a), Of: distinct})
	position := func(i int) object.Ref { return c.differ[i][0].ref }
	for _, i := range c.of[0].File.OrderByPosition(len(c.differ), position) {
		var name Set
		var f [2]facts
		for side, d := range c.of {
			var cs webcapture.ContentSet
			n := d.reread(c.differ[i][side], &cs)
			if side == 0 {
				name = n
			}
			f[side].setFacts(d, &cs)
			d.fail(f[side].err)
		}
		if c.failed() {
			return
		}
		c.compareFacts(name, f[0].list, f[1].list)
	}
	c.comparePageOrder()
	c.cause(Cause{Kind: MembersNulled, Count: c.nulled, Of: len(c.of[0].members)})
}

// pair makes two content sets a pair, and notes which pages they have in common.
func (c *comparison) pair(s, t *set) {
	s.pair, t.pair = t, s
	if s.hash != t.hash {
		c.differ = append(c.differ, [2]*set{s, t})
	}
	inA, inB := c.of[0].membersOf(s), c.of[1].membersOf(t)
	for i := range min(len(inA), len(inB)) {
		if p, q := inA[i], inB[i]; p != nil && q != nil {
			c.moves[p.Number] = int32(q.Number)
		}
	}
}

// compareAlone adds the changes of content sets in one file only.
func (c *comparison) compareAlone(side int, alone []*set) {
	d := c.of[side]
	for _, i := range d.File.OrderByPosition(len(alone), func(i int) object.Ref { return alone[i].ref }) {
		var cs webcapture.ContentSet
		at := Place{Part: ContentSet, Set: d.reread(alone[i], &cs)}
		if c.failed() {
			return
		}
		c.onOne(side, at, layout.Count(int(alone[i].count), "member"))
		for _, pg := range d.membersOf(alone[i]) {
			if pg != nil {
				c.goes(side, pg.ID)
			}
		}
	}
}

// goes notes a change of a content set that says that a page with an ID is in one file only.
func (c *comparison) goes(side int, id string) { c.gone[nametree.Key(id)] += 1 - 2*side }

// noteMember notes what a difference of elements of O, or of their entries, says about pages. It returns false if it is
// unknown whether the elements differ.
func (c *comparison) noteMember(both [2]*fact) bool {
	for side, f := range both {
		if f == nil {
			continue
		}
		ref, _ := f.object.Ref()
		if f.Entry == "ID" && c.of[side].Page(ref) != nil {
			c.goes(side, string(f.value))
		}
	}
	a, b := both[0], both[1]
	if a == nil || b == nil || a.Entry != "" {
		return true
	}
	m, _ := a.object.Ref()
	n, _ := b.object.Ref()
	if !c.membersDiffer(m, n) {
		return false
	}
	if pg := c.of[0].Page(m); pg != nil {
		c.moves[pg.Number] = 0
	}
	if slices.Equal(b.value, []byte{byte(object.Null)}) {
		c.nulled++
	}
	return true
}

// membersDiffer reports whether two elements of O with different values are different. It returns false if they cannot
// be compared.
func (c *comparison) membersDiffer(m, n object.Ref) bool {
	p, q := c.of[0].Page(m), c.of[1].Page(n)
	x, y := c.of[0].Image(m), c.of[1].Image(n)
	switch {
	case p == nil && c.of[0].unread[m] || q == nil && c.of[1].unread[n]:
		return false
	case x != nil && y != nil:
		return c.imagesDiffer(x, y)
	case p == nil || q == nil:
		return true
	case p.Unread && p.Operators == match.Hash{} || q.Unread && q.Operators == match.Hash{}:
		return false
	case p.Operators != q.Operators:
		return true
	}
	for i := range min(len(p.Painted), len(q.Painted)) { // a page with unreadable resources has none
		if c.paintedDiffer(p.Painted[i], q.Painted[i]) {
			return true
		}
	}
	return false
}

// paintedDiffer reports whether two XObjects that pages paint are different.
func (c *comparison) paintedDiffer(m, n object.Ref) bool {
	a, b := c.of[0], c.of[1]
	if a.unread[m] || b.unread[n] || a.spend(1) {
		return false
	}
	x, y := a.Image(m), b.Image(n)
	if x != nil && y != nil {
		return c.imagesDiffer(x, y)
	}
	return x != nil || y != nil || a.Form(m) != b.Form(n)
}

// errEncoding means that two images have different encodings, so that their samples cannot be compared.
var errEncoding = &object.Malformed{Reason: "the image cannot be compared: the two files store its samples in " +
	"different forms"}

// imagesDiffer reports whether two images are different. It records each image that cannot be compared once.
func (c *comparison) imagesDiffer(x, y *match.Image) bool {
	likeness := x.Compare(y)
	switch {
	case likeness != match.Incomparable:
	case x.Undecoded != nil:
		c.of[0].notCompared(x, x.Undecoded)
	default:
		c.of[1].notCompared(y, cmp.Or(y.Undecoded, error(errEncoding)))
	}
	return likeness == match.Different
}

// notCompared records once why an image cannot be compared.
func (d *document) notCompared(im *match.Image, err error) {
	if !d.incomparable[im.Ref] {
		d.incomparable[im.Ref] = true
		d.Unread = append(d.Unread, rule.Unread{Place: rule.Place{Object: im.Ref}, Err: err})
	}
}

// comparePageOrder adds changes for pages in O that are before another one in one file and after it in the other.
func (c *comparison) comparePageOrder() {
	moved := make([]bool, len(c.moves))
	last, next := int32(0), int32(math.MaxInt32) // page numbers in B of the pages so far
	for a, b := range c.moves {
		moved[a] = b != 0 && b < last
		last = max(last, b)
	}
	for a, b := range slices.Backward(c.moves) {
		if b != 0 {
			moved[a] = moved[a] || b > next
			next = min(next, b)
		}
	}
	if !slices.Contains(moved, true) {
		return
	}
	for i := range c.of[0].sets {
		s := &c.of[0].sets[i]
		if s.pair == nil {
			continue
		}
		inA, inB := c.of[0].membersOf(s), c.of[1].membersOf(s.pair)
		for i := range min(len(inA), len(inB)) {
			p, q := inA[i], inB[i]
			if p == nil || q == nil || !moved[p.Number] || int(c.moves[p.Number]) != q.Number {
				continue
			}
			var cs webcapture.ContentSet
			at := Place{Part: Member, Set: c.of[0].reread(s, &cs), Index: i}
			if c.failed() {
				return
			}
			c.change(at, c.of[0].describe(object.MakeRef(p.Ref)), c.of[1].describe(object.MakeRef(q.Ref)))
		}
	}
}
