package warc

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// listOf returns entries whose URLs are the numbers from from to to-1.
func listOf(from, to int) (l entries) {
	for i := from; i < to; i++ {
		l.add(entry{url: uint64(i)})
	}
	return l
}

func urlsOf(l entries) (urls []int) {
	for e := range l.all() {
		urls = append(urls, int(e.url))
	}
	return urls
}

// TestEntries: lists work for any length, whether the last block is full or not.
func TestEntries(t *testing.T) {
	sizes := []int{0, 1, blockSize - 1, blockSize, blockSize + 1, 2*blockSize + 7}
	for _, n := range sizes {
		for _, m := range sizes {
			t.Run(fmt.Sprint(n, m), func(t *testing.T) {
				l, other := listOf(0, n), listOf(n, n+m)
				if l.move(&other); other.len() != 0 {
					t.Errorf("%d entries are in both lists", other.len())
				}
				l.add(entry{url: uint64(n + m)})
				l.sort(func(a, b *entry) int { return cmp.Compare(a.url, b.url) })
				sourcetest.Equal(t, "moved", urlsOf(l), urlsOf(listOf(0, n+m+1)))
				l.cut(m)
				sourcetest.Equal(t, "cut", urlsOf(l), urlsOf(listOf(0, m)))
			})
		}
	}
}
