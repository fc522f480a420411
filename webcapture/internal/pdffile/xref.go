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
	lost            // not found, although it is or was in the file; index says why
)

// Why an object is lost.
const (
	claimed = iota // by the cross-reference data, or what is left of it
	broken         // off, by the end of the file
)

var lostReasons = [...]string{
	claimed: "it was not found, and the cross-reference data says that it is in the file",
	broken:  "the file ends within it",
}

// An entry says where one object stands (ISO 32000-2:2020, 7.5.4, 7.5.8.3).
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
	end  int            // position after the one that stands last in the file
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
	return f.checkEnd(s.end)
}

// read reads the section at offset at and returns the offset of the one before it.
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

// grow makes room for objects below n.
func (f *File) grow(n int64) {
	switch {
	case int(n) <= len(f.entries):
	case int(n) <= cap(f.entries):
		f.entries = f.entries[:n] // what was never used is zero
	default:
		// Memory that is made, and not appended to, is not touched before it is
		// used: an entry for object 8000000 alone costs nothing.
		entries := make([]entry, n, max(int(n), min(2*len(f.entries), maxObjectNumber+1)))
		copy(entries, f.entries)
		f.entries = entries
	}
}

// placed counts entries of cross-reference sections. No more are read than the objects
// that there can be, some times over, and the bytes of the file: each section of a file
// that was saved often may have all of them.
func (f *File) placed(n int64) error {
	if most := maxEntries + f.Size(); f.work.entries.Add(n) > most {
		return damaged("the cross-reference sections have more than %d entries", most)
	}
	return nil
}

// set records e for an object, unless a newer section has placed it.
func (f *File) set(num uint32, e entry) {
	if f.entries[num].kind == unknown {
		f.entries[num] = e
	}
}
