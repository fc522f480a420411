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

// inflate applies the stream's filters to data (7.4). Data that breaks off gives
// what there is of it, and is not whole.
func (f *File) inflate(s rawStream, data []byte) (out []byte, whole bool, err error) {
	whole = true
	filters := f.filters(s.dict)
	if len(filters) > maxFilters {
		return nil, false, fmt.Errorf("more than %d filters", maxFilters)
	}
	for _, sf := range filters {
		limit, err := f.decodable()
		if err != nil {
			return nil, false, err
		}
		ended := true
		switch p := sf.numbers(); {
		case sf.name == "Crypt": // resolved where the stream is decrypted
		case sf.name == filter.Flate && p["Predictor"] <= 1:
			data, ended, err = inflateFlate(data, limit)
		default:
			data, err = inflateOther(sf.name, p, data, limit)
		}
		if err != nil {
			f.decoded.Add(limit) // nobody knows how far it got
			return nil, false, fmt.Errorf("%s: %w", sf.name, err)
		}
		whole = whole && ended
		f.decoded.Add(int64(len(data)))
	}
	return data, whole, nil
}

// decodable returns how many bytes the next stream of the file may decode to.
func (f *File) decodable() (int64, error) {
	left := maxDecoded + decodedFactor*f.Size() - f.decoded.Load()
	if left <= 0 {
		return 0, errors.New("streams of this file decode to too many bytes")
	}
	return min(left, maxStream+streamFactor*f.Size(), maxStreamAtAll), nil
}

// A streamFilter is one of the filters of a stream (7.4) with its parameters.
type streamFilter struct {
	name  string // the long one
	parms object.Dict
}

// filters returns the filters of a stream, in order.
func (f *File) filters(d object.Dict) []streamFilter {
	var all []streamFilter
	for o := range f.listOf(d.Lookup("Filter")) {
		n, _ := o.Name()
		all = append(all, streamFilter{name: longFilterName(string(n))})
	}
	i := 0
	for o := range f.listOf(d.Lookup("DecodeParms")) {
		if i < len(all) {
			all[i].parms, _ = f.plain(o).Dict()
		}
		i++
	}
	return all
}

// numbers returns the parameters that are numbers.
func (sf *streamFilter) numbers() map[string]int {
	m := map[string]int{}
	for k, v := range sf.parms.All() {
		if n, ok := v.Int(); ok && n >= 0 && n < 1<<31 {
			m[string(k)] = int(n)
		}
	}
	return m
}

// listOf yields the elements of an array, or an object that is not an array; null yields nothing.
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
// breaks off is returned as far as it goes, as readers do, and has not ended.
func inflateFlate(data []byte, limit int64) (out []byte, ended bool, err error) {
	in := inflaters.Get().(*inflater)
	defer inflaters.Put(in)
	if in.z == nil {
		in.z, err = zlib.NewReader(bytes.NewReader(data))
	} else {
		err = in.z.(zlib.Resetter).Reset(bytes.NewReader(data), nil)
	}
	if err != nil {
		return nil, false, err
	}
	in.out.Reset()
	_, err = io.Copy(&in.out, io.LimitReader(in.z, limit+1))
	out = in.out.Bytes()
	if in.out.Cap() > maxScratchBytes {
		in.out = bytes.Buffer{}
	} else {
		out = bytes.Clone(out)
	}
	switch {
	case int64(len(out)) > limit:
		return nil, false, fmt.Errorf("decodes to more than %d bytes", limit)
	case err != nil && len(out) == 0:
		return nil, false, err
	}
	return out, err == nil, nil
}

// inflateOther leaves the other filters, and predictors, to pdfcpu.
func inflateOther(name string, parms map[string]int, data []byte, limit int64) (out []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cannot decode: %v", p)
		}
	}()
	fl, err := filter.NewFilter(name, parms, limit)
	if err != nil {
		return nil, err
	}
	r, err := fl.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	out, err = io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(out)) > limit {
		return nil, fmt.Errorf("decodes to more than %d bytes", limit)
	}
	return out, err
}
