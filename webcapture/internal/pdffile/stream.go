package pdffile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
	"github.com/pdfcpu/pdfcpu/pkg/filter"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A rawStream is a stream object as it stands in the file.
type rawStream struct {
	num  uint32
	dict object.Dict
	data []byte
}

// streamAt reads the stream object at p.
func (f *File) streamAt(p int64) (rawStream, error) {
	after, num, ok := f.header(p)
	if !ok {
		return rawStream{}, damaged("no object at offset %d", p)
	}
	o, end, err := object.Parse(f.data, after)
	if err != nil {
		return rawStream{}, damaged("object %d: %v", num, err)
	}
	if o.Kind() != object.Stream {
		return rawStream{}, damaged("object %d is a %v, not a stream", num, o.Kind())
	}
	d, _ := o.Dict()
	start := object.SkipSpace(f.data, end) + len("stream")
	if start < len(f.data) && f.data[start] == '\r' {
		start++
	}
	if start < len(f.data) && f.data[start] == '\n' {
		start++
	}
	return rawStream{num: num, dict: d, data: f.streamData(d, start)}, nil
}

// streamData returns the bytes of the stream that starts at start. If Length is
// missing or does not lead to endstream, the keyword decides.
func (f *File) streamData(d object.Dict, start int) []byte {
	rest := f.data[min(start, len(f.data)):]
	if n, ok := f.plain(d.Lookup("Length")).Int(); ok && n >= 0 && n <= int64(len(rest)) {
		if bytes.HasPrefix(rest[object.SkipSpace(rest, int(n)):], []byte("endstream")) {
			return rest[:n]
		}
	}
	if i := bytes.Index(rest, []byte("endstream")); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// decode returns the decrypted and decoded data of an object stream.
func (f *File) decode(s rawStream, ref object.Ref) ([]byte, error) {
	data := s.data
	if f.crypt != nil {
		var err error
		if data, err = f.crypt.stream(ref, s); err != nil {
			return nil, damaged("object stream %d: %v", ref.Num, err)
		}
	}
	out, err := f.inflate(s, data)
	if err != nil {
		return nil, damaged("object stream %d: %v", ref.Num, err)
	}
	return out, nil
}

// inflate applies the stream's filters to data (7.4).
func (f *File) inflate(s rawStream, data []byte) ([]byte, error) {
	filters, parms := f.filters(s.dict)
	if len(filters) > maxFilters {
		return nil, fmt.Errorf("more than %d filters", maxFilters)
	}
	for i, name := range filters {
		var err error
		switch p := parms(i); {
		case name == "Crypt": // resolved where the stream is decrypted
		case name == filter.Flate && p["Predictor"] <= 1:
			data, err = inflateFlate(data)
		default:
			data, err = inflateOther(name, p, data)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return data, nil
}

// filters returns the names of a stream's filters, the long ones, and the
// parameters of each that are numbers.
func (f *File) filters(d object.Dict) (names []string, parms func(i int) map[string]int) {
	for o := range f.listOf(d.Lookup("Filter")) {
		n, _ := o.Name()
		names = append(names, longFilterName(string(n)))
	}
	var all []map[string]int
	for o := range f.listOf(d.Lookup("DecodeParms")) {
		m := map[string]int{}
		p, _ := f.plain(o).Dict()
		for k, v := range p.All() {
			if n, ok := v.Int(); ok && n >= 0 && n < 1<<31 {
				m[string(k)] = int(n)
			}
		}
		all = append(all, m)
	}
	return names, func(i int) map[string]int {
		if i < len(all) {
			return all[i]
		}
		return nil
	}
}

// listOf yields the elements of an array, or the one object that is none; null yields nothing.
func (f *File) listOf(o object.Object) func(func(object.Object) bool) {
	o = f.plain(o)
	if list, ok := o.Array(); ok {
		return list.All()
	}
	return func(yield func(object.Object) bool) {
		if !o.IsNull() {
			yield(o)
		}
	}
}

// Stream returns the data of the stream object ref as they are stored, decrypted
// and not decoded; nil if it is no stream. The caller must not change them.
func (r *Reader) Stream(ref object.Ref) ([]byte, error) {
	f := r.f
	if f.whole != nil {
		return f.whole.stream(ref)
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
	data, err := f.crypt.stream(ref, s)
	if err != nil {
		return nil, &object.Malformed{Ref: ref, Reason: "stream cannot be decrypted: " + err.Error()}
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

// longFilterName expands the abbreviations that only inline images may use
// (8.9.7), which some writers use elsewhere.
func longFilterName(name string) string {
	switch name {
	case "Fl":
		return filter.Flate
	case "AHx":
		return filter.ASCIIHex
	case "A85":
		return filter.ASCII85
	case "LZW":
		return filter.LZW
	case "RL":
		return filter.RunLength
	}
	return name
}

// An inflater is a decompressor and room for what comes out of it; both are
// large, so they are kept between streams.
type inflater struct {
	z   io.ReadCloser
	out bytes.Buffer
}

var inflaters = sync.Pool{New: func() any { return new(inflater) }}

// inflateFlate is the hot path: object streams have no predictor. Data that
// breaks off is returned as far as it goes, as readers do.
func inflateFlate(data []byte) ([]byte, error) {
	in := inflaters.Get().(*inflater)
	defer inflaters.Put(in)
	var err error
	if in.z == nil {
		in.z, err = zlib.NewReader(bytes.NewReader(data))
	} else {
		err = in.z.(zlib.Resetter).Reset(bytes.NewReader(data), nil)
	}
	if err != nil {
		return nil, err
	}
	in.out.Reset()
	_, err = io.Copy(&in.out, io.LimitReader(in.z, maxInflated+1))
	switch {
	case in.out.Len() > maxInflated:
		in.out = bytes.Buffer{}
		return nil, fmt.Errorf("decodes to more than %d bytes", maxInflated)
	case err != nil && in.out.Len() == 0:
		return nil, err
	}
	return bytes.Clone(in.out.Bytes()), nil
}

// inflateOther leaves the other filters, and predictors, to pdfcpu.
func inflateOther(name string, parms map[string]int, data []byte) (out []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cannot decode: %v", p)
		}
	}()
	fl, err := filter.NewFilter(name, parms, maxInflated)
	if err != nil {
		return nil, err
	}
	r, err := fl.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	out, err = io.ReadAll(io.LimitReader(r, maxInflated+1))
	if len(out) > maxInflated {
		return nil, errors.New("decodes to too many bytes")
	}
	return out, err
}
