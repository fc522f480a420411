package pdffile

import (
	"bytes"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
)

// Kinds of positions of an object.
const (
	unknown   = iota // not in any cross-reference section
	free             // marked as deleted
	inFile           // outside of object streams; the position is an offset
	inStream         // in an object stream
	lost             // not found, but listed in the readable cross-reference data
	brokenOff        // cut off by the end of the file
)

// whyLost has the reason why an object cannot be read, for the last two kinds, and for an unknown object that may
// exist.
var whyLost = map[uint8]string{
	unknown:   "not found; the cross-reference data, which would tell whether it exists, is damaged",
	lost:      "not found, although the cross-reference data lists it",
	brokenOff: "the file ends within it",
}

// An entry is the position of one object (ISO 32000-2:2020, 7.5.4, 7.5.8.3).
type entry struct {
	at    int64  // offset, or number of the object stream
	index uint32 // index within the object stream
	gen   uint16
	kind  uint8
}

// sections reads the chain of cross-reference sections.
type sections struct {
	f    *File
	seen map[int64]bool // offsets of sections, to detect loops
	end  int            // position after the section with the highest offset
}

// readSections reads all cross-reference sections, newest first. The first entry of an object counts.
func (f *File) readSections(header int) error {
	at, err := f.findStart(header)
	if err != nil {
		return err
	}
	f.newest = at
	s := sections{f: f, seen: map[int64]bool{}}
	for more := true; more; {
		if s.seen[at] {
			return damaged("the chain of cross-reference sections leads back to offset %d", at)
		}
		s.seen[at] = true
		if err := f.meter.Pay(meter.Object); err != nil {
			return err
		}
		if at, more, err = s.read(at); err != nil {
			return err
		}
	}
	return f.checkEnd(s.end)
}

// read reads the section at offset at. It returns the offset of the previous section; more is false if there is none.
func (s *sections) read(at int64) (prev int64, more bool, err error) {
	f := s.f
	p := at + f.base
	if p < 0 || p >= int64(len(f.data)) {
		return 0, false, damaged("cross-reference section at offset %d, after the end of the file", at)
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

// grow extends f.entries to object numbers below n.
func (f *File) grow(n int64) {
	switch {
	case int(n) <= len(f.entries):
	case int(n) <= cap(f.entries):
		f.entries = f.entries[:n] // unused entries are zero
	default:
		// Fresh memory costs nothing until it is written: a single entry for object 8000000 is cheap.
		entries := make([]entry, n, max(int(n), min(2*len(f.entries), object.MaxNumber+1)))
		copy(entries, f.entries)
		f.entries = entries
	}
}

// set records e for an object, unless a newer section has an entry for it.
func (f *File) set(num uint32, e entry) error {
	if f.entries[num].kind != unknown {
		return nil
	}
	f.entries[num] = e
	return f.meter.Keep(entrySize)
}

// replace records e for an object, and extends f.entries if necessary.
func (f *File) replace(num uint32, e entry) error {
	f.grow(int64(num) + 1)
	before := f.entries[num].kind
	if f.entries[num] = e; before != unknown {
		return nil
	}
	return f.meter.Keep(entrySize)
}

// entrySize is the size of an entry in bytes.
const entrySize = 16
