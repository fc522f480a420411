package warc

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"sort"
	"sync"
	"time"
)

// index holds the positions of the records of an archive, sorted by URL and then by time. It takes at most 64 bytes for
// each record.
type index struct {
	entries   entries
	byID      func() []uint32 // indexes in entries of records other than revisits, sorted by id
	byPayload func() []uint32 // indexes of these records, sorted by payload
	revisits  func() []uint32 // indexes of revisits, sorted by id
	segments  func() []uint32 // indexes of continuations, sorted by id, which is the id of the first segment
}

func newIndex(list entries) *index {
	list.sort(func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.url, b.url), cmp.Compare(a.time, b.time), byPlace(a, b))
	})
	x := &index{entries: list}
	// Only look-ups of revisits and split records need these lists.
	original := func(e *entry) bool { return e.useless == 0 && !e.revisit }
	revisit := func(e *entry) bool { return e.useless == 0 && e.revisit }
	x.byID = sync.OnceValue(func() []uint32 { return x.order(original, idOf) })
	x.byPayload = sync.OnceValue(func() []uint32 { return x.order(original, payloadOf) })
	x.revisits = sync.OnceValue(func() []uint32 { return x.order(revisit, idOf) })
	x.segments = sync.OnceValue(func() []uint32 {
		return x.order(func(e *entry) bool { return e.useless == continuation }, idOf)
	})
	return x
}

func idOf(e *entry) uint64 { return e.id }

func payloadOf(e *entry) uint64 { return e.payload }

// order returns the indexes of the wanted entries, sorted by the result of the function of. It omits entries for which
// of returns 0.
func (x *index) order(wanted func(*entry) bool, of func(*entry) uint64) []uint32 {
	var list []uint32
	for i := range x.entries.len() {
		if e := x.entries.at(i); of(e) != 0 && wanted(e) {
			list = append(list, uint32(i))
		}
	}
	slices.SortStableFunc(list, func(a, b uint32) int {
		return cmp.Compare(of(x.entries.at(int(a))), of(x.entries.at(int(b))))
	})
	return list
}

// oldest is a time before any other.
const oldest = math.MinInt64

// url yields the entries with the URL hash h, in order of time. It omits entries before the time from.
func (x *index) url(h uint64, from int64) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		n := x.entries.len()
		i := sort.Search(n, func(i int) bool {
			e := x.entries.at(i)
			return e.url > h || e.url == h && e.time >= from
		})
		for ; i < n && x.entries.at(i).url == h && yield(x.entries.at(i)); i++ {
		}
	}
}

// second yields the entries with the URL hash h and the time t. It ignores fractions of seconds, because some programs
// do not record them.
func (x *index) second(h uint64, t time.Time) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		from := t.Truncate(time.Second).UnixMicro()
		for e := range x.url(h, from) {
			if e.time >= from+time.Second.Microseconds() || !yield(e) {
				return
			}
		}
	}
}

// at yields the entries in list for which the function of returns h. list must be sorted by of.
func (x *index) at(list []uint32, h uint64, of func(*entry) uint64) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		i, _ := slices.BinarySearchFunc(list, h, func(n uint32, h uint64) int {
			return cmp.Compare(of(x.entries.at(int(n))), h)
		})
		for ; i < len(list) && of(x.entries.at(int(list[i]))) == h; i++ {
			if !yield(x.entries.at(int(list[i]))) {
				return
			}
		}
	}
}
