package pdffile

import (
	"bytes"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A Reader reads objects of a File. It is an object.Source for one goroutine
// at a time and keeps the object streams that it decoded last.
type Reader struct {
	f       *File
	streams map[uint32]*objectStream
	recent  []uint32 // keys of streams, the oldest first
	held    int      // bytes of streams
}

// NewReader returns a Reader of f.
func (f *File) NewReader() *Reader {
	return &Reader{f: f, streams: map[uint32]*objectStream{}}
}

// Get returns the object that r names, null if the file has none (ISO
// 32000-2:2020, 7.3.10). Strings are decrypted. The error is an
// *object.Malformed if the object is not well formed, and a *Damage if the
// cross-reference data leads to something else.
func (r *Reader) Get(ref object.Ref) (object.Object, error) {
	f := r.f
	if f.whole != nil {
		return f.whole.get(ref)
	}
	if int(ref.Num) >= len(f.entries) {
		return object.Object{}, nil
	}
	switch e := f.entries[ref.Num]; e.kind {
	case inFile:
		if e.gen != ref.Gen {
			return object.Object{}, nil
		}
		return r.direct(ref, e.at)
	case inStream:
		if ref.Gen != 0 {
			return object.Object{}, nil
		}
		return r.compressed(ref, uint32(e.at), int(e.index))
	}
	return object.Object{}, nil
}

// Position orders objects as they lie in the file; the object streams' members
// follow each other in their stream's place. Reading in this order decodes
// every object stream once.
func (f *File) Position(ref object.Ref) uint64 {
	if f.whole != nil || int(ref.Num) >= len(f.entries) {
		return uint64(ref.Num)
	}
	e := f.entries[ref.Num]
	if e.kind != inStream {
		return uint64(e.at) << 20
	}
	if e.at >= int64(len(f.entries)) {
		return 0
	}
	return uint64(f.entries[e.at].at)<<20 | uint64(min(e.index, 1<<20-1))
}

// direct reads an object that stands in the file by itself.
func (r *Reader) direct(ref object.Ref, at int64) (object.Object, error) {
	f := r.f
	p, num, ok := f.header(at + f.base)
	if !ok {
		return object.Object{}, damaged("no object at offset %d, where %v should be", at, ref)
	}
	if num != ref.Num {
		return object.Object{}, damaged("object %d at offset %d, where %v should be", num, at, ref)
	}
	o, _, err := f.parse(ref, p)
	if err == nil && f.crypt != nil {
		return f.crypt.decrypt(ref, o)
	}
	return o, err
}

// parse parses the object ref, whose header ends at p, and returns the position
// behind it.
func (f *File) parse(ref object.Ref, p int) (object.Object, int, error) {
	if f.scanned.Load() > maxScanned+scannedFactor*f.Size() {
		return object.Object{}, p, &object.Malformed{Ref: ref, Reason: "not read: too many objects of this file are malformed"}
	}
	o, end, err := object.Parse(f.data, p)
	if err != nil {
		f.scanned.Add(f.Size() - int64(p)) // at worst
		return object.Object{}, p, inObject(err, ref)
	}
	return o, end, nil
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

// inObject adds the object to a Malformed error.
func inObject(err error, ref object.Ref) error {
	if m, ok := err.(*object.Malformed); ok {
		m.Ref = ref
	}
	return err
}

// header reads "n g obj" at or shortly after p, and returns the position
// behind it and the object's number.
func (f *File) header(p int64) (after int, num uint32, ok bool) {
	if p < 0 || p >= f.Size() {
		return 0, 0, false
	}
	b := f.data[:min(p+headerReach, f.Size())]
	q := object.SkipSpace(b, int(p))
	n, q1 := digits(b, q)
	if q1 == q || n > maxObjectNumber {
		return 0, 0, false
	}
	q = object.SkipSpace(b, q1)
	_, q1 = digits(b, q)
	if q1 == q {
		return 0, 0, false
	}
	q = object.SkipSpace(b, q1)
	if !bytes.HasPrefix(b[q:], []byte("obj")) {
		return 0, 0, false
	}
	return q + 3, uint32(n), true
}

// digits reads an unsigned decimal number at p; it stops counting, not
// reading, where the number would not fit.
func digits(b []byte, p int) (n int64, after int) {
	for p < len(b) && b[p] >= '0' && b[p] <= '9' {
		if n < 1<<58 {
			n = n*10 + int64(b[p]-'0')
		}
		p++
	}
	return n, p
}

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
