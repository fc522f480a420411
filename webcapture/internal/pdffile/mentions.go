package pdffile

import (
	"bytes"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Mentioning returns the objects of the file whose text has one of the names as stored, such as "/ID", and not before
// an array. The text of a stream is that of its dictionary. Only the first 64 KB of an object are searched. Unreadable
// objects and object streams are skipped, because a search for optional data is no reason to repair a file.
func (r *Reader) Mentioning(names []string) (refs []object.Ref, err error) {
	f := r.f
	if f.byPdfcpu != nil {
		return f.Refs(), nil
	}
	err = f.guarded(func() error {
		inObjects := f.Size() > objectWindow || mentions(f.data, names) // most small files are searched in one piece
		searched := map[uint32]bool{}                                   // object streams
		for num, e := range f.entries {
			switch {
			case f.stopped() != nil:
				return f.stopped()
			case e.kind == inFile && inObjects && mentions(f.head(e.at+f.base), names):
				refs = append(refs, object.Ref{Num: uint32(num), Gen: e.gen})
			case e.kind == inStream && !searched[uint32(e.at)]:
				searched[uint32(e.at)] = true
				refs = append(refs, r.membersMentioning(uint32(e.at), names)...)
			}
		}
		return r.Settle()
	})
	return refs, err
}

// membersMentioning is Mentioning for the objects of an object stream.
func (r *Reader) membersMentioning(stream uint32, names []string) (refs []object.Ref) {
	s, err := r.stream(stream)
	if err != nil || !mentions(s.body, names) {
		return nil
	}
	for i, num := range s.nums {
		start, end := min(s.starts[i], len(s.body)), len(s.body)
		if i+1 < len(s.starts) && s.starts[i+1] >= start {
			end = min(s.starts[i+1], end)
		}
		e := r.f.entry(num)
		isCurrent := e.kind == inStream && e.at == int64(stream)
		if r.Pay(int64(end-start)) == nil && isCurrent && mentions(s.body[start:end], names) {
			refs = append(refs, object.Ref{Num: num})
		}
	}
	return refs
}

// head returns the text of the object at p up to its end, or to the data of a stream, but at most objectWindow bytes.
// It does not touch the data of large streams, so that a mapped file need not be read as a whole.
func (f *File) head(p int64) []byte {
	if p < 0 || p >= f.Size() {
		return nil
	}
	text := f.data[p:]
	for n := 1 << 10; ; n *= 4 {
		part := text[:min(n, len(text))]
		end := bytes.Index(part, []byte("endobj"))
		if end < 0 {
			end = len(part)
		}
		if i := bytes.Index(part[:end], []byte("stream")); i >= 0 {
			end = i
		}
		if end < len(part) || n >= objectWindow || len(part) == len(text) {
			f.meter.Pay(int64(end))
			return part[:end]
		}
	}
}

// mentions reports whether a text has one of the names, each of at least two letters, and not before an array. So ID of
// a trailer does not count.
func mentions(text []byte, names []string) bool {
	for {
		i := bytes.IndexByte(text, '/')
		if i < 0 || len(text)-i < len("/ID ") {
			return false
		}
		text = text[i:]
		for _, name := range names {
			if name[1] != text[1] || name[2] != text[2] || !bytes.HasPrefix(text, []byte(name)) {
				continue // small files have many names, so the first letters are compared first
			}
			p := object.SkipSpace(text, len(name))
			if p < len(text) && !object.IsRegular(text[len(name)]) && text[p] != '[' {
				return true
			}
		}
		text = text[1:]
	}
}
