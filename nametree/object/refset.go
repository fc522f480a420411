package object

import (
	"maps"
	"slices"
)

// A RefSet is a set of references. It uses one bit for each object number up to the largest number in the set, because
// object numbers are dense. The zero value is empty.
type RefSet struct {
	bits []uint64     // by number: references with generation 0 and a number up to MaxNumber
	rest map[Ref]bool // other references
}

// Has reports whether r is in the set.
func (s *RefSet) Has(r Ref) bool {
	if r.Gen != 0 || r.Num > MaxNumber {
		return s.rest[r]
	}
	word := int(r.Num / 64)
	return word < len(s.bits) && s.bits[word]>>(r.Num%64)&1 != 0
}

// Clone returns a copy of the set.
func (s *RefSet) Clone() RefSet { return RefSet{slices.Clone(s.bits), maps.Clone(s.rest)} }

// Add adds r to the set, and reports whether r was new.
func (s *RefSet) Add(r Ref) bool {
	if s.Has(r) {
		return false
	}
	if r.Gen != 0 || r.Num > MaxNumber {
		if s.rest == nil {
			s.rest = map[Ref]bool{}
		}
		s.rest[r] = true
		return true
	}
	word := int(r.Num / 64)
	if grow := word + 1 - len(s.bits); grow > 0 {
		s.bits = append(s.bits, make([]uint64, grow)...)
	}
	s.bits[word] |= 1 << (r.Num % 64)
	return true
}
