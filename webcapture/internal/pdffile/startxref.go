package pdffile

import (
	"bytes"

	"github.com/webcap-tools/webcap/nametree/object"
)

// findStart finds the newest cross-reference section and sets f.base. Offsets count from the start of the file or from
// the header: 7.5.4 says the former, but writers that put bytes before the header use either.
func (f *File) findStart(header int) (at int64, err error) {
	i := bytes.LastIndex(f.data, []byte("startxref"))
	if i < 0 {
		return 0, damaged("no startxref")
	}
	p := object.SkipSpace(f.data, i+len("startxref"))
	at, q := digits(f.data, p)
	if q == p {
		return 0, damaged("startxref without an offset")
	}
	if at == 0 {
		// A linearized file has this value after its first section (annex F). So the end of the file is missing.
		return 0, damaged("the last startxref is 0")
	}
	for _, base := range []int64{int64(header), 0} {
		if f.isSection(at + base) {
			f.base = base
			return at, nil
		}
	}
	return 0, damaged("no cross-reference section at offset %d, where startxref points", at)
}

// isSection reports whether a cross-reference section starts at p: the keyword xref, or a cross-reference stream.
func (f *File) isSection(p int64) bool {
	if p < 0 || p >= int64(len(f.data)) || p > 0 && object.IsRegular(f.data[p-1]) {
		return false
	}
	if q := object.SkipSpace(f.data[:min(int(p)+8, len(f.data))], int(p)); bytes.HasPrefix(f.data[q:], []byte("xref")) {
		return true
	}
	q, _, ok := f.header(p)
	if !ok {
		return false
	}
	d, ok := f.objectAt(q).Dict()
	return ok && d.Lookup("Type").IsName("XRef")
}

// objectWindow is the length of a trailer, of the dictionary of a section, or of an object that describes a stream.
const objectWindow = 1 << 16

// objectAt parses the object at p; null if it is malformed, or does not end within objectWindow.
func (f *File) objectAt(p int) object.Object {
	end := min(p+objectWindow, len(f.data))
	o, after, err := object.Parse(f.data[:end], p)
	if err != nil {
		after = end
	}
	f.meter.Pay(int64(after - p))
	return o
}
