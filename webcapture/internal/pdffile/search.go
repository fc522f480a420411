package pdffile

import (
	"bytes"

	"github.com/webcap-tools/webcap/nametree/object"
)

// openBySearch finds the objects of a file by searching it for "n g obj", and
// those in object streams by decoding all of these. What comes later in the file
// replaces what came before, as in incremental updates. pdfcpu, which repairs
// tables too, does not find what stands in object streams.
func (f *File) openBySearch(_ int, passwords []string) error {
	f.searched = true
	streams := f.searchObjects()
	f.searchTrailer()
	if err := f.openCrypt(passwords); err != nil {
		return err
	}
	for _, num := range streams {
		f.addObjectStream(num)
	}
	if f.trailer.Lookup("Root").IsNull() && !f.searchCatalog() {
		return damaged("no trailer, and no catalog either")
	}
	return f.checkCatalog()
}

// searchObjects records every object that stands in the file itself, and
// returns the numbers of the object streams, in file order.
func (f *File) searchObjects() (streams []uint32) {
	b := f.data
	for p := 0; ; {
		i := bytes.Index(b[p:], []byte("obj"))
		if i < 0 {
			return streams
		}
		p += i + len("obj")
		at, num, gen, ok := headerBefore(b, p-len("obj"))
		if !ok {
			continue
		}
		f.grow(int64(num) + 1)
		again := f.entries[num].kind == inFile
		f.entries[num] = entry{at: int64(at), gen: gen, kind: inFile}
		// The dictionary is looked at, not parsed: it may be broken, and the
		// streams of a large file are many.
		head := b[p:min(p+typeWindow, len(b))]
		if i := bytes.Index(head, []byte("stream")); i >= 0 && bytes.Contains(head[:i], []byte("/ObjStm")) && !again {
			streams = append(streams, num)
		}
	}
}

// searchTrailer takes the last trailer dictionary that names a catalog, or else
// the last dictionary of a cross-reference stream that does.
func (f *File) searchTrailer() {
	b := f.data
	p := len(b)
	for range trailerAttempts {
		i := bytes.LastIndex(b[:p], []byte("trailer"))
		if i < 0 {
			break
		}
		p = i
		if o, _, err := object.Parse(b[:min(i+trailerWindow, len(b))], i+len("trailer")); err == nil {
			if d, ok := o.Dict(); ok && !d.Lookup("Root").IsNull() {
				f.trailer = d
				return
			}
		}
	}
	best := int64(-1)
	for _, e := range f.entries {
		if e.kind != inFile || e.at < best {
			continue
		}
		q, _, ok := f.header(e.at)
		if !ok || !bytes.Contains(b[q:min(q+typeWindow, len(b))], []byte("/XRef")) {
			continue
		}
		if o, _, err := object.Parse(b[:min(q+trailerWindow, len(b))], q); err == nil {
			if d, ok := o.Dict(); ok && d.Lookup("Type").IsName("XRef") && !d.Lookup("Root").IsNull() {
				best, f.trailer = e.at, d
			}
		}
	}
}

// addObjectStream records the objects of an object stream, except those that
// stand in the file after it.
func (f *File) addObjectStream(num uint32) {
	s, err := f.decodeObjectStream(num)
	if err != nil {
		return // what is in it cannot be had
	}
	at := f.entries[num].at
	for i, n := range s.nums {
		f.grow(int64(n) + 1)
		if e := f.entries[n]; e.kind != inFile || e.at < at {
			f.entries[n] = entry{at: int64(num), index: uint32(i), kind: inStream}
		}
	}
}

// searchCatalog makes up a trailer for the last catalog in the file.
func (f *File) searchCatalog() bool {
	r := f.NewReader()
	var found object.Ref
	for num := range f.entries {
		ref := object.Ref{Num: uint32(num), Gen: f.entries[num].gen}
		o, err := r.Get(ref)
		if err != nil || o.Kind() != object.Dictionary {
			continue
		}
		d, _ := o.Dict()
		if d.Lookup("Type").IsName("Catalog") && (found.Num == 0 || f.Position(ref) > f.Position(found)) {
			found = ref
		}
	}
	if found.Num == 0 {
		return false
	}
	o, _, err := object.Parse([]byte("<</Root "+found.String()+">>"), 0)
	f.trailer, _ = o.Dict()
	return err == nil
}
