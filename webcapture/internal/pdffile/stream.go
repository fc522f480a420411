package pdffile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
)

// A rawStream is a stream object as stored.
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
	end, _ = f.streamEnd(start, f.length(d))
	return rawStream{num: num, dict: d, data: f.data[start:end], end: end}, nil
}

// streamStart returns the start of the data of the stream whose dictionary ends at p.
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

// streamEnd returns the end of the data that begin at start. right means that length is correct. If length is
// missing, or endstream does not follow there, it searches for endstream.
func (f *File) streamEnd(start int, length object.Object) (end int, right bool) {
	rest := f.data[start:]
	if n, ok := length.Int(); ok && n >= 0 && n <= int64(len(rest)) {
		if bytes.HasPrefix(rest[object.SkipSpace(rest, int(n)):], []byte("endstream")) {
			return start + int(n), true
		}
	}
	if f.meter.Over() != nil {
		return len(f.data), false
	}
	i := bytes.Index(rest, []byte("endstream"))
	if i < 0 {
		i = len(rest)
	}
	f.paySearch(i)
	return start + i, false
}

// A Stream reads the data of a stream object once, without keeping them.
type Stream struct {
	f    *File
	ref  object.Ref
	r    io.Reader
	size int64
}

// Size returns the number of stored bytes.
func (s *Stream) Size() int64 { return s.size }

// Read reads the next bytes.
func (s *Stream) Read(p []byte) (n int, err error) {
	err = s.f.guarded(func() error {
		n, err = s.r.Read(p)
		return s.f.streamError(s.ref, "decoded", err)
	})
	return n, err
}

// Stream returns the stored data of stream ref, decrypted but not decoded. The Stream is empty if ref is not a stream.
func (r *Reader) Stream(ref object.Ref) (s *Stream, err error) {
	s, _, err = r.open(ref)
	return s, err
}

// Data returns the data of stream ref, decrypted and decoded, except for an image format as the last filter. The Stream
// is empty if ref is not a stream or has no stored data. Data, and Read of its result, return an *object.Malformed if a
// filter fails.
func (r *Reader) Data(ref object.Ref) (s *Stream, err error) {
	err = r.f.guarded(func() error {
		var d object.Dict
		if s, d, err = r.open(ref); err != nil || s.size == 0 { // qpdf writes no data for an empty FlateDecode stream
			return err
		}
		filters, err := filtersOf(guardedReader{r}, d)
		if err != nil {
			return r.f.streamError(ref, "decoded", err)
		}
		if n := len(filters); n > 0 && slices.Contains(imageFormats, filters[n-1].name) {
			filters = filters[:n-1]
		}
		out, err := r.f.decoded(filters, s.r)
		s.r = out
		return r.f.streamError(ref, "decoded", err)
	})
	return s, err
}

// streamError returns the error of a stream that cannot be decoded or decrypted: an *object.Malformed. A *Damage of an
// object that the stream refers to, and meter.Over, stay as they are.
func (f *File) streamError(ref object.Ref, what string, err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	if errors.Is(err, meter.Over{}) {
		return err
	}
	if d, ok := errors.AsType[*Damage](err); ok {
		return d
	}
	return &object.Malformed{Ref: ref, Reason: fmt.Sprintf("stream cannot be %s: %v", what, err)}
}

// open returns the stored data of stream ref, and the stream's dictionary.
func (r *Reader) open(ref object.Ref) (s *Stream, d object.Dict, err error) {
	none := &Stream{f: r.f, r: bytes.NewReader(nil)}
	o, err := r.Get(ref)
	if err != nil || o.Kind() != object.Stream {
		return none, d, err
	}
	d, _ = o.Dict()
	if r.f.byPdfcpu != nil {
		data := r.f.byPdfcpu.stream(ref)
		return &Stream{r.f, ref, bytes.NewReader(data), int64(len(data))}, d, nil
	}
	e := r.f.entry(ref.Num)
	if e.kind != inFile {
		return none, d, nil // object streams contain no streams (7.5.7)
	}
	err = r.f.guarded(func() error {
		raw, err := r.f.streamAt(e.at + r.f.base)
		if err != nil {
			return err
		}
		var filters []streamFilter
		if r.f.crypt != nil { // one of them may say how the data are encrypted
			if filters, err = filtersOf(guardedReader{r}, d); err != nil {
				return r.f.streamError(ref, "decrypted", err)
			}
		}
		data, err := r.f.crypt.stream(ref, raw, filters)
		if err != nil {
			return r.f.streamError(ref, "decrypted", err)
		}
		s = &Stream{r.f, ref, data, int64(len(raw.data))}
		return r.Pay(s.size)
	})
	return s, d, err
}

// A plainSource reads objects outside of object streams; any other object is null. It is for the length of a stream,
// and for dictionaries of object streams and cross-reference streams, which are read before any object stream. The
// objects must not contain strings, which stay encrypted.
type plainSource struct{ f *File }

// Get returns an object; the error is nil.
func (s plainSource) Get(ref object.Ref) (object.Object, error) {
	e := s.f.entry(ref.Num)
	p, num, ok := s.f.header(e.at + s.f.base)
	if e.kind != inFile || !ok || num != ref.Num {
		return object.Object{}, nil
	}
	return s.f.objectAt(p), nil
}

// length returns Length of a stream; null if it is in an object stream.
func (f *File) length(d object.Dict) object.Object {
	o, _ := object.Resolve(plainSource{f}, d.Lookup("Length"))
	return o
}
