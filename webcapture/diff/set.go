package diff

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// set is a content set. Only its identity and hashes are kept.
type set struct {
	ref           object.Ref // Num 0 for a direct object
	subtype       webcapture.Subtype
	hasID         bool
	id            digest.ID  // without ID, hash of the sources
	hash, sources match.Hash // of all facts, and of those about sources
}

// name returns the identity of a content set, as text that is the same in both files.
func (s *set) name() string {
	text := Set{Subtype: s.subtype, ID: s.id, HasID: s.hasID}.String()
	if !s.hasID {
		text += fmt.Sprintf(", sources %x", s.id[:4])
	}
	return text
}

// compareIdentities orders content sets by S and ID; those without ID by S and sources.
func compareIdentities(s, t *set) int {
	return cmp.Or(cmp.Compare(s.subtype, t.subtype), bytes.Compare(s.id[:], t.id[:]))
}

func compareSources(s, t *set) int {
	return cmp.Or(compareIdentities(s, t), bytes.Compare(s.sources[:], t.sources[:]))
}

func compareSets(s, t *set) int {
	return cmp.Or(compareSources(s, t), bytes.Compare(s.hash[:], t.hash[:]))
}

// distinctSets returns the content sets in the order of compareSets, without those that repeat another one.
func (d *document) distinctSets() []*set {
	list := make([]*set, len(d.sets))
	for i := range d.sets {
		list[i] = &d.sets[i]
	}
	slices.SortFunc(list, compareSets)
	return slices.CompactFunc(list, func(s, t *set) bool { return compareSets(s, t) == 0 })
}

// compareSets pairs the content sets of both files, and adds the changes. Those with the same identity are pairs if all
// facts are the same, then if the sources are, then in any case, because they are more likely changed than new.
func (c *comparison) compareSets() {
	a, b := c.of[0].distinctSets(), c.of[1].distinctSets()
	var inA, inB []*set // those that differ
	for _, compare := range []func(s, t *set) int{compareSets, compareSources, compareIdentities} {
		a, b = pairEqual(a, b, compare, func(s, t *set) {
			if s.hash != t.hash {
				inA, inB = append(inA, s), append(inB, t)
			}
		})
	}
	for side, alone := range [2][]*set{a, b} {
		c.reread(side, alone, func(i int, name Set, cs *webcapture.ContentSet) {
			c.of[side].alone[alone[i].hash] = true
			n := len(slices.Collect(cs.Members()))
			c.onOne(side, Place{Part: ContentSet, Set: name}, layout.Count(n, "member"))
		})
	}
	c.reread(0, inA, func(i int, name Set, cs *webcapture.ContentSet) {
		f := facts{of: c.of[0]}
		f.set(cs)
		c.of[0].fail(f.err)
		c.reread(1, inB[i:i+1], func(_ int, _ Set, cs *webcapture.ContentSet) {
			g := facts{of: c.of[1]}
			g.set(cs)
			if c.of[1].fail(g.err); !c.failed() {
				c.compareFacts(name, f.list, g.list)
			}
		})
	})
}

// reread reads content sets of a file again. It calls do for each, given its index and name.
func (c *comparison) reread(side int, sets []*set, do func(int, Set, *webcapture.ContentSet)) {
	d := c.of[side]
	for _, i := range d.File.OrderByPosition(len(sets), func(i int) object.Ref { return sets[i].ref }) {
		s := sets[i]
		o, isDirect := d.direct[s.hash]
		if !isDirect {
			o = object.MakeRef(s.ref)
		}
		var cs webcapture.ContentSet
		d.fail(d.Reader.Read(o, &cs))
		name := Set{Subtype: s.subtype, HasID: s.hasID}
		if s.hasID {
			name.ID = s.id
		}
		for k := 0; k < len(cs.Sources) && name.URL == ""; k++ {
			name.URL = urlOf(&cs.Sources[k])
		}
		if c.failed() {
			return
		}
		do(i, name, &cs)
	}
}

// compareFacts adds changes for two sorted lists of facts about one object. If a source, a command, or an element of O
// differs as a whole, its entries are not reported.
func (c *comparison) compareFacts(name Set, a, b []fact) {
	var whole Place
	isPart := func(at Place) bool {
		part := at
		if part.Entry = ""; part == whole && at != part || at.Part == Command && whole.Part == Info {
			return true
		}
		if at == part {
			whole = part
		}
		return false
	}
	for x, y := range groups(a, b, comparePlaces) {
		x, y = pairEqual(x, y, compareValues, func(fact, fact) {})
		n := min(len(x), len(y))
		for i := range n {
			at, v, w := x[i].Place, string(x[i].value), string(y[i].value)
			unknown := v == unreadable || w == unreadable
			if at.Set = name; !isPart(x[i].Place) && !unknown {
				c.change(at, v, w)
			}
		}
		for side, rest := range [2][]fact{x[n:], y[n:]} {
			for same := range groups(rest, nil, compareValues) {
				at, text := same[0].Place, string(same[0].value)
				if at.Part >= PageID {
					text = layout.Count(len(same), text)
				}
				if at.Set = name; !isPart(same[0].Place) {
					c.onOne(side, at, text)
				}
			}
		}
	}
}
