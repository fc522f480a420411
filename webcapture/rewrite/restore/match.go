package restore

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
)

// matching maps pages or images: it says which page or image of a file is which of another. None is matched twice.
type matching struct {
	is     map[*likeness]*likeness   // of the original to the file
	taken  map[*likeness]bool        // of the file
	copies map[*likeness][]*likeness // of the original to further ones of the file with the same content
	sure   map[*likeness]bool        // of the original: matched by ID, content, or text
}

func newMatching() *matching {
	return &matching{
		is: map[*likeness]*likeness{}, taken: map[*likeness]bool{}, copies: map[*likeness][]*likeness{},
		sure: map[*likeness]bool{},
	}
}

// match makes m one with l.
func (m *matching) match(l, is *likeness) { m.is[l], m.taken[is] = is, true }

// left returns what of each list is not matched.
func (m *matching) left(before, after []*likeness) (a, b []*likeness) {
	for _, l := range before {
		if m.is[l] == nil {
			a = append(a, l)
		}
	}
	for _, l := range after {
		if !m.taken[l] {
			b = append(b, l)
		}
	}
	return a, b
}

// byKey matches those that are left and have a key in common, as before and after tell it;
// nil is none. Those that share one have to be as many in both, and at most so many; they go
// in their order.
func (m *matching) byKey(a, b []*likeness, before, after func(*likeness) any, most int) {
	a, b = m.left(a, b)
	inB := map[any][]*likeness{}
	for _, l := range b {
		if k := after(l); k != nil {
			inB[k] = append(inB[k], l)
		}
	}
	inA := map[any][]*likeness{}
	for _, l := range a {
		if k := before(l); k != nil && inB[k] != nil {
			inA[k] = append(inA[k], l)
		}
	}
	for k, list := range inA {
		if len(list) != len(inB[k]) || len(list) > most {
			continue
		}
		for i, l := range list {
			m.match(l, inB[k][i])
		}
	}
}

// leastText is how much text tells a page.
const leastText = 4

// What a page or an image may be known by.
func byID(l *likeness) any    { return keyIf(l.id != "", l.id) }
func byShown(l *likeness) any { return keyIf(l.shown != hash{}, l.shown) }
func byIDAndShown(l *likeness) any {
	return keyIf(l.id != "", [2]any{l.id, l.shown})
}
func byText(l *likeness) any { return keyIf(len(l.text) >= leastText, string(l.text)) }

// byContent has what both are known by first, the surest first; bySelf has what they say themselves.
var byContent = []func(*likeness) any{
	func(l *likeness) any {
		return keyIf(l.id != "" && l.shown != hash{}, [3]any{l.id, l.stored, l.shown})
	},
	func(l *likeness) any { return keyIf(l.shown != hash{}, [2]hash{l.stored, l.shown}) },
	func(l *likeness) any { return keyIf(l.stored != hash{}, l.stored) },
	byShown,
}
var bySelf = []func(*likeness) any{byID, byText}

// keyIf returns a key if there is something to it.
func keyIf(ok bool, key any) any {
	if !ok {
		return nil
	}
	return key
}

// matched returns which pages and images of a file are which of another. Those that their content does
// not tell may be known by what is around them.
func matched(before, after *likenesses) (pages, images *matching) {
	pages, images = newMatching(), newMatching()
	alike := len(before.pages) // how many pages that share a key are matched in their order
	if !inOrder(before.pages, after.pages) {
		alike = 1
	}
	for i, key := range byContent {
		images.byKey(before.images, after.images, key, key, len(before.images))
		most := alike
		if i == 0 {
			most = len(before.pages) // they have one ID, so they belong to one content set
		}
		pages.byKey(before.pages, after.pages, key, key, most)
	}
	pages.withoutContent(before.pages, after.pages, images)
	for _, key := range bySelf {
		images.byKey(before.images, after.images, key, key, len(before.images))
		pages.byKey(before.pages, after.pages, key, key, alike)
	}
	for _, key := range []func(*likeness) any{byIDAndShown, byShown} {
		pages.byCopies(before.pages, after.pages, key, func(_, _ *likeness) bool { return true })
		images.byCopies(before.images, after.images, key, shownTogether(before, after, pages))
	}
	for _, m := range []*matching{pages, images} {
		for l := range m.is {
			m.sure[l] = true
		}
	}
	pages.byLongerText(before.pages, after.pages)
	pages.byImages(before.pages, after.pages, images, func(*likeness) bool { return true })
	if len(pages.is) > 0 && len(before.pages) == len(after.pages) && !pages.keepsContent() {
		number := func(l *likeness) any { return l.number }
		pages.byKey(before.pages, after.pages, number, number, 1)
	}
	for n := -1; n < len(images.is); { // one that is matched leaves another the only one of its size
		n = len(images.is)
		images.bySize(before, after, pages)
	}
	return pages, images
}

// inOrder reports whether the pages with a content that no other page has are in the same order in both files.
func inOrder(before, after []*likeness) bool {
	m := newMatching()
	m.byKey(before, after, byShown, byShown, 1)
	last := 0
	for _, l := range before {
		if is := m.is[l]; is != nil {
			if is.number < last {
				return false
			}
			last = is.number
		}
	}
	return true
}

// keepsContent reports whether a page has the same content in both files. Then no tool wrote the content anew, and a
// page with other content is another one.
func (m *matching) keepsContent() bool {
	for l, is := range m.is {
		if l.shown == is.shown && l.shown != (hash{}) {
			return true
		}
	}
	return false
}

// byCopies matches those that are in the file more often than in the original: the first is the one that is meant, and
// the others are copies of it, as far as copied says so. Those of the original that have the same key must have
// the same ID, or nothing tells which of them is copied.
func (m *matching) byCopies(before, after []*likeness, key func(*likeness) any, copied func(l, copy *likeness) bool) {
	_, rest := m.left(nil, after)
	alike := map[any][]*likeness{}
	for _, l := range rest {
		if k := key(l); k != nil {
			alike[k] = append(alike[k], l)
		}
	}
	groups, order := map[any][]*likeness{}, []any{}
	for _, l := range before {
		k := key(l)
		if k == nil || alike[k] == nil {
			continue
		}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], l)
	}
	for _, k := range order {
		group := groups[k]
		differs := func(l *likeness) bool { return l.id != group[0].id }
		if slices.ContainsFunc(group, differs) {
			continue
		}
		list := slices.DeleteFunc(alike[k], func(l *likeness) bool { return l.id != "" && l.id != group[0].id })
		slices.SortStableFunc(list, func(a, b *likeness) int {
			return cmp.Compare(boolInt(copied(group[0], b)), boolInt(copied(group[0], a)))
		})
		missing, _ := m.left(group, nil)
		enough := len(list) >= len(missing)
		for _, l := range missing {
			if !enough {
				break
			}
			m.match(l, list[0])
			list = list[1:]
		}
		for _, l := range list {
			if m.is[group[0]] != nil && copied(group[0], l) {
				m.copies[group[0]], m.taken[l] = append(m.copies[group[0]], l), true
			}
		}
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// shownTogether returns a function that reports whether a page of the original shows an image, and that page in the
// file, or a copy of it, shows another with the same content.
func shownTogether(before, after *likenesses, pages *matching) func(l, copy *likeness) bool {
	type pair struct{ was, is object.Ref }
	together := map[pair]bool{}
	theirs, own := before.imagesByRef(), after.imagesByRef()
	for page, is := range pages.is {
		byContent := map[any][]*likeness{}
		for _, im := range page.imagesIn(theirs) {
			byContent[byShown(im)] = append(byContent[byShown(im)], im)
		}
		for _, is := range append([]*likeness{is}, pages.copies[page]...) {
			for _, im := range is.imagesIn(own) {
				for _, l := range byContent[byShown(im)] {
					together[pair{l.ref, im.ref}] = true
				}
			}
		}
	}
	return func(l, copy *likeness) bool { return together[pair{l.ref, copy.ref}] }
}

// byLongerText matches pages that are left if one has got more text, of annotations that became
// content: its text begins with that of one page alone, and no other begins with this one.
func (m *matching) byLongerText(before, after []*likeness) {
	a, b := m.left(before, after)
	compare := func(x, y *likeness) int { return bytes.Compare(x.text, y.text) }
	slices.SortFunc(b, compare)
	// What begins with a text is a run of b, from its place on.
	first := func(l *likeness) int {
		i, _ := slices.BinarySearchFunc(b, l, compare)
		return i
	}
	last := func(l *likeness) int {
		return sort.Search(len(b), func(i int) bool {
			return bytes.Compare(b[i].text, l.text) > 0 && !bytes.HasPrefix(b[i].text, l.text)
		})
	}
	begun := make([]int, len(b)+1) // by how many of a: at each place, how many more than before it
	runs := make([][2]int, len(a))
	for i, l := range a {
		if len(l.text) < leastText {
			continue
		}
		runs[i] = [2]int{first(l), last(l)}
		begun[runs[i][0]]++
		begun[runs[i][1]]--
	}
	for i := range b {
		begun[i+1] += begun[i]
	}
	for i, l := range a {
		if at := runs[i][0]; runs[i][1]-at == 1 && begun[at] == 1 {
			m.match(l, b[at])
		}
	}
}

// withoutContent matches pages without content before their IDs count: by the images in their resources, and by their
// place if all pages that are matched have the same place in both files.
func (m *matching) withoutContent(before, after []*likeness, images *matching) {
	m.byImages(before, after, images, func(l *likeness) bool { return l.shown == hash{} })
	for l, is := range m.is {
		if l.number != is.number {
			return
		}
	}
	if len(m.is) == 0 || len(before) != len(after) {
		return
	}
	place := func(l *likeness) any { return keyIf(l.shown == hash{} && len(l.images) == 0, l.number) }
	m.byKey(before, after, place, place, 1)
}

// byImages matches pages that are left, and of the kind, if they alone show the same images, in any order.
func (m *matching) byImages(before, after []*likeness, images *matching, kind func(*likeness) bool) {
	is := map[object.Ref]object.Ref{}
	for l, of := range images.is {
		is[l.ref] = of.ref
	}
	own := func(l *likeness) any { return keyIf(len(l.images) > 0 && kind(l), sorted(l.images)) }
	theirs := func(l *likeness) any {
		list := make([]object.Ref, len(l.images))
		for i, ref := range l.images {
			list[i] = is[ref]
		}
		return keyIf(len(list) > 0 && kind(l), sorted(list)) // one that is not matched is object 0, which no page shows
	}
	m.byKey(before, after, theirs, own, 1)
}

// sorted returns references in the order of their numbers, as text.
func sorted(refs []object.Ref) string {
	return fmt.Sprint(slices.SortedFunc(slices.Values(refs), object.Ref.Compare))
}

// bySize matches images that are left if they are the only ones of their size on a page that was
// found again.
func (m *matching) bySize(before, after *likenesses, pages *matching) {
	theirs, own := before.imagesByRef(), after.imagesByRef()
	size := func(l *likeness) any { return l.size }
	for _, page := range before.pages {
		if is := pages.is[page]; is != nil {
			m.byKey(page.imagesIn(theirs), is.imagesIn(own), size, size, 1)
		}
	}
}

func (l *likenesses) imagesByRef() map[object.Ref]*likeness {
	byRef := make(map[object.Ref]*likeness, len(l.images))
	for _, im := range l.images {
		byRef[im.ref] = im
	}
	return byRef
}

// imagesIn returns the images that a page shows.
func (l *likeness) imagesIn(byRef map[object.Ref]*likeness) (list []*likeness) {
	for _, ref := range l.images {
		if im := byRef[ref]; im != nil {
			list = append(list, im)
		}
	}
	return list
}

// unmatched says which pages of an original were not recognized: each with the pages that it may
// be, and all that have nothing in common with any page.
func (m *matching) unmatched(name string, before, after []*likeness) (lines []string) {
	a, b := m.left(before, after)
	alike := map[any][]int{} // pages of the file, by what they are known by
	for _, l := range b {
		for _, k := range l.keys() {
			alike[k] = append(alike[k], l.number)
		}
	}
	var gone []int
	for _, l := range a {
		keys := slices.DeleteFunc(l.keys(), func(k any) bool { return alike[k] == nil })
		switch {
		case len(keys) == 0:
			gone = append(gone, l.number)
		case len(lines) < maxUnmatched:
			var may []int
			for _, k := range keys {
				may = append(may, alike[k]...)
			}
			slices.Sort(may)
			lines = append(lines, fmt.Sprintf("%s: skipped page %d, which may be page %s of the file",
				name, l.number, several(slices.Compact(may), " or ")))
		}
	}
	if len(gone) > 0 {
		lines = append(lines, fmt.Sprintf("%s: %d of %d pages are not in the file: %s", name, len(gone), len(before),
			several(gone, ", ")))
	}
	return lines
}

// keys returns all that a page may be known by. An ID is not mistaken for a text.
func (l *likeness) keys() (list []any) {
	for i, of := range []func(*likeness) any{byID, byShown, byText} {
		if k := of(l); k != nil {
			list = append(list, [2]any{i, k})
		}
	}
	return list
}

// several joins the first of a list.
func several[T any](list []T, separator string) string {
	var text strings.Builder
	for i, e := range list[:min(len(list), maxUnmatched)] {
		if i > 0 {
			text.WriteString(separator)
		}
		fmt.Fprint(&text, e)
	}
	if more := len(list) - maxUnmatched; more > 0 {
		fmt.Fprintf(&text, " and %d more", more)
	}
	return text.String()
}
