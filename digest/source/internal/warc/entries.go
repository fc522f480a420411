package warc

import (
	"iter"
	"sort"
)

// entries is a list of entries in blocks. A slice would take twice the memory while it is copied to grow.
type entries struct {
	blocks [][]entry // all have blockSize except the last
}

const blockSize = 1 << 12

func (l *entries) len() int {
	n := len(l.blocks)
	if n == 0 {
		return 0
	}
	return (n-1)*blockSize + len(l.blocks[n-1])
}

func (l *entries) at(i int) *entry { return &l.blocks[i/blockSize][i%blockSize] }

// kept returns the number of entries of usable records.
func (l *entries) kept() (n int) {
	for e := range l.all() {
		if e.useless == 0 {
			n++
		}
	}
	return n
}

// all yields the entries, in order.
func (l *entries) all() iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for _, b := range l.blocks {
			for i := range b {
				if !yield(&b[i]) {
					return
				}
			}
		}
	}
}

func (l *entries) add(e entry) {
	n := len(l.blocks)
	switch {
	case n == 0: // few entries
		l.blocks = append(l.blocks, []entry{e})
	case len(l.blocks[n-1]) == blockSize:
		l.blocks = append(l.blocks, append(make([]entry, 0, blockSize), e))
	default:
		l.blocks[n-1] = append(l.blocks[n-1], e)
	}
}

// move moves the entries of other to l. Their order is not kept.
func (l *entries) move(other *entries) {
	var last []entry
	if n := len(other.blocks); n > 0 && len(other.blocks[n-1]) < blockSize {
		other.blocks, last = other.blocks[:n-1], other.blocks[n-1]
	}
	l.blocks = append(other.blocks, l.blocks...)
	other.blocks = nil
	for _, e := range last {
		l.add(e)
	}
}

// cut keeps only the first n entries.
func (l *entries) cut(n int) {
	if l.len() > n {
		l.blocks = l.blocks[:n/blockSize+1]
		l.blocks[n/blockSize] = l.blocks[n/blockSize][:n%blockSize]
	}
}

// sort sorts the entries by compare.
func (l *entries) sort(compare func(a, b *entry) int) { sort.Sort(entrySorter{l, compare}) }

// entrySorter implements sort.Interface for entries.
type entrySorter struct {
	*entries
	compare func(a, b *entry) int
}

func (s entrySorter) Len() int           { return s.len() }
func (s entrySorter) Less(i, j int) bool { return s.compare(s.at(i), s.at(j)) < 0 }
func (s entrySorter) Swap(i, j int)      { *s.at(i), *s.at(j) = *s.at(j), *s.at(i) }
