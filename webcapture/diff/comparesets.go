package diff

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// sets compares the content sets.
func (c *comparison) sets() error {
	if c.emptied {
		return nil
	}
	for side, f := range c.of {
		alone := c.alone[side]
		for _, k := range f.file.OrderByPosition(len(alone), func(k int) object.Ref { return f.sets[alone[k]].ref }) {
			i := alone[k]
			name, err := f.name(i)
			if err != nil {
				return err
			}
			c.onOne(side, Place{Part: ContentSet, Set: name}, layout.Count(int(f.sets[i].count), "member"))
		}
	}
	members := 0
	for _, p := range c.pairs {
		if err := c.set(p); err != nil {
			return err
		}
		for _, m := range c.of[0].membersOf(&c.of[0].sets[p[0]]) {
			if !c.of[0].isNull(&m) {
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

// set compares a content set that is in both files.
func (c *comparison) set(p [2]int32) error {
	a, b := &c.of[0].sets[p[0]], &c.of[1].sets[p[1]]
	inA, inB := c.of[0].membersOf(a), c.of[1].membersOf(b)
	var differ, tagged []int // indexes of members; tagged ones differ in PZ or ID
	for i := range max(len(inA), len(inB)) {
		same := i < len(inA) && i < len(inB)
		if same {
			var err error
			if same, err = c.sameMember(&inA[i], &inB[i]); err != nil {
				return err
			}
			if same {
				c.moves.note(inA[i].page, inB[i].page)
			}
		}
		if !same {
			differ = append(differ, i)
		} else if c.zoomDiffers(&inA[i], &inB[i]) || c.hasOtherID(&inA[i], &inB[i]) {
			tagged = append(tagged, i)
		}
	}
	if a.hash == b.hash && len(differ)+len(tagged) == 0 {
		return nil
	}
	name, err := c.of[0].name(p[0])
	if err != nil {
		return err
	}
	if a.hash != b.hash {
		if err := c.setEntries(name, p, a.sources != b.sources); err != nil {
			return err
		}
	}
	for _, i := range differ {
		at := Place{Part: Member, Set: name, Index: i}
		switch {
		case i >= len(inB):
			c.add(Lost, at, c.of[0].describe(&inA[i]), "")
		case i >= len(inA):
			c.add(Added, at, "", c.of[1].describe(&inB[i]))
		default:
			if err := c.member(at, &inA[i], &inB[i]); err != nil {
				return err
			}
		}
	}
	for _, i := range tagged {
		c.tags(Place{Part: Member, Set: name, Index: i}, &inA[i], &inB[i])
	}
	return nil
}

// tags adds changes of the PZ and the ID of a page.
func (c *comparison) tags(at Place, m, n *member) {
	if c.zoomDiffers(m, n) {
		at.Entry = "PZ"
		c.add(Changed, at, zoomText(c.of[0].pages.zoom(m.page)), zoomText(c.of[1].pages.zoom(n.page)))
	}
	if c.hasOtherID(m, n) {
		at.Entry = "ID"
		c.add(Changed, at, short(c.of[0].pages.id(m.page)), short(c.of[1].pages.id(n.page)))
	}
}

// setEntries reads a content set again in both files, and compares the entries.
func (c *comparison) setEntries(name Set, p [2]int32, sources bool) error {
	var cs [2]webcapture.ContentSet
	for side, f := range c.of {
		if err := f.reread(p[side], &cs[side]); err != nil {
			return err
		}
	}
	for _, key := range setEntries {
		var forms [2][]byte
		for side, f := range c.of {
			var err error
			if forms[side], err = f.hasher.appendEntry(nil, &cs[side], key); err != nil {
				return &contentError{f, err}
			}
		}
		c.entry(Place{Part: SetEntry, Set: name, Entry: key}, forms,
			[2]object.Object{cs[0].Entry(key), cs[1].Entry(key)})
	}
	if sources {
		return c.sources(name, &cs)
	}
	return nil
}

// entry adds a change for an entry if its forms differ.
func (c *comparison) entry(at Place, forms [2][]byte, o [2]object.Object) {
	if string(forms[0]) == string(forms[1]) {
		return
	}
	a, b := c.of[0].text(o[0]), c.of[1].text(o[1])
	switch {
	case a == null:
		c.add(Added, at, "", b)
	case b == null:
		c.add(Lost, at, a, "")
	default:
		c.add(Changed, at, a, b)
	}
}

// sources compares the sources of a content set. It pairs sources with the same content, then sources with the same
// URL.
func (c *comparison) sources(name Set, cs *[2]webcapture.ContentSet) error {
	var hashes [2][]contentHash
	for side, f := range c.of {
		var err error
		if hashes[side], err = f.hasher.ofSources(&cs[side]); err != nil {
			return &contentError{f, err}
		}
	}
	left := unequal(hashes[0], hashes[1])
	url := func(side, i int) nametree.Key {
		for _, u := range cs[side].Sources[i].URLs() {
			return nametree.Key(u)
		}
		return ""
	}
	pairs, left := byKey(left, url)
	for _, p := range pairs {
		at := Place{Part: Source, Set: name, Key: url(0, p[0])}
		if err := c.source(at, &cs[0].Sources[p[0]], &cs[1].Sources[p[1]]); err != nil {
			return err
		}
	}
	for side := range left {
		for _, i := range left[side] {
			c.onOne(side, Place{Part: Source, Set: name, Key: url(side, i)}, "")
		}
	}
	return nil
}

// source compares two sources with the same URL.
func (c *comparison) source(at Place, a, b *webcapture.SourceInfo) error {
	for _, at.Entry = range sourceEntries {
		var forms [2][]byte
		for side, si := range []*webcapture.SourceInfo{a, b} {
			var err error
			if forms[side], err = c.of[side].hasher.appendSource(nil, si, at.Entry); err != nil {
				return &contentError{c.of[side], err}
			}
		}
		if at.Entry != "AU" {
			c.entry(at, forms, [2]object.Object{a.Entry(at.Entry), b.Entry(at.Entry)})
		} else if string(forms[0]) != string(forms[1]) {
			c.add(Changed, at, urlsOf(a), urlsOf(b))
		}
	}
	return nil
}

// urlsOf returns the destination of a source and the redirects to it, as text.
func urlsOf(si *webcapture.SourceInfo) string {
	const shown = 4
	text, n := "", 0
	for role, url := range si.URLs() {
		switch n++; {
		case n > shown:
			continue
		case role == webcapture.Redirect:
			text += " by way of "
		}
		text += short(nametree.Key(url))
	}
	if n > shown {
		text += fmt.Sprintf(" and %d more", n-shown)
	}
	return text
}

// unequal pairs equal elements of two lists, and returns the indexes of the unpaired elements of each list.
func unequal(a, b []contentHash) (left [2][]int) {
	count := map[contentHash]int{}
	for _, s := range b {
		count[s]++
	}
	both := map[contentHash]int{}
	for i, s := range a {
		if count[s] == 0 {
			left[0] = append(left[0], i)
			continue
		}
		count[s]--
		both[s]++
	}
	for i, s := range b {
		if both[s] == 0 {
			left[1] = append(left[1], i)
			continue
		}
		both[s]--
	}
	return left
}

// byKey pairs elements with the same key, in order, and returns the unpaired ones.
func byKey(list [2][]int, key func(side, i int) nametree.Key) (pairs [][2]int, left [2][]int) {
	in := map[nametree.Key][]int{}
	for _, i := range list[1] {
		in[key(1, i)] = append(in[key(1, i)], i)
	}
	paired := map[int]bool{}
	for _, i := range list[0] {
		k := key(0, i)
		if len(in[k]) == 0 {
			left[0] = append(left[0], i)
			continue
		}
		pairs = append(pairs, [2]int{i, in[k][0]})
		paired[in[k][0]] = true
		in[k] = in[k][1:]
	}
	for _, i := range list[1] {
		if !paired[i] {
			left[1] = append(left[1], i)
		}
	}
	return pairs, left
}
