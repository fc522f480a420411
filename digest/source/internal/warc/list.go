package warc

import (
	"cmp"
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

func (a *Archive) List(yield func(*capture.Candidate, error) bool) { a.ListAmong(nil)(yield) }

// ListAmong yields all captures of an archive. among are sources that may have the originals of revisits.
func (a *Archive) ListAmong(among []capture.Archive) iter.Seq2[*capture.Candidate, error] {
	others := ofKind(among)
	return func(yield func(*capture.Candidate, error) bool) {
		in := placeReader{parts: a.parts}
		defer in.Close()
		for _, i := range a.index.inPlace() {
			e := a.index.entries.at(int(i))
			if e.useless != 0 {
				continue
			}
			s, err := in.read(e)
			var c *capture.Candidate
			if err == nil {
				c, err = a.candidateAt(e, s, others)
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// placeReader reads records in the order of their archive files, and opens each file once.
type placeReader struct {
	parts []Part
	in    *memberReader // reader of the last part
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

// Close closes the open file, if any.
func (r *placeReader) Close() {
	if r.in != nil {
		r.in.Close()
	}
	r.in = nil
}

// inPlace returns the indexes of all entries, sorted by the positions of their records in the archive.
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

// byPlace compares entries by the positions of their records.
func byPlace(a, b *entry) int {
	return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.member, b.member), cmp.Compare(a.skip, b.skip))
}
