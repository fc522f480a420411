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

// index is where the records of an archive are, by URL and then by time. It
// has 64 bytes for each, at most.
type index struct {
	entries   entries
	byID      func() []uint32 // places in entries of records that are no revisits, in order of id
	byPayload func() []uint32 // and of payload
	revisits  func() []uint32 // places of revisits, in order of id
	segments  func() []uint32 // places of continuations, in order of id, which is that of the first segment
}

func newIndex(list entries) *index {
	list.sort(func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.url, b.url), cmp.Compare(a.time, b.time), byPlace(a, b))
	})
	x := &index{entries: list}
	// Only revisits and split records need these.
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

// order returns the places of the entries that are wanted and have what of returns, in order of that.
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

// oldest is no later than any time.
const oldest = math.MinInt64

// url yields the entries for the hash of a URL that are not of before a time, in order of time.
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

// second yields the entries for the hash of a URL and one second, since that is
// all that some programs say of a time.
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

// at yields the entries that have h, where list is in order of what of returns.
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
