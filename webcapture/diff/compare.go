package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A comparison holds one content against another. What it says of the files in
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
	emptied bool                 // one of the files has no entries: what the other's lead to is not listed
	named   [2][2]int            // links to destinations that were made with an ID, and those that lead somewhere
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
	c.cause(Cause{Kind: SetsDropped, Count: len(c.alone[0]), Of: len(c.alone[0]) + len(c.pairs)})
	c.cause(Cause{Kind: MembersNulled, Count: c.nulled, Of: members})
	return nil
}

// set compares a set that is in both files.
func (c *comparison) set(p [2]int32) error {
	a, b := &c.of[0].sets[p[0]], &c.of[1].sets[p[1]]
	inA, inB := c.of[0].membersOf(a), c.of[1].membersOf(b)
	var differ []int // members
	for i := range max(len(inA), len(inB)) {
		same := i < len(inA) && i < len(inB)
		if same {
			var err error
			if same, err = c.sameMember(&inA[i], &inB[i]); err != nil {
				return err
			}
		}
		if !same {
			differ = append(differ, i)
		}
	}
	if a.hash == b.hash && len(differ) == 0 {
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
			c.member(at, &inA[i], &inB[i])
		}
	}
	return nil
}

// setEntries compares the entries of a set, which are read again.
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
		c.entry(Place{Part: SetEntry, Set: name, Entry: key}, forms, [2]object.Object{cs[0].Entry(key), cs[1].Entry(key)})
	}
	if sources {
		return c.sources(name, &cs)
	}
	return nil
}

// entry adds an entry if it differs, by its forms.
func (c *comparison) entry(at Place, forms [2][]byte, o [2]object.Object) {
	if string(forms[0]) == string(forms[1]) {
		return
	}
	a, b := c.of[0].text(o[0]), c.of[1].text(o[1])
	switch {
	case o[0].IsNull():
		c.add(Added, at, "", b)
	case o[1].IsNull():
		c.add(Lost, at, a, "")
	default:
		c.add(Changed, at, a, b)
	}
}

// sources compares the sources of a set: those with the same content are the
// same, then those with the same URL.
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

// urlsOf names the destination of a source and what leads there.
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

// unequal returns the indexes of what has no equal in the other list.
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

// byKey pairs what has the same key, in order, and returns the others.
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

// member adds an element of O that is something else in B.
func (c *comparison) member(at Place, m, n *member) {
	switch id := nametree.Key(at.Set.ID[:]); {
	case c.of[1].isNull(n):
		c.nulled++
		c.gone[id] += min(int(m.page), 1)
	case c.of[0].isNull(m):
		c.gone[id] -= min(int(n.page), 1)
	}
	c.add(Changed, at, c.of[0].describe(m), c.of[1].describe(n))
}

// sameMember reports whether two elements of O are the same, or cannot be told apart.
func (c *comparison) sameMember(m, n *member) (bool, error) {
	if m.page > 0 || n.page > 0 {
		return c.samePage(m, n)
	}
	x, y := c.of[0].nonPage(m), c.of[1].nonPage(n)
	switch {
	case x.unread || y.unread:
		return true, nil
	case x.kind != y.kind || x.isImage != y.isImage || x.id != y.id || x.width != y.width || x.height != y.height:
		return false, nil
	}
	return x.data == y.data || x.data == contentHash{} || y.data == contentHash{}, nil
}

func (c *comparison) samePage(m, n *member) (bool, error) {
	switch {
	case m.page == 0 || n.page == 0:
		return m.page == 0 && c.of[0].nonPage(m).unread || n.page == 0 && c.of[1].nonPage(n).unread, nil
	case m.page == n.page:
		return true, nil
	}
	a, err := c.of[0].pageHashes()
	if err != nil {
		return false, err
	}
	b, err := c.of[1].pageHashes()
	if err != nil {
		return false, err
	}
	return a[m.page-1] == b[n.page-1], nil
}

// nonPage returns what a member is that is not a page.
func (c *content) nonPage(m *member) nonPage {
	if m.nonPage == 0 {
		return nonPage{kind: m.direct}
	}
	return c.nonPages[m.nonPage-1]
}

func (c *content) isNull(m *member) bool {
	return m.page == 0 && !c.nonPage(m).unread && c.nonPage(m).kind == object.Null
}

const null = "null"

// describe says what a member is.
func (c *content) describe(m *member) string {
	if m.page > 0 {
		return fmt.Sprintf("page %d", m.page)
	}
	o := c.nonPage(m)
	switch {
	case o.unread:
		return "unreadable"
	case o.kind == object.Null:
		return null
	case o.kind == object.Dictionary:
		return "dictionary outside the page tree"
	case o.kind == object.Stream && !o.isImage:
		return "stream that is not an image"
	case !o.isImage:
		return o.kind.String()
	}
	text := fmt.Sprintf("image of %d × %d", o.width, o.height)
	if o.id != "" {
		text += ", ID " + short(o.id)
	}
	if o.data != (contentHash{}) {
		text += fmt.Sprintf(", data %x", o.data[:4])
	}
	return text
}

// text shows a value in a few words.
func (c *content) text(o object.Object) string {
	o, err := c.r.Resolve(o)
	switch {
	case err != nil:
		return "unreadable"
	case o.Kind() == object.String:
		b, _ := o.AppendString(nil)
		return short(nametree.Key(b))
	case o.Kind() == object.Array:
		return c.arrayText(o)
	case o.Kind() == object.Dictionary || o.Kind() == object.Stream:
		return o.Kind().String()
	case o.IsNull():
		return null
	}
	raw := o.Raw()
	return string(raw[:min(len(raw), maxShown)])
}

// arrayText shows the first elements of an array.
func (c *content) arrayText(o object.Object) string {
	const shown = 8
	list, _ := o.Array()
	text, n := "", 0
	for e := range list.All() {
		if n++; n > shown {
			continue
		}
		if e, err := c.r.Resolve(e); err == nil && e.Kind() == object.Array {
			text += " array"
		} else {
			text += " " + c.text(e)
		}
	}
	if n > shown {
		text += " …"
	}
	return "[" + text + " ]"
}

// info compares SpiderInfo: V, and the commands in order.
func (c *comparison) info() error {
	var info [2]*webcapture.Info
	var version [2]object.Object
	var forms [2][]byte
	var hashes [2][]contentHash
	unread := false
	for side, f := range c.of {
		at := audit.Place{Part: "SpiderInfo"}
		_, err := f.lookup(f.db.Catalog, "SpiderInfo")
		if err == nil {
			info[side], err = f.r.Info(f.db)
		}
		if err == nil && info[side] != nil {
			version[side] = info[side].V
			forms[side], err = f.hasher.append(nil, info[side].V)
			for i := 0; i < len(info[side].Commands) && err == nil; i++ {
				var s contentHash
				s, err = f.hasher.command(info[side].Commands[i].Object)
				hashes[side] = append(hashes[side], s)
			}
		}
		if err != nil {
			if err := f.couldNotRead(at, err); err != nil {
				return &contentError{f, err}
			}
			unread = true
		}
	}
	switch {
	case unread:
		return nil
	case info[0] == nil && info[1] == nil:
		return nil
	case info[0] == nil:
		c.onOne(1, Place{Part: Info}, "")
		return nil
	case info[1] == nil:
		c.onOne(0, Place{Part: Info}, "")
		return nil
	}
	c.entry(Place{Part: Info, Entry: "V"}, forms, version)
	return c.commands(info, hashes)
}

// commands compares the commands of SpiderInfo.
func (c *comparison) commands(info [2]*webcapture.Info, hashes [2][]contentHash) error {
	left := unequal(hashes[0], hashes[1])
	if len(left[0])+len(left[1]) == 0 {
		if !slices.Equal(hashes[0], hashes[1]) {
			c.add(Changed, Place{Part: Info, Entry: "C"}, orderOf(info[0].Commands), orderOf(info[1].Commands))
		}
		return nil
	}
	url := func(side, i int) nametree.Key { return nametree.Key(info[side].Commands[i].URL.Bytes) }
	pairs, left := byKey(left, url)
	for _, p := range pairs {
		a, b := info[0].Commands[p[0]].Dict, info[1].Commands[p[1]].Dict
		for _, key := range commandEntries {
			var forms [2][]byte
			for side, d := range []object.Dict{a, b} {
				var err error
				if forms[side], err = c.of[side].hasher.appendCommand(nil, d, key); err != nil {
					return &contentError{c.of[side], err}
				}
			}
			c.entry(Place{Part: Command, Key: url(0, p[0]), Entry: key}, forms, [2]object.Object{a.Lookup(key), b.Lookup(key)})
		}
	}
	for side := range left {
		for _, i := range left[side] {
			c.onOne(side, Place{Part: Command, Key: url(side, i)}, "")
		}
	}
	return nil
}

// orderOf names the first commands by their URLs.
func orderOf(list []webcapture.Command) string {
	const shown = 3
	text := ""
	for i := range list[:min(len(list), shown)] {
		text += short(nametree.Key(list[i].URL.Bytes)) + " "
	}
	if len(list) > shown {
		return fmt.Sprintf("%sand %d more", text, len(list)-shown)
	}
	return strings.TrimSuffix(text, " ")
}

// pageIDs compares how many pages have an ID. Those that went with their set, or
// became null in it, are reported there.
func (c *comparison) pageIDs() {
	reported := map[nametree.Key]bool{}
	for side, list := range c.alone {
		for _, i := range list {
			if s := &c.of[side].sets[i]; s.hasID && !c.emptied {
				reported[nametree.Key(s.id[:])] = true
			}
		}
	}
	lost, tagged := 0, [2][]nametree.Key{c.of[0].pages.tagged, c.of[1].pages.tagged}
	multisets(tagged, func(id nametree.Key, a, b int) {
		if reported[id] || a-b == c.gone[id] {
			return
		}
		lost += max(a-b, 0)
		c.counts(Place{Part: PageID, Key: id}, a, b, "page")
	})
	c.cause(Cause{Kind: PageIDsDropped, Count: lost, Of: len(tagged[0])})
}

// retained compares the URLs that links keep.
func (c *comparison) retained() {
	lost, urls := 0, [2][]nametree.Key{c.of[0].links.retained, c.of[1].links.retained}
	multisets(urls, func(url nametree.Key, a, b int) {
		lost += max(a-b, 0)
		c.counts(Place{Part: RetainedLink, Key: url}, a, b, "link")
	})
	c.cause(Cause{Kind: RetainedURLsLost, Count: lost, Of: len(urls[0])})
}

// multisets calls do for each key that two sorted lists do not have equally often.
func multisets(lists [2][]nametree.Key, do func(k nametree.Key, a, b int)) {
	a, b := lists[0], lists[1]
	for len(a) > 0 || len(b) > 0 {
		var k nametree.Key
		if len(b) == 0 || len(a) > 0 && a[0] < b[0] {
			k = a[0]
		} else {
			k = b[0]
		}
		inA, inB := runOf(a, k), runOf(b, k)
		a, b = a[inA:], b[inB:]
		if inA != inB {
			do(k, inA, inB)
		}
	}
}

// runOf returns how often k stands at the front of a list.
func runOf(list []nametree.Key, k nametree.Key) int {
	n := 0
	for n < len(list) && list[n] == k {
		n++
	}
	return n
}

// counts adds something that there is more or less of.
func (c *comparison) counts(at Place, a, b int, noun string) {
	switch {
	case b == 0:
		c.add(Lost, at, layout.Count(a, noun), "")
	case a == 0:
		c.add(Added, at, "", layout.Count(b, noun))
	default:
		c.add(Changed, at, layout.Count(a, noun), layout.Count(b, noun))
	}
}

// destinations compares where the links lead to whose destinations were made
// with the ID of a set.
func (c *comparison) destinations() {
	known := map[digest.ID]bool{}
	for _, f := range c.of {
		for i := range f.sets {
			if f.sets[i].hasID {
				known[f.sets[i].id] = true
			}
		}
	}
	isSet := func(id digest.ID) bool { return known[id] }
	lost := 0
	for side, f := range c.of {
		for i := 0; i < len(f.links.named); {
			name := f.links.named[i]
			n := runOf(f.links.named[i:], name)
			i += n
			if _, ok := digest.Split(string(name), isSet); !ok {
				continue
			}
			c.named[side][0] += n
			if !f.links.finds(name) {
				continue
			}
			c.named[side][1] += n
			if !c.of[1-side].links.finds(name) {
				c.onOne(side, Place{Part: Destination, Key: name}, layout.Count(n, "link"))
				if side == 0 {
					lost += n
				}
			}
		}
	}
	c.cause(Cause{Kind: LinksBroken, Count: lost, Of: c.named[0][1]})
}
