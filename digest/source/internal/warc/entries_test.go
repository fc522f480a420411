package warc

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// listOf returns entries of these URLs.
func listOf(urls ...uint64) (l entries) {
	for _, u := range urls {
		l.add(entry{url: u})
	}
	return l
}

func urlsOf(l entries) (urls []uint64) {
	for e := range l.all() {
		urls = append(urls, e.url)
	}
	return urls
}

// upTo returns the numbers from from to to-1.
func upTo(from, to int) (list []uint64) {
	for i := from; i < to; i++ {
		list = append(list, uint64(i))
	}
	return list
}

// TestEntries: lists work for any length, whether the last block is full or not.
func TestEntries(t *testing.T) {
	sizes := []int{0, 1, 5, blockSize - 1, blockSize, blockSize + 1, 2 * blockSize, 2*blockSize + 7}
	byURL := func(a, b *entry) int { return cmp.Compare(a.url, b.url) }
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			l := listOf(upTo(0, n)...)
			sourcetest.Equal(t, "added", urlsOf(l), upTo(0, n))
			if l.len() != n || n > 0 && l.at(n-1).url != uint64(n-1) {
				t.Errorf("%d entries, want %d", l.len(), n)
			}
			for _, m := range sizes {
				l, other := listOf(upTo(0, n)...), listOf(upTo(n, n+m)...)
				if l.move(&other); other.len() != 0 {
					t.Errorf("%d entries are in both lists", other.len())
				}
				l.add(entry{url: uint64(n + m)})
				l.sort(byURL)
				sourcetest.Equal(t, "moved", urlsOf(l), upTo(0, n+m+1))
				l = listOf(append(upTo(0, n), upTo(0, m)...)...)
				l.sort(byURL)
				sourcetest.Equal(t, "each once", urlsOf(l), upTo(0, max(n, m)))
				l.cut(m)
				l.add(entry{url: 1 << 40})
				sourcetest.Equal(t, "cut", urlsOf(l), append(upTo(0, m), 1<<40))
			}
			l.keep(func(e *entry) bool { return e.url%2 == 0 })
			if l.len() != (n+1)/2 || n > 2 && l.at(1).url != 2 {
				t.Errorf("%d of %d are even", l.len(), n)
			}
		})
	}
}
