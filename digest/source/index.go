package source

import (
	"cmp"
	"iter"
	"slices"
	"sync"
	"time"
)

// An index is where the records of an archive are, by URL and then by time. It
// has 64 bytes for each.
type index struct {
	entries   []entry
	byID      func() []uint32 // places in entries, in order of id
	byPayload func() []uint32 // and of payload
}

func newIndex(entries []entry) *index {
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.url, b.url), cmp.Compare(a.time, b.time), cmp.Compare(a.part, b.part),
			cmp.Compare(a.member, b.member), cmp.Compare(a.skip, b.skip))
	})
	x := &index{entries: slices.Clip(slices.CompactFunc(entries, func(a, b entry) bool {
		return a.url == b.url && a.part == b.part && a.position == b.position
	}))}
	// Only revisits need these.
	x.byID = sync.OnceValue(func() []uint32 { return x.order(func(e *entry) uint64 { return e.id }) })
	x.byPayload = sync.OnceValue(func() []uint32 { return x.order(func(e *entry) uint64 { return e.payload }) })
	return x
}

// order returns the places in entries of those that are not revisits and have what
// of returns, in order of that.
func (x *index) order(of func(*entry) uint64) []uint32 {
	var list []uint32
	for i := range x.entries {
		if e := &x.entries[i]; of(e) != 0 && !e.revisit {
			list = append(list, uint32(i))
		}
	}
	slices.SortStableFunc(list, func(a, b uint32) int {
		return cmp.Compare(of(&x.entries[a]), of(&x.entries[b]))
	})
	return list
}

// url returns the entries for the hash of a URL, in order of time.
func (x *index) url(h uint64) []entry {
	from, _ := slices.BinarySearchFunc(x.entries, h, func(e entry, h uint64) int { return cmp.Compare(e.url, h) })
	n, _ := slices.BinarySearchFunc(x.entries[from:], h, func(e entry, h uint64) int {
		if e.url > h {
			return 1
		}
		return -1
	})
	return x.entries[from : from+n]
}

// second yields the entries for the hash of a URL and one second, since that is
// all that some programs say of a time.
func (x *index) second(h uint64, t time.Time) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		list := x.url(h)
		from := t.Truncate(time.Second).UnixMicro()
		i, _ := slices.BinarySearchFunc(list, from, func(e entry, t int64) int { return cmp.Compare(e.time, t) })
		for ; i < len(list) && list[i].time < from+time.Second.Microseconds(); i++ {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// at yields the entries that have h, where list is in order of what of returns.
func (x *index) at(list []uint32, h uint64, of func(*entry) uint64) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		i, _ := slices.BinarySearchFunc(list, h, func(n uint32, h uint64) int {
			return cmp.Compare(of(&x.entries[n]), h)
		})
		for ; i < len(list) && of(&x.entries[list[i]]) == h; i++ {
			if !yield(&x.entries[list[i]]) {
				return
			}
		}
	}
}
