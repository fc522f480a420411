package pdffile

import (
	"bytes"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Where an object stands.
const (
	unknown  = iota // no cross-reference section names it
	free            // deleted
	inFile          // at an offset
	inStream        // in an object stream
)

// An entry is one row of the cross-reference data (ISO 32000-2:2020, 7.5.4, 7.5.8.3).
type entry struct {
	at    int64  // offset, or number of the object stream
	index uint32 // within the object stream
	gen   uint16
	kind  uint8
}

// sections reads the chain of cross-reference sections.
type sections struct {
	f    *File
	seen map[int64]bool // offsets of sections, against loops
}

// readSections reads all cross-reference sections, the newest first, so that
// the first entry of an object is the one that counts.
func (f *File) readSections(header int) error {
	at, exact, err := f.findStart(header)
	if err != nil {
		return err
	}
	if f.newest = at; !exact {
		f.newest = -1
	}
	s := sections{f: f, seen: map[int64]bool{}}
	for more := true; more; {
		if s.seen[at] {
			return damaged("the chain of cross-reference sections leads back to offset %d", at)
		}
		if len(s.seen) == maxSections {
			return damaged("more than %d cross-reference sections", maxSections)
		}
		s.seen[at] = true
		if at, more, err = s.read(at); err != nil {
			return err
		}
	}
	return nil
}

// findStart finds the newest cross-reference section and sets f.base. Offsets
// count from the header (7.5.4 says from the start of the file, and writers
// that put bytes before the header mean either). It is exact if startxref leads
// to the section.
func (f *File) findStart(header int) (at int64, exact bool, err error) {
	tail := max(0, len(f.data)-startxrefWindow)
	i := bytes.LastIndex(f.data[tail:], []byte("startxref"))
	if i < 0 {
		tail = 0
		if i = bytes.LastIndex(f.data, []byte("startxref")); i < 0 {
			return 0, false, damaged("no startxref")
		}
	}
	p := object.SkipSpace(f.data, tail+i+len("startxref"))
	at, q := digits(f.data, p)
	if q == p {
		return 0, false, damaged("startxref without an offset")
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

// startsSection reports whether a section may begin exactly at p: at a word that
// is a keyword or a number.
func (f *File) startsSection(p int64) bool {
	if p < 0 || p >= int64(len(f.data)) || p > 0 && object.IsRegular(f.data[p-1]) {
		return false
	}
	return f.data[p] == 'x' || f.data[p] >= '0' && f.data[p] <= '9'
}

// isSection reports whether a cross-reference section starts at p: the keyword
// xref, or a stream of that type.
func (f *File) isSection(p int64) bool {
	if p < 0 || p >= int64(len(f.data)) {
		return false
	}
	if f.data[p] == 'x' && bytes.HasPrefix(f.data[p:], []byte("xref")) {
		return p == 0 || !object.IsRegular(f.data[p-1])
	}
	if p > 0 && object.IsRegular(f.data[p-1]) {
		return false
	}
	if q := object.SkipSpace(f.data[:min(int(p)+8, len(f.data))], int(p)); bytes.HasPrefix(f.data[q:], []byte("xref")) {
		return true
	}
	q, _, ok := f.header(p)
	if !ok {
		return false
	}
	o, _, err := object.Parse(f.data[:min(q+trailerWindow, len(f.data))], q)
	d, ok := o.Dict()
	return err == nil && ok && d.Lookup("Type").IsName("XRef")
}

// read reads the section at offset at and returns the offset of the one before it.
func (s *sections) read(at int64) (prev int64, more bool, err error) {
	f := s.f
	p := at + f.base
	if p < 0 || p >= int64(len(f.data)) {
		return 0, false, damaged("cross-reference section at offset %d, behind the end of the file", at)
	}
	q := object.SkipSpace(f.data, int(p))
	var d object.Dict
	if bytes.HasPrefix(f.data[q:], []byte("xref")) {
		d, err = s.readTable(q + len("xref"))
	} else {
		d, err = s.readStream(p)
	}
	if err != nil {
		return 0, false, err
	}
	if f.trailer.Raw() == nil {
		f.trailer = d
	}
	prev, more = d.Lookup("Prev").Int()
	return prev, more && prev > 0, nil
}

// readTable reads the subsections of a classic table, and the stream that
// hides objects from old readers, if the trailer names one (7.5.8.4).
func (s *sections) readTable(p int) (object.Dict, error) {
	f := s.f
	var freed []uint32
	b := f.data
	for p = object.SkipSpace(b, p); p < len(b) && b[p] >= '0' && b[p] <= '9'; p = object.SkipSpace(b, p) {
		first, q := digits(b, p)
		count, end := digits(b, object.SkipSpace(b, q))
		if end == q || first+count-1 > maxObjectNumber || count > int64(len(b)-end)/18 {
			return object.Dict{}, damaged("subsection %d %d of the table at offset %d is not possible", first, count, p)
		}
		f.grow(first + count)
		p = object.SkipSpace(b, end)
		for n := first; n < first+count; n++ {
			e, next, ok := tableRow(b, p)
			if !ok {
				return object.Dict{}, damaged("row for object %d at offset %d is no table row", n, p)
			}
			if e.kind == inFile {
				f.set(uint32(n), e)
			} else {
				freed = append(freed, uint32(n))
			}
			p = next
		}
	}
	if !bytes.HasPrefix(b[p:], []byte("trailer")) {
		return object.Dict{}, damaged("no trailer at offset %d, behind the table", p)
	}
	o, _, err := object.Parse(b, p+len("trailer"))
	d, ok := o.Dict()
	if err != nil || !ok {
		return object.Dict{}, damaged("the trailer at offset %d is no dictionary", p)
	}
	// Here: objects in use are known, deleted ones are not yet, so that the
	// hidden stream can still place the objects that the table calls free.
	if at, ok := d.Lookup("XRefStm").Int(); ok && !s.seen[at] {
		s.seen[at] = true
		if _, err := s.readStream(at + f.base); err != nil {
			return object.Dict{}, err
		}
	}
	for _, n := range freed {
		f.set(n, entry{kind: free})
	}
	return d, nil
}

// tableRow reads one row: ten digits, five digits, n or f. Rows have twenty
// bytes, but writers get the end of the line wrong, so the words count.
func tableRow(b []byte, p int) (e entry, after int, ok bool) {
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
		if at > 0 { // no object stands at offset 0: writers say so of objects they never wrote
			e = entry{at: at, gen: uint16(gen), kind: inFile}
		}
	case 'f':
	default:
		return e, p, false
	}
	return e, object.SkipSpace(b, p+1), true
}

// readStream reads the cross-reference stream at p (7.5.8) and returns its dictionary.
func (s *sections) readStream(p int64) (object.Dict, error) {
	f := s.f
	raw, err := f.streamAt(p)
	if err != nil {
		return object.Dict{}, damaged("no cross-reference section at offset %d: %v", p-f.base, err)
	}
	widths, ok := ints(raw.dict.Lookup("W"))
	if !ok || len(widths) < 3 || widths[0] > 8 || widths[1] > 8 || widths[2] > 8 || widths[1] == 0 {
		return object.Dict{}, damaged("cross-reference stream at offset %d: W is missing or not possible", p-f.base)
	}
	index, ok := ints(raw.dict.Lookup("Index"))
	if !ok || len(index)%2 != 0 {
		size, _ := raw.dict.Lookup("Size").Int()
		index = []int64{0, max(0, size)}
	}
	rows, err := f.inflate(raw, raw.data)
	if err != nil {
		return object.Dict{}, damaged("cross-reference stream at offset %d: %v", p-f.base, err)
	}
	width := int(widths[0] + widths[1] + widths[2])
	for i := 0; i < len(index); i += 2 {
		first := index[i]
		count := min(index[i+1], int64(len(rows)/width))
		if first+count-1 > maxObjectNumber {
			return object.Dict{}, damaged("cross-reference stream at offset %d: Index %d %d is not possible", p-f.base, first, index[i+1])
		}
		f.grow(first + count)
		for n := range count {
			f.set(uint32(first+n), streamRow(rows, widths))
			rows = rows[width:]
		}
	}
	return raw.dict, nil
}

// streamRow reads one row of a cross-reference stream (7.5.8.3).
func streamRow(row []byte, widths []int64) entry {
	kind, row := field(row, widths[0])
	if widths[0] == 0 {
		kind = 1
	}
	a, row := field(row, widths[1])
	b, _ := field(row, widths[2])
	switch {
	case kind == 1 && a > 0:
		return entry{at: int64(min(a, 1<<43)), gen: uint16(b), kind: inFile}
	case kind == 2:
		return entry{at: int64(min(a, maxObjectNumber+1)), index: uint32(min(b, maxStreamObjects)), kind: inStream}
	}
	return entry{kind: free}
}

func field(row []byte, width int64) (v uint64, rest []byte) {
	for _, c := range row[:width] {
		v = v<<8 | uint64(c)
	}
	return v, row[width:]
}

// ints returns the elements of an array of integers that are not negative;
// false if o is none.
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

// grow makes room for objects below n.
func (f *File) grow(n int64) {
	switch {
	case int(n) <= len(f.entries):
	case int(n) <= cap(f.entries):
		f.entries = f.entries[:n] // what was never used is zero
	default:
		// Memory that is made, and not appended to, is not touched before it is
		// used: a row for object 8000000 alone costs nothing.
		entries := make([]entry, n, max(int(n), min(2*len(f.entries), maxObjectNumber+1)))
		copy(entries, f.entries)
		f.entries = entries
	}
}

// set records e for an object, unless a newer section has placed it.
func (f *File) set(num uint32, e entry) {
	if f.entries[num].kind == unknown {
		f.entries[num] = e
	}
}
