package pdffile

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/ascii85"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zlib"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
)

// A filterChain reads a stream's data and reverses the stream's filters (7.4). Each filter is a reader, so the data
// are never in memory as a whole.
type filterChain struct {
	io.Reader
	zlibs []io.ReadCloser // reused for other streams
}

// decoded returns the decoded data of a stream with these filters.
func (f *File) decoded(filters []streamFilter, data io.Reader) (*filterChain, error) {
	all := &filterChain{Reader: data}
	for _, sf := range filters {
		if err := all.add(sf); err != nil {
			all.close()
			if sf.name != "" {
				err = fmt.Errorf("%s: %w", sf.name, err)
			}
			return nil, err
		}
		all.Reader = &meteredReader{r: all.Reader, f: f}
	}
	return all, nil
}

// imageFormats are the filters that decode an image format (table 6).
var imageFormats = []string{"DCTDecode", "JPXDecode", "CCITTFaxDecode", "JBIG2Decode"}

// close returns reusable readers to the pool. It must be called once only.
func (d *filterChain) close() {
	for _, z := range d.zlibs {
		inflaters.Put(z)
	}
}

// add reverses one more filter.
func (d *filterChain) add(sf streamFilter) error {
	switch sf.name {
	case "Crypt": // reversed by decryption
	case "FlateDecode", "LZWDecode":
		parms, err := sf.numbers()
		if err != nil {
			return err
		}
		if sf.name == "LZWDecode" {
			d.Reader = &pieceReader{next: newLZWDecoder(d.Reader, min(parms["EarlyChange"], 1)).next}
		} else if z, err := inflater(d.Reader); err == nil {
			d.Reader, d.zlibs = z, append(d.zlibs, z)
		} else {
			return flateDamage(err)
		}
		if parms["Predictor"] > 1 {
			d.Reader, err = newPredictor(d.Reader, parms)
		}
		return err
	case "ASCII85Decode":
		d.Reader = ascii85.NewDecoder(&ascii85Data{r: d.Reader})
	case "ASCIIHexDecode":
		d.Reader = &hexReader{r: bufio.NewReader(d.Reader)}
	case "RunLengthDecode":
		d.Reader = &pieceReader{next: (&runLength{r: bufio.NewReader(d.Reader)}).next}
	case "":
		return errors.New("an element of Filter is not a name")
	default:
		return errors.New("webcap does not decode this filter")
	}
	return nil
}

// inflaters reuses zlib readers, which are large.
var inflaters sync.Pool

func inflater(data io.Reader) (io.ReadCloser, error) {
	z, ok := inflaters.Get().(io.ReadCloser)
	if !ok {
		return zlib.NewReader(data)
	}
	if err := z.(zlib.Resetter).Reset(data, nil); err != nil {
		inflaters.Put(z)
		return nil, err
	}
	return z, nil
}

var errFlate = errors.New("the deflated data are damaged")

// flateDamage returns errFlate for an error of the decoder of deflated data, and any other error unchanged.
func flateDamage(err error) error {
	_, corrupt := errors.AsType[flate.CorruptInputError](err)
	if corrupt || err == zlib.ErrHeader || err == zlib.ErrChecksum || err == zlib.ErrDictionary {
		return errFlate
	}
	return err
}

// meteredPiece is the maximum number of bytes that are decoded before they are paid.
const meteredPiece = 1 << 16

// meteredReader pays for decoded bytes. Its errors are in the words of webcap.
type meteredReader struct {
	r io.Reader
	f *File
}

func (m *meteredReader) Read(p []byte) (int, error) {
	if err := m.f.stopped(); err != nil {
		return 0, err
	}
	n, err := m.r.Read(p[:min(len(p), meteredPiece)])
	if over := m.f.meter.Pay(int64(n)); over != nil {
		return n, over
	}
	return n, flateDamage(err)
}

// buffers of decoded data are reused.
var decodedBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// readUpTo reads all of r. More than limit bytes are an error. If the data are truncated or damaged, it returns the
// part before that, as other PDF readers do, and whole is false. It is an error if there is no such part.
func readUpTo(r io.Reader, limit int64) (data []byte, whole bool, err error) {
	b := decodedBuffers.Get().(*bytes.Buffer)
	defer decodedBuffers.Put(b)
	b.Reset()
	n, err := b.ReadFrom(io.LimitReader(r, limit+1))
	switch {
	case n > limit:
		return nil, false, fmt.Errorf("decodes to more than %d bytes", limit)
	case errors.Is(err, meter.Over{}), n == 0 && err != nil:
		return nil, false, err
	}
	return bytes.Clone(b.Bytes()), err == nil, nil
}

// A streamFilter is one of the filters of a stream (7.4) with its parameters.
type streamFilter struct {
	name  string        // without abbreviation; empty if the filter is not a name
	parms object.Object // dictionary or reference; null for none
	src   object.Source
}

// maxFilters is the maximum number of filters of one stream; real files have at most two.
const maxFilters = 8

// filtersOf returns the filters of a stream with the dictionary d, in order. It reads their parameters only on demand,
// because many filters need none.
func filtersOf(src object.Source, d object.Dict) ([]streamFilter, error) {
	names, err := filterList(src, d.Lookup("Filter"))
	switch {
	case err != nil:
		return nil, err
	case len(names) > maxFilters:
		return nil, fmt.Errorf("more than %d filters", maxFilters)
	case len(names) == 0:
		return nil, nil
	}
	all := make([]streamFilter, len(names))
	for i, o := range names {
		if o, err = object.Resolve(src, o); err != nil {
			return nil, err
		}
		n, _ := o.Name()
		all[i] = streamFilter{name: cmp.Or(longNames[string(n)], string(n)), src: src}
	}
	parms, err := filterList(src, d.Lookup("DecodeParms"))
	for i := range all {
		switch {
		case err != nil:
			all[i].parms = d.Lookup("DecodeParms") // so that filters fail that need them
		case i < len(parms):
			all[i].parms = parms[i]
		}
	}
	return all, nil
}

// filterList returns the elements of an array, up to one more than the maximum number of filters. Any other object
// counts as its only element; null has no elements.
func filterList(src object.Source, o object.Object) (all []object.Object, err error) {
	if o, err = object.Resolve(src, o); err != nil || o.IsNull() {
		return nil, err
	}
	list, ok := o.Array()
	if !ok {
		return []object.Object{o}, nil
	}
	for o := range list.All() {
		if all = append(all, o); len(all) > maxFilters {
			break
		}
	}
	return all, nil
}

// dict returns the parameters; the zero Dict if there are none.
func (sf *streamFilter) dict() (object.Dict, error) {
	o, err := object.Resolve(sf.src, sf.parms)
	d, _ := o.Dict()
	return d, err
}

// numbers are the parameters that are numbers, with their defaults.
var numbers = []struct {
	name   string
	absent int
}{{"Predictor", 1}, {"Colors", 1}, {"BitsPerComponent", 8}, {"Columns", 1}, {"EarlyChange", 1}}

// numbers returns the parameters that are numbers. One that is not an integer from 0 to 1<<31-1 has its default.
func (sf *streamFilter) numbers() (map[string]int, error) {
	m := map[string]int{}
	d, err := sf.dict()
	if err != nil {
		return nil, err
	}
	for _, parm := range numbers {
		v, err := object.Resolve(sf.src, d.Lookup(parm.name))
		if err != nil {
			return nil, err
		}
		m[parm.name] = parm.absent
		if n, ok := v.Int(); ok && n >= 0 && n < 1<<31 {
			m[parm.name] = int(n)
		}
	}
	return m, nil
}

// longNames are the filters with an abbreviated name. Abbreviations belong to inline images (8.9.7), but some writers
// use them elsewhere.
var longNames = map[string]string{"Fl": "FlateDecode", "AHx": "ASCIIHexDecode", "A85": "ASCII85Decode",
	"LZW": "LZWDecode", "RL": "RunLengthDecode"}
