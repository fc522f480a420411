package webcapturetest

import (
	"fmt"
	"strings"
)

// contentBombs have content of pages that is expensive to compare, and small cross-reference data with many rows.
func contentBombs() []Bomb {
	const mega = 1 << 20
	return []Bomb{
		contentBomb("20 pages that share 28 MB of content five times", 20, 5, operators(28*mega)),
		contentBomb("2000 pages of one content of 1 MB", 2000, 1, operators(mega)),
		contentBomb("a page of 30 MB", 1, 1, operators(30*mega)),
		contentBomb("a page of q 16 million times", 1, 1, strings.Repeat("q\n", 31*mega/2)),
		contentBomb("a page of q 125 million times", 1, 8, strings.Repeat("q\n", 31*mega/2)),
		contentBomb("a page of 31 million open parentheses", 1, 1, strings.Repeat("(", 31*mega)),
		contentBomb("a page of 5 million names that are painted", 1, 1, strings.Repeat("/A Do ", 5_000_000)),
		ownContent("1000 pages of 1 MB", 1000, operators(mega)),
		laidOut("8 million equal entries in 180 kB", true, func(f *bombFile) { f.equal(8_388_608) }),
	}
}

// operators returns a content of n bytes.
func operators(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "%d.%d %d m 0.%d w (%x) Tj\n", i%600, i%7, i%800, i%10, i%97)
	}
	return b.String()[:n]
}

// contentBomb returns the Bomb with pages whose content is a stream, several times.
func contentBomb(name string, pages, times int, content string) Bomb {
	return bomb(name, Layout{}, func() *Document {
		d := names("/URLS 1 0 R", "<< /Names [(http://a/) 2 0 R] >>", fmt.Sprintf(pageSetText, ""))
		ref := fmt.Sprintf("%d 0 R ", d.AddStream("/Filter /FlateDecode", deflate([]byte(content))))
		return d.withPages(pages, func(int) string { return "/Contents [" + strings.Repeat(ref, times) + "]" })
	})
}

// ownContent returns the Bomb with pages whose contents differ in one operator.
func ownContent(name string, pages int, content string) Bomb {
	return bomb(name, Layout{}, func() *Document {
		d := names("/URLS 1 0 R", "<< /Names [(http://a/) 2 0 R] >>", fmt.Sprintf(pageSetText, ""))
		all := d.AddStream("/Filter /FlateDecode", deflate([]byte(content)))
		return d.withPages(pages, func(i int) string {
			return fmt.Sprintf("/Contents [%d 0 R %d 0 R]", all, d.AddStream("", fmt.Appendf(nil, "%d w", i)))
		})
	})
}

// equal writes cross-reference data in which n objects are at one place.
func (f *bombFile) equal(n int) {
	f.object(2, "<< /Names [] >>")
	entries := make([][3]int, n)
	copy(entries, f.entries)
	for i := len(f.entries); i < n; i++ {
		entries[i] = [3]int{1, 9, 0}
	}
	f.object(3, "<< /Type /Catalog /Pages 1 0 R /Names << /URLS 2 0 R /IDS 2 0 R >> >>")
	entries[3] = f.entries[3]
	f.root = 3
	f.start = f.section("", entries[:n-1])
	f.root = 0
}
