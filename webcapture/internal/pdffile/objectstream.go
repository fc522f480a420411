package pdffile

import (
	"github.com/webcap-tools/webcap/nametree/object"
)

// An objectStream is a decoded object stream (7.5.7).
type objectStream struct {
	body   []byte
	nums   []uint32 // object numbers, in the stream's order
	starts []int    // where each object starts in body
}

func (s *objectStream) find(num uint32) int {
	for i, n := range s.nums {
		if n == num {
			return i
		}
	}
	return -1
}

// stream returns the decoded object stream with number num.
func (r *Reader) stream(num uint32) (*objectStream, error) {
	if s := r.streams[num]; s != nil {
		return s, nil
	}
	s, err := r.f.decodeObjectStream(num)
	if err != nil {
		return nil, err
	}
	r.streams[num] = s
	r.recent = append(r.recent, num)
	r.held += len(s.body)
	for r.held > cacheBytes && len(r.recent) > 1 {
		oldest := r.recent[0]
		r.held -= len(r.streams[oldest].body)
		delete(r.streams, oldest)
		r.recent = r.recent[1:]
	}
	return s, nil
}

func (f *File) decodeObjectStream(num uint32) (*objectStream, error) {
	if int(num) >= len(f.entries) || f.entries[num].kind != inFile {
		return nil, damaged("object stream %d does not stand in the file", num)
	}
	if _, err := f.decodable(); err != nil {
		return nil, &object.Malformed{Ref: object.Ref{Num: num}, Reason: err.Error()}
	}
	e := f.entries[num]
	raw, err := f.streamAt(e.at + f.base)
	if err != nil {
		return nil, err
	}
	if raw.num != num {
		return nil, damaged("object %d at offset %d, where object stream %d should be", raw.num, e.at, num)
	}
	body, err := f.decode(raw, object.Ref{Num: num, Gen: e.gen})
	if err != nil {
		return nil, err
	}
	n, okN := raw.dict.Lookup("N").Int()
	first, okFirst := raw.dict.Lookup("First").Int()
	if !okN || !okFirst || n < 0 || n > maxStreamObjects || first < 0 || first > int64(len(body)) {
		return nil, damaged("object stream %d: N or First is missing or not possible", num)
	}
	s := &objectStream{body: body, nums: make([]uint32, 0, n), starts: make([]int, 0, n)}
	for p := 0; len(s.nums) < int(n); {
		p = object.SkipSpace(body, p)
		number, q := digits(body, p)
		offset, end := digits(body, object.SkipSpace(body, q))
		if q == p || end == q || number > maxObjectNumber || offset > int64(len(body)) {
			break // the objects that are listed so far can be read
		}
		s.nums = append(s.nums, uint32(number))
		s.starts = append(s.starts, int(first+offset))
		p = end
	}
	return s, nil
}

// compressed reads an object of the object stream whose number is container
// (7.5.7). The stream's own list of numbers counts; the index is a hint.
func (r *Reader) compressed(ref object.Ref, container uint32, index int) (object.Object, error) {
	s, err := r.stream(container)
	if err != nil {
		return object.Object{}, err
	}
	if index >= len(s.nums) || s.nums[index] != ref.Num {
		if index = s.find(ref.Num); index < 0 {
			return object.Object{}, damaged("%v is not in object stream %d", ref, container)
		}
	}
	start := s.starts[index]
	if start > len(s.body) {
		return object.Object{}, inObject(&object.Malformed{Offset: int64(start), Reason: "object stream ends before this object"}, ref)
	}
	o, _, err := object.Parse(s.body, start)
	if err != nil {
		return object.Object{}, inObject(err, ref)
	}
	return o, nil
}

// decode returns the decrypted and decoded data of an object stream.
func (f *File) decode(s rawStream, ref object.Ref) ([]byte, error) {
	data := s.data
	if f.crypt != nil {
		var err error
		if data, err = f.crypt.stream(ref, s, f.filters(s.dict)); err != nil {
			return nil, damaged("object stream %d: %v", ref.Num, err)
		}
	}
	out, err := f.inflate(s, data)
	if err != nil {
		return nil, damaged("object stream %d: %v", ref.Num, err)
	}
	return out, nil
}
