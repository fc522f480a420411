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

// matching maps pages or images of the original to those of the file, each at most once.
type matching struct {
	is     map[*likeness]*likeness   // match in the file, by page or image of the original
	taken  map[*likeness]bool        // pages or images of the file that have a match
	copies map[*likeness][]*likeness // copies in the file with the same content, by page or image of the original
	sure   map[*likeness]bool        // pages or images of the original matched by ID, content, or text
}

func newMatching() *matching {
	return &matching{
		is: map[*likeness]*likeness{}, taken: map[*likeness]bool{}, copies: map[*likeness][]*likeness{},
		sure: map[*likeness]bool{},
	}
}

// match records is as the match of l.
func (m *matching) match(l, is *likeness) { m.is[l], m.taken[is] = is, true }

// left returns the pages or images of each list that have no match yet.
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

// byKey matches pages or images of a and b that have equal keys and no match yet. before and after return the keys;
// a nil key matches nothing. Several with the same key are matched in order, but only if both lists have the same
// number of them, not more than most.
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

// leastText is the minimum length of text that identifies a page.
const leastText = 4

// Keys that identify a page or an image.
func byID(l *likeness) any    { return keyIf(l.id != "", l.id) }
func byShown(l *likeness) any { return keyIf(l.shown != hash{}, l.shown) }
func byIDAndShown(l *likeness) any {
	return keyIf(l.id != "", [2]any{l.id, l.shown})
}
func byText(l *likeness) any { return keyIf(len(l.text) >= leastText, string(l.text)) }

// byContent lists the keys from content, for pages and images, the most certain first. bySelf lists the keys by ID and
// text.
var byContent = []func(*likeness) any{
	func(l *likeness) any {
		return keyIf(l.id != "" && l.shown != hash{}, [3]any{l.id, l.stored, l.shown})
	},
	func(l *likeness) any { return keyIf(l.shown != hash{}, [2]hash{l.stored, l.shown}) },
	func(l *likeness) any { return keyIf(l.stored != hash{}, l.stored) },
	byShown,
}
var bySelf = []func(*likeness) any{byID, byText}

// keyIf returns key if ok, otherwise nil.
func keyIf(ok bool, key any) any {
	if !ok {
		return nil
	}
	return key
}

// matched matches the pages and images of two files. Without unique content, a page may be matched by its images or
// its number, and an image by its page.
func matched(before, after *likenesses) (pages, images *matching) {
	pages, images = newMatching(), newMatching()
	alike := len(before.pages) // maximum number of pages with the same key that are matched in order
	if !inOrder(before.pages, after.pages) {
		alike = 1
	}
	for i, key := range byContent {
		images.byKey(before.images, after.images, key, key, len(before.images))
		most := alike
		if i == 0 {
			most = len(before.pages) // pages with the same ID belong to the same content set
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
	for n := -1; n < len(images.is); { // each match may leave another image as the only one of its size
		n = len(images.is)
		images.bySize(before, after, pages)
	}
	return pages, images
}

// inOrder reports whether the pages with unique content are in the same order in both files.
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

// keepsContent reports whether any page has the same content in both files. If so, no tool rewrote the content, and
// pages with different content are different pages.
func (m *matching) keepsContent() bool {
	for l, is := range m.is {
		if l.shown == is.shown && l.shown != (hash{}) {
			return true
		}
	}
	return false
}

// byCopies matches pages or images that occur more often in the file than in the original. The first is the match. The
// others are its copies if copied returns true. All in the original with the same key must have the same ID; otherwise
// it is unknown which of them was copied.
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

// shownTogether returns a function that reports whether copy is a copy of image l: a page of the original shows l, and
// the matched page of the file, or a copy of that page, shows copy with the same content.
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

// byLongerText matches pages whose text became longer, for example because annotations became content. The new text
// must begin with the old text of exactly one page, and no other new text may begin with it.
func (m *matching) byLongerText(before, after []*likeness) {
	a, b := m.left(before, after)
	compare := func(x, y *likeness) int { return bytes.Compare(x.text, y.text) }
	slices.SortFunc(b, compare)
	// Texts that begin with the text of l are a range of b, which starts at this index.
	first := func(l *likeness) int {
		i, _ := slices.BinarySearchFunc(b, l, compare)
		return i
	}
	last := func(l *likeness) int {
		return sort.Search(len(b), func(i int) bool {
			return bytes.Compare(b[i].text, l.text) > 0 && !bytes.HasPrefix(b[i].text, l.text)
		})
	}
	begun := make([]int, len(b)+1) // number of texts in a that are prefixes of each text in b, as differences
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

// withoutContent matches pages without content, before IDs are compared. It compares the images in their resources.
// If all pages matched so far have the same number in both files, it also matches pages without images by number.
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

// byImages matches unmatched pages by their images, in any order. It considers only pages for which kind returns true,
// and only if no other page has the same images.
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
		return keyIf(len(list) > 0 && kind(l), sorted(list)) // an unmatched image becomes object 0, which no page shows
	}
	m.byKey(before, after, theirs, own, 1)
}

// sorted returns references as text, sorted by number.
func sorted(refs []object.Ref) string {
	return fmt.Sprint(slices.SortedFunc(slices.Values(refs), object.Ref.Compare))
}

// bySize matches unmatched images that are the only ones of their size on a matched page.
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

// unmatched describes the unrecognized pages of an original. Each page with possible matches gets a line, up to
// maxUnmatched lines; the pages without possible matches share one.
func (m *matching) unmatched(name string, before, after []*likeness) (lines []string) {
	a, b := m.left(before, after)
	alike := map[any][]int{} // page numbers in the file, by key
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
		lines = append(lines, fmt.Sprintf("%s: pages that are not in the file (%d of %d): "+
			"%s", name, len(gone), len(before),
			several(gone, ", ")))
	}
	return lines
}

// keys returns all keys of a page. Their types differ, so that an ID is not equal to a text.
func (l *likeness) keys() (list []any) {
	for i, of := range []func(*likeness) any{byID, byShown, byText} {
		if k := of(l); k != nil {
			list = append(list, [2]any{i, k})
		}
	}
	return list
}

// several returns the first elements of a list, and the number of the others, as text.
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
