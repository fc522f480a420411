package source

import (
	"cmp"
	"errors"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// All yields everything that Lookup of src can find, redirects too, in the order of the
// source: of archive files by place, of folders by name. An error speaks of one thing
// that is kept and cannot be read now; others may follow. Nothing is kept in memory but
// where things are.
//
// A Source that is not of this package may not know what it has. Then there is an error
// alone.
func All(src Source) iter.Seq2[*Candidate, error] {
	if l, ok := src.(lister); ok {
		return l.list
	}
	return func(yield func(*Candidate, error) bool) {
		yield(nil, errors.New("a source that is asked for URLs, and does not know all of them"))
	}
}

// A lister yields everything that it keeps; see All.
type lister interface {
	list(yield func(*Candidate, error) bool)
}

// anyURL wants every URL.
func anyURL(string) bool { return true }

func (a *archive) list(yield func(*Candidate, error) bool) { a.all(nil)(yield) }

// all yields everything that an archive keeps. Others may have what a revisit repeats.
func (a *archive) all(others []*archive) iter.Seq2[*Candidate, error] {
	return func(yield func(*Candidate, error) bool) {
		x := a.index
		if a.rest != nil {
			x = a.rest()
		}
		in := placeReader{parts: a.parts}
		defer in.Close()
		for _, i := range x.inPlace() {
			s, err := in.read(x.entries.at(int(i)))
			var c *Candidate
			if err == nil {
				c, err = a.candidate(s, others)
			}
			if (c != nil || err != nil) && !yield(c, err) {
				return
			}
		}
	}
}

// A placeReader reads records in the order in which their archive files have them, and opens each file
// once.
type placeReader struct {
	parts []part
	in    *memberReader // of the part that was read last
}

// read reads the record of an entry.
func (r *placeReader) read(e *entry) (*storedRecord, error) {
	p := &r.parts[e.part]
	if r.in != nil && r.in.part != p {
		r.Close()
	}
	var err error
	if r.in == nil {
		r.in, err = newMemberReader(p, e.position, lookupBuffer)
	} else {
		err = r.in.seek(e.position)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r.in.stored(e.position)
}

// Close closes the file that is open.
func (r *placeReader) Close() {
	if r.in != nil {
		r.in.Close()
	}
	r.in = nil
}

// inPlace returns the places in entries, in the order in which the archive has them.
func (x *index) inPlace() []uint32 {
	list := make([]uint32, x.entries.len())
	for i := range list {
		list[i] = uint32(i)
	}
	slices.SortFunc(list, func(i, j uint32) int {
		return byPlace(x.entries.at(int(i)), x.entries.at(int(j)))
	})
	return list
}

// byPlace compares the places of records of which entries are.
func byPlace(a, b *entry) int {
	return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.member, b.member), cmp.Compare(a.skip, b.skip))
}

func (h *har) list(yield func(*Candidate, error) bool) {
	list := slices.Clone(h.entries)
	slices.SortFunc(list, func(a, b harPlace) int { return cmp.Compare(a.start, b.start) })
	for _, p := range list {
		c, err := h.candidate(p.span, anyURL)
		if !yield(c, err) {
			return
		}
	}
}

func (m *mhtml) list(yield func(*Candidate, error) bool) {
	var list []*mhtmlPart
	for parts := range maps.Values(m.parts) {
		for _, p := range parts {
			list = append(list, p.mhtmlPart)
		}
	}
	slices.SortFunc(list, func(a, b *mhtmlPart) int { return cmp.Compare(a.start, b.start) })
	for _, p := range slices.Compact(list) { // a part has two keys if it has a Content-ID
		if !yield(m.candidate(p), nil) {
			return
		}
	}
}

func (m *manifest) list(yield func(*Candidate, error) bool) {
	var list []manifestEntry
	for entries := range maps.Values(m.entries) {
		list = append(list, entries...)
	}
	slices.SortFunc(list, func(a, b manifestEntry) int { return cmp.Compare(a.line, b.line) })
	for _, e := range list {
		if !yield(m.candidate(e), nil) {
			return
		}
	}
}

// list has the URLs that the names of files stand for; a file whose name says nothing
// has that of the file itself. Folders that cannot be read are in Stats.
func (f *folder) list(yield func(*Candidate, error) bool) {
	for i := range f.names.files {
		name := f.names.name(uint32(i))
		as := strings.TrimSuffix(name, ".orig") // which wget adds to what it has retrieved
		n := fileName{name, path.Ext(as), f.savedURLs[name] != "" || as == name && isFile(f.root, name+".orig")}
		c, err := f.candidate(URLOf(f, filepath.Join(f.path, filepath.FromSlash(as))), n)
		if (c != nil || err != nil) && !yield(c, err) {
			return
		}
	}
}

func (s *spool) list(yield func(*Candidate, error) bool) {
	for n, err := range s.pairs {
		if err != nil {
			continue // Stats has it
		}
		if _, more := s.yield([]spoolName{n}, yield); !more {
			return
		}
	}
}
