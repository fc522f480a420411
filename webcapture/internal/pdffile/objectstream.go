package pdffile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
)

// An objectStream is a decoded object stream (7.5.7).
type objectStream struct {
	body   []byte
	nums   []uint32 // object numbers, in the stream's order
	starts []int    // start of each object in body
	count  int      // declared number of objects (N)
	whole  bool     // body is not truncated
	err    error    // the stream cannot be read
}

// Piece returns the maximum size in bytes of what is decoded, or made of an object, in one piece. Memory for it is not
// kept, so the meter does not count it.
func (f *File) Piece() int64 { return 16<<20 + f.Size()/8 }

// cacheBytes is the maximum size of the decoded object streams in one Reader: some dozens.
const cacheBytes = 8 << 20

// stream returns the decoded object stream with number num.
func (r *Reader) stream(num uint32) (*objectStream, error) {
	if s := r.streams[num]; s != nil {
		return s, s.err
	}
	s, err := r.f.decodeObjectStream(num)
	switch {
	case err != nil && r.f.stopped() != nil:
		return nil, err
	case err != nil: // kept, because reading it again may take long
		s = &objectStream{err: err}
	}
	if r.held += len(s.body); r.held > cacheBytes {
		r.Forget()
		r.held = len(s.body)
	}
	r.streams[num] = s
	return s, s.err
}

func (f *File) decodeObjectStream(num uint32) (*objectStream, error) {
	e := f.entry(num)
	if e.kind != inFile {
		return nil, damaged("object stream %d is not in the file", num)
	}
	raw, err := f.streamAt(e.at + f.base)
	if err != nil {
		return nil, err
	}
	if raw.num != num {
		return nil, damaged("object %d at offset %d, where object stream %d should be", raw.num, e.at, num)
	}
	body, whole, err := f.decode(raw, object.Ref{Num: num, Gen: e.gen})
	switch {
	case errors.Is(err, meter.Over{}):
		return nil, err
	case err != nil:
		return nil, damaged("object stream %d: %v", num, err)
	}
	n, okN := raw.dict.Lookup("N").Int()
	first, okFirst := raw.dict.Lookup("First").Int()
	if !okN || !okFirst || n < 0 || n > object.MaxNumber || first < 0 || first > int64(len(body)) {
		return nil, damaged("object stream %d: N or First is missing or invalid", num)
	}
	s := &objectStream{body: body, count: int(n), whole: whole}
	s.readList(int(first))
	return s, nil
}

// readList reads the object numbers and offsets at the start of the stream. It stops at the first malformed one.
func (s *objectStream) readList(first int) {
	most := min(s.count, first/4+1) // "1 0 "
	s.nums, s.starts = make([]uint32, 0, most), make([]int, 0, most)
	for p := 0; len(s.nums) < s.count; {
		p = object.SkipSpace(s.body, p)
		number, q := digits(s.body, p)
		at := object.SkipSpace(s.body, q)
		offset, end := digits(s.body, at)
		if q == p || end == at || number > object.MaxNumber || end == len(s.body) {
			return // the objects listed so far can be read
		}
		s.nums = append(s.nums, uint32(number))
		s.starts = append(s.starts, first+int(offset))
		p = end
	}
}

// compressed reads an object of the object stream with number container (7.5.7). The list of numbers in the stream
// is authoritative; index is only a hint.
func (r *Reader) compressed(ref object.Ref, container uint32, index int) (object.Object, error) {
	s, err := r.stream(container)
	if err != nil {
		return object.Object{}, err
	}
	if index >= len(s.nums) || s.nums[index] != ref.Num {
		index = slices.Index(s.nums, ref.Num)
		if err := r.Pay(int64(len(s.nums))); err != nil {
			return object.Object{}, err
		}
	}
	switch {
	case index >= 0:
		return s.member(ref, index)
	case s.listEnds():
		return object.Object{}, &object.Malformed{Ref: ref,
			Reason: fmt.Sprintf("object stream %d ends before this object", container)}
	}
	return object.Object{}, damaged("%v is not in object stream %d", ref, container)
}

// listEnds reports whether the stream is truncated within its list of objects.
func (s *objectStream) listEnds() bool { return !s.whole && len(s.nums) < s.count }

// member parses object ref, whose number is at this index of nums.
func (s *objectStream) member(ref object.Ref, index int) (object.Object, error) {
	start := s.starts[index]
	if start > len(s.body) {
		return object.Object{}, &object.Malformed{Ref: ref, Offset: int64(start),
			Reason: "object stream ends before this object"}
	}
	o, end, err := object.Parse(s.body, start)
	switch {
	case err != nil:
		return object.Object{}, inObject(err, ref)
	case !s.whole && openEnded(o) && end == len(s.body):
		return object.Object{}, &object.Malformed{Ref: ref, Offset: int64(start),
			Reason: "object stream ends within this object"}
	}
	return o, nil
}

// isCut reports whether the stream is truncated before the end of the object at index.
func (f *File) isCut(s *objectStream, index int) bool {
	if s.whole {
		return false
	}
	if f.stopped() != nil {
		return true
	}
	f.meter.Pay(int64(max(0, len(s.body)-s.starts[index])))
	_, err := s.member(object.Ref{}, index)
	return err != nil
}

// openEnded reports whether o has no end delimiter: such an object ends where another token begins, so a truncated
// one looks well formed.
func openEnded(o object.Object) bool {
	switch o.Kind() {
	case object.Dictionary, object.Array, object.String, object.Stream:
		return false
	}
	return true
}

// decode returns the decrypted and decoded data of an object stream. whole is false if the data are truncated.
func (f *File) decode(s rawStream, ref object.Ref) (out []byte, whole bool, err error) {
	filters, err := filtersOf(plainSource{f}, s.dict)
	if err != nil {
		return nil, false, err
	}
	data, err := f.crypt.stream(ref, s, filters)
	if err != nil {
		return nil, false, err
	}
	d, err := f.decoded(filters, data)
	if err != nil {
		return nil, false, err
	}
	defer d.close()
	out, whole, err = readUpTo(d, f.Piece())
	return out, whole && s.end < len(f.data), err
}
