package pdffile

import (
	"bytes"

	"github.com/webcap-tools/webcap/nametree/object"
)

// nearby is the distance from startxref to a section that it misses: some tools change line ends.
const nearby = 1_024

// findStart finds the newest cross-reference section and sets f.base. exact means that startxref points to the
// section. Offsets count from the start of the file or from the header: 7.5.4 says the former, but writers that put
// bytes before the header use either.
func (f *File) findStart(header int) (at int64, exact bool, err error) {
	i := bytes.LastIndex(f.data, []byte("startxref"))
	if i < 0 {
		return 0, false, damaged("no startxref")
	}
	p := object.SkipSpace(f.data, i+len("startxref"))
	at, q := digits(f.data, p)
	if q == p {
		return 0, false, damaged("startxref without an offset")
	}
	if at == 0 {
		// A linearized file has this value after its first section (annex F). So the end of the file is missing.
		return 0, false, damaged("the last startxref is 0")
	}
	for _, base := range []int64{int64(header), 0} {
		if f.isSection(at + base) {
			f.base = base
			return at, true, nil
		}
	}
	f.base = int64(header)
	for d := int64(1); d <= nearby; d++ {
		for _, near := range []int64{at - d, at + d} {
			if f.startsSection(near+f.base) && f.isSection(near+f.base) {
				f.notice("startxref is off by %d", at-near)
				return near, false, nil
			}
		}
	}
	return 0, false, damaged("no cross-reference section at offset %d, where startxref points", at)
}

// startsSection reports whether a section may begin at p, with a keyword or a number.
func (f *File) startsSection(p int64) bool {
	return p >= 0 && p < int64(len(f.data)) && (f.data[p] == 'x' || f.data[p] >= '0' && f.data[p] <= '9')
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
	d, ok := f.dictAt(q)
	return ok && d.Lookup("Type").IsName("XRef")
}

// trailerWindow is the length of a trailer, or of the dictionary of a misplaced section.
const trailerWindow = 1 << 16

// dictAt parses a dictionary at p.
func (f *File) dictAt(p int) (object.Dict, bool) {
	o, _, _ := object.Parse(f.data[:min(p+trailerWindow, len(f.data))], p) // null if it cannot be parsed
	return o.Dict()
}
