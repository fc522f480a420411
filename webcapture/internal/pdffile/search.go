package pdffile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A search finds the objects of a file without its cross-reference data.
type search struct {
	f       *File
	streams []uint32 // numbers of the object streams
	end     int      // position after the header or the data of the last object
	last    uint32   // number of the last object
	before  entry    // entry of the previous object with the number last
}

// openBySearch searches the file for "n g obj", and finds members of object streams by decoding these streams.
// Later objects replace earlier ones, as in incremental updates. pdfcpu also repairs tables, but does not find
// members of object streams.
func (f *File) openBySearch(header int) error {
	f.searched = true
	known := &File{fileBytes: fileBytes{data: f.data, meter: f.meter}}
	f.unlisted = known.readSections(header) != nil // the sections read before the damage are used
	f.slack, f.unread = known.slack, known.unread
	s := search{f: f}
	s.objects()
	f.findCutOff(s.end)
	s.dropBroken()
	f.searchTrailer()
	if f.trailer.Raw() == nil {
		f.makeTrailer()
	}
	if err := f.openCrypt(); f.trailerMade && errors.Is(err, ErrPassword) {
		return fmt.Errorf("%w; the trailer is missing, and the key may need its ID", err)
	} else if err != nil {
		return err
	}
	s.objectStreams()
	f.addClaimed(known)
	return f.searchCatalog()
}

// objects records all objects outside of object streams.
func (s *search) objects() {
	f, b := s.f, s.f.data[:s.f.used()]
	for p := 0; f.stopped() == nil; {
		i := bytes.Index(b[p:], []byte("obj"))
		if i < 0 {
			return
		}
		p += i + len("obj")
		at, num, gen, ok := headerBefore(b, p-len("obj"))
		if !ok {
			continue
		}
		s.last, s.before = num, f.entry(num)
		f.replace(num, entry{at: int64(at), gen: gen, kind: inFile})
		p = s.stream(num, p)
		s.end = p
	}
}

// typeWindow is the number of bytes searched for Type in the dictionary of a stream, which may be malformed.
const typeWindow = 512

// stream checks whether object num, whose header ends at p, is a stream. It returns the position after the stream's
// data, or p. Objects in the data do not belong to the file: an embedded PDF has its own objects. A long dictionary
// is only searched, not parsed: it may be malformed, and large files have many streams.
func (s *search) stream(num uint32, p int) (after int) {
	f := s.f
	head := f.data[:min(p+typeWindow, len(f.data))]
	if !bytes.Contains(head[p:], []byte("stream")) {
		return p
	}
	if isObjectStream(head[p:]) {
		s.streams = append(s.streams, num)
	}
	o, end, err := object.Parse(head, p)
	if err != nil || o.Kind() != object.Stream {
		return p
	}
	d, _ := o.Dict()
	if after, right := f.streamEnd(f.streamStart(end), f.length(d)); right {
		return after
	}
	return p
}

// isObjectStream reports whether b starts with the dictionary of an object stream.
func isObjectStream(b []byte) bool {
	dict, _, ok := bytes.Cut(b[:min(typeWindow, len(b))], []byte("stream"))
	return ok && bytes.Contains(dict, []byte("/ObjStm")) && !bytes.Contains(dict, []byte("endobj"))
}

// dropBroken removes the entry of the last object if the file ends within this object. An earlier version of the object
// replaces it; without one, the object is lost.
func (s *search) dropBroken() {
	f := s.f
	if !f.isCutOff || s.end == 0 || bytes.Contains(f.data[s.end:], []byte("endobj")) {
		return
	}
	e := f.entries[s.last]
	p, _, _ := f.header(e.at)
	o, end, err := object.Parse(f.data, p)
	if err == nil && !(openEnded(o) && end == len(f.data)) {
		return
	}
	if f.entries[s.last] = s.before; s.before.kind == unknown {
		f.entries[s.last] = entry{at: e.at, gen: e.gen, kind: brokenOff}
	}
}

// addClaimed adds a lost entry for each object that is listed in readable cross-reference data, but was not found.
// Such an object is not absent from the document, only from the rest of the file.
func (f *File) addClaimed(known *File) {
	for num, e := range known.entries {
		if e.kind != inFile && e.kind != inStream || f.entry(uint32(num)).kind != unknown {
			continue
		}
		if f.replace(uint32(num), entry{gen: e.gen, kind: lost}) != nil {
			return
		}
	}
}

// searchTrailer uses the last dictionary in the file that has Root: a trailer or the dictionary of a
// cross-reference stream.
func (f *File) searchTrailer() {
	at := f.lastTrailer()
	for _, e := range f.entries {
		if e.kind != inFile || e.at < int64(at) {
			continue
		}
		q, _, ok := f.header(e.at)
		if !ok || !bytes.Contains(f.data[q:min(q+typeWindow, len(f.data))], []byte("/XRef")) {
			continue
		}
		if d, ok := f.objectAt(q).Dict(); ok && d.Lookup("Type").IsName("XRef") && !d.Lookup("Root").IsNull() {
			at, f.trailer = int(e.at), d
		}
	}
}

// lastTrailer uses the last trailer that has Root. It returns the trailer's position, or -1.
func (f *File) lastTrailer() (at int) {
	at = f.used()
	for f.stopped() == nil {
		if at = bytes.LastIndex(f.data[:at], []byte("trailer")); at < 0 {
			return -1
		}
		if d, ok := f.objectAt(at + len("trailer")).Dict(); ok && !d.Lookup("Root").IsNull() {
			f.trailer = d
			return at
		}
	}
	return -1
}

// makeTrailer makes a trailer for a file without one. It must find the encryption dictionary: otherwise encrypted
// data would be read as plain.
func (f *File) makeTrailer() {
	text := "<<>>"
	if ref, ok := f.searchDict("Filter", "Standard"); ok {
		text = "<</Encrypt " + ref.String() + ">>"
	}
	o, _, _ := object.Parse([]byte(text), 0)
	f.trailer, _ = o.Dict()
	f.trailerMade = true
}

// searchDict returns the last dictionary in the file in which the value of key is this name.
func (f *File) searchDict(key, name string) (found object.Ref, ok bool) {
	r := f.NewReader()
	for _, ref := range f.Refs() {
		o, err := r.Get(ref)
		if err != nil || o.Kind() != object.Dictionary {
			continue
		}
		d, _ := o.Dict()
		if d.Lookup(key).IsName(name) && (!ok || f.Position(ref) > f.Position(found)) {
			found, ok = ref, true
		}
	}
	return found, ok
}

// objectStreams records the objects in object streams, in the order of the file.
func (s *search) objectStreams() {
	f := s.f
	slices.SortStableFunc(s.streams, func(a, b uint32) int { return cmp.Compare(f.entries[a].at, f.entries[b].at) })
	for _, num := range slices.Compact(s.streams) {
		if f.stopped() != nil {
			return
		}
		if p, _, ok := f.header(f.entries[num].at); ok && isObjectStream(f.data[p:]) { // still one
			f.addObjectStream(num)
		}
	}
}

// addObjectStream records the objects of object stream num. It skips an object that also occurs later in the file,
// outside of object streams. It also skips a truncated object if the file has another version of it.
func (f *File) addObjectStream(num uint32) {
	s, err := f.decodeObjectStream(num)
	if f.stopped() != nil {
		return
	}
	if err != nil {
		prefix := fmt.Sprintf("object stream %d: ", num)
		f.lose("object stream %d cannot be read: %s", num, strings.TrimPrefix(reason(err), prefix))
		return
	}
	if s.listEnds() {
		f.lose("object stream %d is cut off: it lists only %d of its %d objects", num, len(s.nums), s.count)
	}
	at := f.entries[num].at
	for i, n := range s.nums {
		if e := f.entry(n); e.kind == inFile && e.at > at || e.kind != unknown && f.isCut(s, i) {
			continue
		}
		if f.replace(n, entry{at: int64(num), index: uint32(i), kind: inStream}) != nil {
			return
		}
	}
}

// lose records an unreadable part.
func (f *File) lose(format string, args ...any) {
	f.unread = append(f.unread, &object.Malformed{Reason: fmt.Sprintf(format, args...)})
}

// searchCatalog checks that the trailer refers to a catalog; if not, it uses the last catalog in the file.
func (f *File) searchCatalog() error {
	missing := f.checkCatalog()
	if missing == nil {
		return nil
	}
	found, ok := f.searchDict("Type", "Catalog")
	switch {
	case !ok && f.trailerMade:
		return damaged("no trailer, and no catalog either")
	case !ok:
		return missing
	}
	if !f.trailerMade {
		f.lose("%v; webcap uses %v, the last readable catalog", reason(missing), found)
	}
	set := object.Setting{Key: "Root", Value: []byte(found.String())}
	o, _, err := object.Parse(f.trailer.AppendWith(nil, set), 0)
	f.trailer, _ = o.Dict()
	return err
}
