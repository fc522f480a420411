package pdffile

import (
	"bytes"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A rawStream is a stream object as it stands in the file.
type rawStream struct {
	num  uint32
	dict object.Dict
	data []byte
	end  int // position after the data
}

// streamAt reads the stream object at p.
func (f *File) streamAt(p int64) (rawStream, error) {
	after, num, ok := f.header(p)
	if !ok {
		return rawStream{}, damaged("no object at offset %d", p-f.base)
	}
	o, end, err := object.Parse(f.data, after)
	if err != nil {
		return rawStream{}, damaged("object %d: %v", num, err)
	}
	if o.Kind() != object.Stream {
		return rawStream{}, damaged("object %d is %s, not a stream", num, describe(o))
	}
	d, _ := o.Dict()
	start := f.streamStart(end)
	end, _ = f.streamEnd(start, f.plain(d.Lookup("Length")))
	return rawStream{num: num, dict: d, data: f.data[start:end], end: end}, nil
}

// streamStart returns where the data of the stream start whose dictionary ends at p.
func (f *File) streamStart(p int) int {
	p = object.SkipSpace(f.data, p) + len("stream")
	if p < len(f.data) && f.data[p] == '\r' {
		p++
	}
	if p < len(f.data) && f.data[p] == '\n' {
		p++
	}
	return p
}

// streamEnd returns where the data end that start at start, and whether length
// says so. If it is missing or does not lead to endstream, the keyword decides.
func (f *File) streamEnd(start int, length object.Object) (end int, right bool) {
	rest := f.data[start:]
	if n, ok := length.Int(); ok && n >= 0 && n <= int64(len(rest)) {
		if bytes.HasPrefix(rest[object.SkipSpace(rest, int(n)):], []byte("endstream")) {
			return start + int(n), true
		}
	}
	if i := bytes.Index(rest, []byte("endstream")); i >= 0 {
		return start + i, false
	}
	return len(f.data), false
}

// Stream returns the data of the stream object ref as they are stored, decrypted
// and not decoded; nil if it is not a stream. The caller must not change them.
func (r *Reader) Stream(ref object.Ref) ([]byte, error) {
	f := r.f
	if f.pdfcpu != nil {
		return f.pdfcpu.stream(ref)
	}
	if int(ref.Num) >= len(f.entries) || f.entries[ref.Num].kind != inFile || f.entries[ref.Num].gen != ref.Gen {
		return nil, nil
	}
	o, err := r.Get(ref)
	if err != nil || o.Kind() != object.Stream {
		return nil, err
	}
	s, err := f.streamAt(f.entries[ref.Num].at + f.base)
	if err != nil || f.crypt == nil {
		return s.data, err
	}
	data, err := f.crypt.stream(ref, s, f.filters(s.dict))
	if err != nil {
		return nil, &object.Malformed{Ref: ref, Reason: "stream cannot be decrypted: " + err.Error()}
	}
	return data, nil
}

// Data returns the data of the stream object ref, decrypted and with all filters
// taken off; nil if it is not a stream. The error is an *object.Malformed if a
// filter cannot be undone, or gives more than a file of this size may hold.
func (r *Reader) Data(ref object.Ref) ([]byte, error) {
	o, err := r.Get(ref)
	if err != nil || o.Kind() != object.Stream {
		return nil, err
	}
	data, err := r.Stream(ref)
	if err != nil {
		return nil, err
	}
	d, _ := o.Dict()
	if data, _, err = r.f.inflate(rawStream{dict: d}, data); err != nil {
		return nil, &object.Malformed{Ref: ref, Reason: "stream cannot be decoded: " + err.Error()}
	}
	return data, nil
}

// plain resolves a reference to an object that stands in the file itself and
// holds no string. The entries of a stream dictionary that the reader needs are
// such objects: an object stream's own length cannot stand in an object stream.
func (f *File) plain(o object.Object) object.Object {
	ref, ok := o.Ref()
	if !ok {
		return o
	}
	if int(ref.Num) >= len(f.entries) || f.entries[ref.Num].kind != inFile {
		return object.Object{}
	}
	p, num, ok := f.header(f.entries[ref.Num].at + f.base)
	if !ok || num != ref.Num {
		return object.Object{}
	}
	o, _, err := object.Parse(f.data, p)
	if err != nil {
		return object.Object{}
	}
	return o
}
