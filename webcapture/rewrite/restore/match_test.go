package restore

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// TestLongerText compares byLongerText with comparing all pairs of pages.
func TestLongerText(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 1))
	texts := func() (list []*likeness) {
		for i := range random.IntN(12) {
			text := make([]byte, 3+random.IntN(5))
			for k := range text {
				text[k] = "ab"[random.IntN(2)]
			}
			list = append(list, &likeness{number: i + 1, text: text})
		}
		return list
	}
	matches := 0
	for range 3000 {
		before, after := texts(), texts()
		begins := func(l, is *likeness) bool { return len(l.text) >= leastText && bytes.HasPrefix(is.text, l.text) }
		want := map[*likeness]*likeness{}
		for _, l := range before {
			for _, is := range after {
				one := begins(l, is)
				for _, other := range before {
					one = one && (other == l || !begins(other, is))
				}
				for _, other := range after {
					one = one && (other == is || !begins(l, other))
				}
				if one {
					want[l] = is
				}
			}
		}
		m := newMatching()
		m.byLongerText(before, after)
		if len(m.is) != len(want) || len(m.taken) != len(want) {
			t.Fatalf("%d pages are matched, want %d", len(m.is), len(want))
		}
		for l, is := range want {
			if m.is[l] != is {
				t.Fatalf("%q is not %q", l.text, is.text)
			}
		}
		matches += len(want)
	}
	if matches < 100 {
		t.Errorf("only %d pages had one to match", matches)
	}
}

// TestMatched: pages and images without unique content are matched by other properties; those with several possible
// matches are not.
func TestMatched(t *testing.T) {
	ref := func(n uint32) object.Ref { return object.Ref{Num: n} }
	page := func(number int, text string, images ...uint32) *likeness {
		l := &likeness{ref: ref(uint32(number)), number: number, text: []byte(text)}
		for _, n := range images {
			l.images = append(l.images, ref(n))
		}
		return l
	}
	shows := func(number int, shown byte, id string) *likeness {
		return &likeness{ref: ref(uint32(number)), number: number, shown: hash{shown}, id: id}
	}
	withID := func(l *likeness, id string) *likeness { l.id = id; return l }
	image := func(n uint32, shown byte, width int64) *likeness {
		return &likeness{ref: ref(n), shown: hash{shown}, size: [2]int64{width, 1}}
	}
	type sides = [2]likenesses
	for name, c := range map[string]struct {
		sides
		pages, images string
	}{
		"a page by its text": {sides{
			{pages: []*likeness{page(1, "text"), page(2, "more")}},
			{pages: []*likeness{page(1, "more")}},
		}, "2=1", ""},
		"too little text": {sides{
			{pages: []*likeness{page(1, "abc")}},
			{pages: []*likeness{page(1, "abc"), page(2, "")}},
		}, "", ""},
		"a page by its images, in any order": {sides{
			{[]*likeness{page(1, "", 11, 12), page(2, "", 11)}, []*likeness{image(11, 1, 1), image(12, 2, 1)}},
			{[]*likeness{page(1, "", 22, 21)}, []*likeness{image(21, 1, 1), image(22, 2, 1)}},
		}, "1=1", "11=21 12=22"},
		"two pages with the same images": {sides{
			{[]*likeness{page(1, "", 11), page(2, "", 11)}, []*likeness{image(11, 1, 1)}},
			{[]*likeness{page(1, "", 21), page(2, "", 21)}, []*likeness{image(21, 1, 1)}},
		}, "", "11=21"},
		"a page with an image that is nowhere": {sides{
			{pages: []*likeness{page(1, "", 11)}, images: []*likeness{image(11, 1, 1)}},
			{pages: []*likeness{page(1, "", 21)}, images: []*likeness{image(21, 2, 1)}},
		}, "", ""},
		"a page between others": {sides{
			{pages: []*likeness{page(1, "text"), page(2, "")}},
			{pages: []*likeness{page(1, "text"), page(2, "")}},
		}, "1=1 2=2", ""},
		"a page between others, of which some are gone": {sides{
			{pages: []*likeness{page(1, "text"), page(2, "")}},
			{pages: []*likeness{page(1, "text"), page(2, ""), page(3, "")}},
		}, "1=1", ""},
		"pages with one content, in order": {sides{
			{pages: []*likeness{shows(1, 7, "a"), shows(2, 8, "b"), shows(3, 8, "c"), shows(4, 9, "d")}},
			{pages: []*likeness{shows(1, 7, ""), shows(2, 8, ""), shows(3, 8, ""), shows(4, 9, "")}},
		}, "1=1 2=2 3=3 4=4", ""},
		"pages with one content, after others were reversed": {sides{
			{pages: []*likeness{shows(1, 7, "a"), shows(2, 8, "b"), shows(3, 8, "c"), shows(4, 9, "d")}},
			{pages: []*likeness{shows(1, 9, ""), shows(2, 8, ""), shows(3, 8, ""), shows(4, 7, "")}},
		}, "1=4 4=1", ""},
		"pages of which none is known": {sides{
			{pages: []*likeness{page(1, "")}},
			{pages: []*likeness{page(1, "")}},
		}, "", ""},
		"pages without content that exchanged IDs, by images and place": {sides{
			{[]*likeness{withID(page(1, "", 11), "a"), withID(page(2, ""), "b"), shows(3, 7, "c")},
				[]*likeness{image(11, 1, 1)}},
			{[]*likeness{withID(page(1, "", 21), "b"), withID(page(2, ""), "a"), shows(3, 7, "c")},
				[]*likeness{image(21, 1, 1)}},
		}, "1=1 2=2 3=3", "11=21"},
		"pages without content in another place, by ID": {sides{
			{pages: []*likeness{withID(page(1, ""), "a"), withID(page(2, ""), "b"), shows(3, 7, "c")}},
			{pages: []*likeness{shows(1, 7, "c"), withID(page(2, ""), "b"), withID(page(3, ""), "a")}},
		}, "1=3 2=2 3=1", ""},
		"pages without content after another one moved, by ID": {sides{
			{pages: []*likeness{withID(page(1, ""), "a"), withID(page(2, ""), "b"), shows(3, 7, "c")}},
			{pages: []*likeness{shows(1, 7, "c"), withID(page(2, ""), "a"), withID(page(3, ""), "b")}},
		}, "1=2 2=3 3=1", ""},
		"pages with one content that exchanged IDs": {sides{
			{pages: []*likeness{shows(1, 7, "a"), shows(2, 7, "b")}},
			{pages: []*likeness{shows(1, 7, "b"), shows(2, 7, "a")}},
		}, "1=2 2=1", ""},
		"a page by longer text": {sides{
			{pages: []*likeness{page(1, "text"), page(2, "more")}},
			{pages: []*likeness{page(1, "footer"), page(2, "text and footer")}},
		}, "1=2", ""},
		"images by ID": {sides{
			{images: []*likeness{withID(image(11, 1, 1), "a"), withID(image(12, 2, 2), "b")}},
			{images: []*likeness{withID(image(21, 3, 3), "b"), withID(image(22, 4, 4), "a")}},
		}, "", "11=22 12=21"},
		"another page in the place of one": {sides{
			{pages: []*likeness{shows(1, 7, ""), shows(2, 8, "")}},
			{pages: []*likeness{shows(1, 7, ""), shows(2, 9, "")}},
		}, "1=1", ""},
		"another page with an unknown image in the place of one": {sides{
			{[]*likeness{shows(1, 7, ""), page(2, "", 11)}, []*likeness{image(11, 1, 1)}},
			{[]*likeness{shows(1, 7, ""), page(2, "", 21)}, []*likeness{image(21, 2, 2)}},
		}, "1=1", ""},
		"pages without images": {sides{
			{pages: []*likeness{page(1, "text"), shows(2, 7, "")}},
			{pages: []*likeness{page(1, "text"), shows(2, 8, ""), shows(3, 9, "")}},
		}, "1=1", ""},
		"images that alone have their size on a page": {sides{
			{[]*likeness{page(1, "text", 11, 12, 13)}, []*likeness{image(11, 1, 1), image(12, 2, 2), image(13, 3, 2)}},
			{[]*likeness{page(1, "text", 21, 22, 23)}, []*likeness{image(21, 4, 1), image(22, 5, 2), image(23, 6, 2)}},
		}, "1=1", "11=21"},
	} {
		t.Run(name, func(t *testing.T) {
			numbers := func(m *matching) string {
				var list []string
				for l, is := range m.is {
					list = append(list, fmt.Sprintf("%d=%d", l.ref.Num, is.ref.Num))
				}
				slices.Sort(list)
				return strings.Join(list, " ")
			}
			pages, images := matched(&c.sides[0], &c.sides[1])
			if got := numbers(pages); got != c.pages {
				t.Errorf("pages: %s, want %s", got, c.pages)
			}
			if got := numbers(images); got != c.images {
				t.Errorf("images: %s, want %s", got, c.images)
			}
		})
	}
}

// TestUnmatchedPages: the possible matches of a page of the original are listed in page order; of many, only the
// first ones.
func TestUnmatchedPages(t *testing.T) {
	before := []*likeness{{number: 1, id: "a", shown: hash{1}}, {number: 2, shown: hash{2}}, {number: 3}}
	after := []*likeness{{number: 1, shown: hash{1}}, {number: 2, id: "a"}}
	for range maxUnmatched + 2 {
		after = append(after, &likeness{number: len(after) + 1, shown: hash{2}})
	}
	got := strings.Join(newMatching().unmatched("f", before, after), "\n")
	want := "f: skipped page 1, which may be page 1 or 2 of the file\n" +
		"f: skipped page 2, which may be page " + numbersFrom(3, maxUnmatched, " or ") + " and 2 more of the file\n" +
		"f: pages that are not in the file (1 of 3): 3"
	if got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
}

func numbersFrom(first, n int, separator string) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprint(first+i))
	}
	return strings.Join(list, separator)
}

// TestLeastText: a page is matched by its text only if the text has leastText bytes or more.
func TestLeastText(t *testing.T) {
	for text, want := range map[string]bool{"abc": false, "abcd": true} {
		t.Run(text, func(t *testing.T) {
			if l := (&likeness{text: []byte(text)}); (byText(l) != nil) != want {
				t.Errorf("a page with the text %q is known by it: %v", text, !want)
			}
		})
	}
}

// TestImagesOfOneSize: once an image is matched by its size, another image may be the only one left of this size on an
// earlier page. It is matched, too.
func TestImagesOfOneSize(t *testing.T) {
	side := func(from uint32) *likenesses {
		image := func(n uint32) *likeness {
			return &likeness{ref: object.Ref{Num: from + n}, size: [2]int64{16, 16}}
		}
		page := func(text string, images ...uint32) *likeness {
			l := &likeness{text: []byte(text)}
			for _, n := range images {
				l.images = append(l.images, object.Ref{Num: from + n})
			}
			return l
		}
		return &likenesses{
			pages:  []*likeness{page("the first", 1, 2), page("the second", 2)},
			images: []*likeness{image(1), image(2)},
		}
	}
	_, images := matched(side(0), side(10))
	for l, is := range images.is {
		if is.ref.Num != l.ref.Num+10 {
			t.Errorf("%v is %v", l.ref, is.ref)
		}
	}
	if len(images.is) != 2 {
		t.Errorf("%d images are matched, want 2", len(images.is))
	}
}

// TestSure: a page recognized by its text or ID is certain. One that is recognized by longer text, by its images, or by
// its number is not.
func TestSure(t *testing.T) {
	images := []*likeness{{ref: object.Ref{Num: 9}, shown: hash{9}}}
	before := []*likeness{{number: 1, text: []byte("text")}, {number: 2, shown: hash{2}, text: []byte("more")},
		{number: 3, id: "a"},
		{number: 4, images: []object.Ref{{Num: 9}}, text: []byte("image"), shown: hash{4}}, {number: 5, shown: hash{5}}}
	after := []*likeness{{number: 1, text: []byte("text")}, {number: 2, shown: hash{22},
		text: []byte("more and more")},
		{number: 3, id: "a", shown: hash{3}}, {number: 4, images: []object.Ref{{Num: 9}}, text: []byte("other"),
			shown: hash{44}},
		{number: 5, shown: hash{6}}}
	pages, _ := matched(&likenesses{before, images}, &likenesses{after, images})
	for i, want := range []bool{true, false, true, false, false} {
		if pages.is[before[i]] != after[i] || pages.sure[before[i]] != want {
			t.Errorf("page %d is recognized: %v, certain: %v", i+1, pages.is[before[i]] != nil, pages.sure[before[i]])
		}
	}
}
