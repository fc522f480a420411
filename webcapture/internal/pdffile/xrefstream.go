package pdffile

import (
	"bufio"
	"bytes"
	"io"

	"github.com/webcap-tools/webcap/nametree/object"
)

// readStream reads the cross-reference stream at p (7.5.8) and returns its dictionary.
func (s *sections) readStream(p int64) (object.Dict, error) {
	f := s.f
	raw, err := f.streamAt(p)
	if err != nil {
		return object.Dict{}, damaged("no cross-reference section at offset %d: %s", p-f.base, reason(err))
	}
	widths, ok := ints(raw.dict.Lookup("W"))
	if !ok || len(widths) < 3 || widths[0] > 8 || widths[1] > 8 || widths[2] > 8 || widths[1] == 0 {
		return object.Dict{}, damaged("cross-reference stream at offset %d: W is missing or invalid", p-f.base)
	}
	s.end = max(s.end, raw.end)
	index, ok := ints(raw.dict.Lookup("Index"))
	if !ok || len(index)%2 != 0 {
		size, _ := raw.dict.Lookup("Size").Int()
		index = []int64{0, max(0, size)}
	}
	var d *filterChain
	filters, err := filtersOf(plainSource{f}, raw.dict)
	if err == nil {
		d, err = f.decoded(filters, bytes.NewReader(raw.data))
	}
	if err != nil {
		return object.Dict{}, damaged("cross-reference stream at offset %d: %v", p-f.base, err)
	}
	defer d.close()
	data := bufio.NewReaderSize(d, 1<<9) // most files have few entries
	const rowWork = 32                   // the price of an entry, which takes as long as hashing some ten bytes
	row := make([]byte, widths[0]+widths[1]+widths[2])
	for i := 0; i < len(index); i += 2 {
		first, count := index[i], index[i+1]
		if first+count-1 > object.MaxNumber {
			return object.Dict{}, damaged("cross-reference stream at offset %d: Index %d %d is invalid", p-f.base,
				first, count)
		}
		if err := f.meter.Pay(rowWork * count); err != nil {
			return object.Dict{}, err
		}
		f.grow(first + count)
		for n := range count {
			if _, err := io.ReadFull(data, row); err != nil {
				return object.Dict{}, damaged("cross-reference stream at offset %d: it ends before the entry of object %d", p-f.base, first+n)
			}
			if err := f.set(uint32(first+n), streamEntry(row, widths)); err != nil {
				return object.Dict{}, err
			}
		}
	}
	return raw.dict, nil
}

// streamEntry reads one entry of a cross-reference stream (7.5.8.3).
func streamEntry(data []byte, widths []int64) entry {
	kind, data := field(data, widths[0])
	if widths[0] == 0 {
		kind = 1
	}
	a, data := field(data, widths[1])
	b, _ := field(data, widths[2])
	switch {
	case kind == 1 && a > 0:
		return entry{at: int64(min(a, 1<<43)), gen: uint16(b), kind: inFile}
	case kind == 2:
		return entry{at: int64(min(a, object.MaxNumber+1)), index: uint32(min(b, object.MaxNumber)), kind: inStream}
	}
	return entry{kind: free}
}

func field(data []byte, width int64) (v uint64, rest []byte) {
	for _, c := range data[:width] {
		v = v<<8 | uint64(c)
	}
	return v, data[width:]
}

// ints returns the elements of an array of non-negative integers. It returns false for any other object.
func ints(o object.Object) ([]int64, bool) {
	list, ok := o.Array()
	if !ok {
		return nil, false
	}
	var out []int64
	for e := range list.All() {
		n, ok := e.Int()
		if !ok || n < 0 || n > 1<<40 {
			return nil, false
		}
		out = append(out, n)
	}
	return out, true
}
