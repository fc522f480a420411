package pdffile

import (
	"bytes"

	"github.com/webcap-tools/webcap/nametree/object"
)

// readTable reads the subsections of a classic table. If the trailer has XRefStm, it also reads that stream, which
// lists objects hidden from old readers (7.5.8.4).
func (s *sections) readTable(p int) (object.Dict, error) {
	f := s.f
	var freed []uint32
	b := f.data
	for p = object.SkipSpace(b, p); p < len(b) && b[p] >= '0' && b[p] <= '9'; p = object.SkipSpace(b, p) {
		first, q := digits(b, p)
		count, end := digits(b, object.SkipSpace(b, q))
		if end == q || first+count-1 > object.MaxNumber || count > int64(len(b)-end)/18 {
			return object.Dict{}, damaged("subsection %d %d of the table at offset %d is invalid", first, count,
				int64(p)-f.base)
		}
		if err := f.meter.Pay(20 * count); err != nil {
			return object.Dict{}, err
		}
		f.grow(first + count)
		p = object.SkipSpace(b, end)
		for n := first; n < first+count; n++ {
			e, next, ok := tableEntry(b, p)
			if !ok {
				return object.Dict{}, damaged("the entry of object %d at offset %d is not a table entry", n,
					int64(p)-f.base)
			}
			if e.kind == inFile {
				if err := f.set(uint32(n), e); err != nil {
					return object.Dict{}, err
				}
			} else {
				freed = append(freed, uint32(n))
			}
			p = next
		}
	}
	if !bytes.HasPrefix(b[p:], []byte("trailer")) {
		return object.Dict{}, damaged("no trailer at offset %d, after the table", int64(p)-f.base)
	}
	o, end, err := object.Parse(b, p+len("trailer"))
	d, ok := o.Dict()
	if err != nil || !ok {
		return object.Dict{}, damaged("the trailer at offset %d is not a dictionary", int64(p)-f.base)
	}
	s.end = max(s.end, end)
	// Used objects are recorded before deleted ones. So the hidden stream can place objects that the table marks as free.
	if at, ok := d.Lookup("XRefStm").Int(); ok && !s.seen[at] {
		s.seen[at] = true
		if _, err := s.readStream(at + f.base); err != nil {
			return object.Dict{}, err
		}
	}
	for _, n := range freed {
		if err := f.set(n, entry{kind: free}); err != nil {
			return object.Dict{}, err
		}
	}
	return d, nil
}

// tableEntry reads one entry: ten digits, five digits, n or f. An entry should have 20 bytes, but some writers use
// wrong line ends, so it splits at white space.
func tableEntry(b []byte, p int) (e entry, after int, ok bool) {
	at, q := digits(b, p)
	if q == p {
		return e, p, false
	}
	p = object.SkipSpace(b, q)
	gen, q := digits(b, p)
	if q == p {
		return e, p, false
	}
	p = object.SkipSpace(b, q)
	if p >= len(b) {
		return e, p, false
	}
	switch b[p] {
	case 'n':
		if at > 0 { // no object is at offset 0, but writers use 0 for objects that they never wrote
			e = entry{at: at, gen: uint16(gen), kind: inFile}
		}
	case 'f':
	default:
		return e, p, false
	}
	return e, object.SkipSpace(b, p+1), true
}
