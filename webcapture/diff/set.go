package diff

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// compareIdentities orders content sets by S and ID.
func compareIdentities(a, b *set) int {
	return cmp.Or(cmp.Compare(a.subtype, b.subtype), compareBools(a.hasID, b.hasID), bytes.Compare(a.id[:], b.id[:]))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func compareSources(a, b *set) int { return bytes.Compare(a.sources[:], b.sources[:]) }

// compareContents orders content sets with the same identity by their sources and other entries.
func compareContents(a, b *set) int {
	return cmp.Or(compareSources(a, b), bytes.Compare(a.hash[:], b.hash[:]))
}

// pairSets pairs the content sets that are in both files, and numbers all content sets. Two have the same number if and
// only if they are the same content set. Pairs are numbered first, then the content sets that are in only one file.
// Both files are compared as sorted streams.
func (c *comparison) pairSets() {
	var distinct [2][]*set
	for side, d := range c.of {
		distinct[side] = d.distinctSets()
	}
	a, b := distinct[0], distinct[1]
	c.pairs = make([][2]*set, 0, min(len(a), len(b)))
	for len(a) > 0 && len(b) > 0 {
		switch order := compareIdentities(a[0], b[0]); {
		case order < 0:
			a = a[1:]
		case order > 0:
			b = b[1:]
		default:
			inA, inB := sameIdentity(a), sameIdentity(b)
			c.pairGroup(a[:inA], b[:inB])
			a, b = a[inA:], b[inB:]
		}
	}
	next := value(len(c.pairs))
	for side, d := range c.of {
		for _, s := range distinct[side] {
			if s.number < 0 {
				c.alone[side] = append(c.alone[side], s)
				s.number = next
				next++
			}
		}
		for i := range d.sets {
			d.sets[i].number = d.sets[d.sets[i].same].number
		}
	}
}

// distinctSets returns the content sets without those that repeat another one, in the order of their identities and
// contents.
func (d *document) distinctSets() (distinct []*set) {
	order := make([]int32, len(d.sets))
	for i := range order {
		order[i] = int32(i)
	}
	compare := func(i, j int32) int {
		s, t := &d.sets[i], &d.sets[j]
		if order := cmp.Or(compareIdentities(s, t), compareContents(s, t)); order != 0 {
			return order
		}
		return slices.CompareFunc(d.membersOf(s), d.membersOf(t), func(m, n member) int {
			return cmp.Or(m.ref.Compare(n.ref), cmp.Compare(m.kind, n.kind))
		})
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Or(compare(i, j), cmp.Compare(i, j)) })
	distinct = make([]*set, 0, len(order))
	for k, i := range order {
		s := &d.sets[i]
		if s.number, s.same = -1, i; k > 0 && compare(order[k-1], i) == 0 {
			s.same = d.sets[order[k-1]].same
		} else {
			distinct = append(distinct, s)
		}
	}
	return distinct
}

// sameIdentity returns how many content sets at the start of a list share S and ID.
func sameIdentity(list []*set) int {
	n := 1
	for n < len(list) && compareIdentities(list[0], list[n]) == 0 {
		n++
	}
	return n
}

// pairGroup pairs content sets that share S and ID, or that have no ID. It pairs those with the same content, then
// those with the same sources. If they have an ID, it also pairs the others, because they are more likely changed than
// new.
func (c *comparison) pairGroup(a, b []*set) {
	hasID := a[0].hasID
	if len(a) > 1 || len(b) > 1 || !hasID {
		a, b = c.pairEqual(a, b, compareContents)
		a, b = c.pairEqual(a, b, compareSources)
	}
	for hasID && len(a) > 0 && len(b) > 0 {
		c.pair(a[0], b[0])
		a, b = a[1:], b[1:]
	}
}

// pairEqual pairs the content sets of two lists that are equal by compare, and returns the others. Both lists must be
// in the order of compare.
func (c *comparison) pairEqual(a, b []*set, compare func(s, t *set) int) (restA, restB []*set) {
	for len(a) > 0 && len(b) > 0 {
		switch order := compare(a[0], b[0]); {
		case order < 0:
			restA, a = append(restA, a[0]), a[1:]
		case order > 0:
			restB, b = append(restB, b[0]), b[1:]
		default:
			c.pair(a[0], b[0])
			a, b = a[1:], b[1:]
		}
	}
	return append(restA, a...), append(restB, b...)
}

func (c *comparison) pair(a, b *set) {
	a.number, b.number = value(len(c.pairs)), value(len(c.pairs))
	c.pairs = append(c.pairs, [2]*set{a, b})
}

// compareSets adds the changes of content sets.
func (c *comparison) compareSets() error {
	for side, d := range c.of {
		alone := c.alone[side]
		position := func(i int) object.Ref { return alone[i].ref }
		for _, i := range d.File.OrderByPosition(len(alone), position) {
			name, err := d.name(alone[i])
			if err != nil {
				return err
			}
			c.onOne(side, Place{Part: ContentSet, Set: name}, layout.Count(int(alone[i].count), "member"))
		}
	}
	members := 0
	for _, p := range c.pairs {
		if err := c.compareSet(p); err != nil {
			return err
		}
		for _, m := range c.of[0].membersOf(p[0]) {
			if !c.of[0].isNull(m) {
				members++
			}
		}
	}
	if err := c.movedPages(); err != nil {
		return err
	}
	c.cause(Cause{Kind: SetsDropped, Count: len(c.alone[0]), Of: len(c.alone[0]) + len(c.pairs)})
	c.cause(Cause{Kind: MembersNulled, Count: c.nulled, Of: members})
	return nil
}

// compareSet adds the changes of a content set that is in both files.
func (c *comparison) compareSet(p [2]*set) error {
	differ, tagged := c.compareMembers(p)
	if p[0].hash == p[1].hash && len(differ)+len(tagged) == 0 {
		return nil
	}
	name, err := c.of[0].name(p[0])
	if err != nil {
		return err
	}
	c.members(name, p, differ, tagged)
	if p[0].hash == p[1].hash {
		return nil
	}
	var cs [2]webcapture.ContentSet
	for side, d := range c.of {
		if err := d.reread(p[side], &cs[side]); err != nil {
			return err
		}
	}
	err = c.entries(Place{Part: SetEntry, Set: name}, setEntries,
		[2]func(string) object.Object{cs[0].Entry, cs[1].Entry})
	if err != nil || p[0].sources == p[1].sources {
		return err
	}
	return c.sources(name, &cs)
}
