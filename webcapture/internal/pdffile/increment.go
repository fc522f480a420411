package pdffile

import (
	"cmp"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Appendable returns nil, or the reason why no increment may be appended to the file.
func (f *File) Appendable() error {
	switch {
	case f.Repaired():
		return errors.New("the file's cross-reference data is damaged")
	case f.headerAt < 0:
		return errors.New("the file has no header")
	case f.headerAt != 0:
		return fmt.Errorf("the header is at offset %d, and readers disagree on where offsets start", f.headerAt)
	}
	return nil
}

// WriteIncrement writes the unchanged file and then the objects that were put, as an incremental update (ISO
// 32000-2:2020, 7.5.6). The new cross-reference data is of the same kind as the file's newest section. Without
// objects, it writes only the file. The error is that of Appendable, the unwrapped error of w, or about an object
// that cannot be written.
func (u *Update) WriteIncrement(w io.Writer) error {
	if err := u.f.Appendable(); err != nil {
		return err
	}
	return u.f.guarded(func() error {
		if _, err := u.increment(u.output(w)); err != nil {
			return err
		}
		return u.f.Intact()
	})
}

// increment writes the file and the update. It returns the entries of the new section, by object number.
func (u *Update) increment(o *output) (map[uint32]entry, error) {
	f := u.f
	s := section{stream: f.endsInStream(), prev: f.newest}
	numbers := u.numbers()
	if s.stream {
		s.own = u.sectionNumber()
	}
	// Numbers that were taken and not written do not count.
	s.size = uint32(len(f.entries))
	if n, ok := f.trailer.Lookup("Size").Int(); ok && n > 0 && n <= object.MaxNumber+1 {
		s.size = uint32(n)
	}
	s.size = max(s.size, slices.Max(append(slices.Clone(numbers), s.own))+1)
	if err := u.check(s.size); err != nil {
		return nil, err
	}
	if _, err := f.WriteTo(o); err != nil || u.Len() == 0 {
		return nil, cmp.Or(err, o.flush())
	}
	o.sum = md5.New()
	if c := f.data[len(f.data)-1]; c != '\n' && c != '\r' {
		io.WriteString(o, "\n")
	}
	entries := map[uint32]entry{}
	for _, num := range numbers {
		var err error
		if entries[num], err = u.write(o, num); err != nil {
			return nil, err
		}
	}
	if s.stream {
		entries[s.own] = entry{at: o.at, kind: inFile}
	}
	for _, num := range slices.Sorted(maps.Keys(entries)) {
		s.add(num, entries[num])
	}
	return entries, s.write(o, f.trailer)
}

// sectionNumber returns the object number of the appended cross-reference stream. It reuses the number of the
// previous one, which readers find by offset, so no number changes its meaning.
func (u *Update) sectionNumber() uint32 {
	_, num, ok := u.f.header(u.f.newest + u.f.base)
	if _, put := u.objects[num]; !ok || put || num == 0 {
		return u.next
	}
	return num
}

// endsInStream reports whether the newest cross-reference section is a stream.
func (f *File) endsInStream() bool { return f.trailer.Lookup("Type").IsName("XRef") }
