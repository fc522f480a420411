package capture

import (
	"iter"
	"sort"
)

// Entry is the place of a record in a source, with hashes of the keys by which the record is found. Hashes may collide,
// so a look-up reads the record and compares. A source may have millions of entries.
type Entry struct {
	URL      uint64 // hash of the common form of alike URLs
	ID       uint64 // hash of an identifier; 0 for none
	Payload  uint64 // hash of the payload digest; 0 for none
	Time     int64  // in microseconds
	At, Skip int64  // place in the file; its meaning depends on the format
	File     uint32 // index of the file in the source
	Flags    Flags
}

// Flags are properties of an entry.
type Flags uint32

const (
	Useless Flags = 1 << iota // the capture has no Body, or its record is damaged; All omits it
	Alias                     // a further key of the record of another entry; All omits it
	Named                     // found by a file name: the URL of the capture is the requested one
	Request                   // a request that is not GET, and no capture: all captures of its URL are doubtful

	FirstOwn // first flag that a format may define
)

// isCapture reports whether All yields the record.
func (f Flags) isCapture() bool { return f&(Useless|Alias|Request) == 0 }

// Entries is a list of entries in blocks. A slice would take twice the memory while it is copied to grow.
type Entries struct {
	blocks [][]Entry // all have blockSize except the last
}

const blockSize = 1 << 12

// Len returns the number of entries.
func (l *Entries) Len() int {
	n := len(l.blocks)
	if n == 0 {
		return 0
	}
	return (n-1)*blockSize + len(l.blocks[n-1])
}

// At returns an entry by its index.
func (l *Entries) At(i int) *Entry { return &l.blocks[i/blockSize][i%blockSize] }

// All yields the entries, in order.
func (l *Entries) All() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for _, b := range l.blocks {
			for i := range b {
				if !yield(&b[i]) {
					return
				}
			}
		}
	}
}

// Add appends an entry.
func (l *Entries) Add(e Entry) {
	n := len(l.blocks)
	switch {
	case n == 0: // few entries
		l.blocks = append(l.blocks, []Entry{e})
	case len(l.blocks[n-1]) == blockSize:
		l.blocks = append(l.blocks, append(make([]Entry, 0, blockSize), e))
	default:
		l.blocks[n-1] = append(l.blocks[n-1], e)
	}
}

// Cut keeps only the first n entries.
func (l *Entries) Cut(n int) {
	if l.Len() > n {
		l.blocks = l.blocks[:n/blockSize+1]
		l.blocks[n/blockSize] = l.blocks[n/blockSize][:n%blockSize]
	}
}

// move moves the entries of other to l. Their order is not kept.
func (l *Entries) move(other *Entries) {
	var last []Entry
	if n := len(other.blocks); n > 0 && len(other.blocks[n-1]) < blockSize {
		other.blocks, last = other.blocks[:n-1], other.blocks[n-1]
	}
	l.blocks = append(other.blocks, l.blocks...)
	other.blocks = nil
	for _, e := range last {
		l.Add(e)
	}
}

// sort sorts the entries by compare.
func (l *Entries) sort(compare func(a, b *Entry) int) { sort.Sort(entrySorter{l, compare}) }

// entrySorter implements sort.Interface for entries.
type entrySorter struct {
	*Entries
	compare func(a, b *Entry) int
}

func (s entrySorter) Len() int           { return s.Entries.Len() }
func (s entrySorter) Less(i, j int) bool { return s.compare(s.At(i), s.At(j)) < 0 }
func (s entrySorter) Swap(i, j int)      { *s.At(i), *s.At(j) = *s.At(j), *s.At(i) }
