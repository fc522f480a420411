package pdffile

import (
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
)

// A Reader reads objects of a File and caches recently decoded object streams. It is an object.Source for one
// goroutine at a time.
type Reader struct {
	f       *File
	streams map[uint32]*objectStream
	held    int    // bytes of the cached streams
	owed    int64  // work that is not in the meter yet
	block   []byte // see own
}

// NewReader returns a Reader of f.
func (f *File) NewReader() *Reader { return &Reader{f: f, streams: map[uint32]*objectStream{}} }

// Pay is Pay of the meter of the file. It collects small amounts, because goroutines that pay often would wait for each
// other.
func (r *Reader) Pay(n int64) error {
	const some = 1 << 16
	if r.owed += n; r.owed >= some {
		return r.Settle()
	}
	return r.f.meter.Over()
}

// Settle passes the work that r has collected to the meter. The error may also be the cause of a canceled context.
func (r *Reader) Settle() error {
	r.f.meter.Pay(r.owed)
	r.owed = 0
	return r.f.stopped()
}

// Forget drops all decoded streams, so that the cost of later reads does not depend on earlier ones.
func (r *Reader) Forget() {
	clear(r.streams)
	r.held = 0
}

// Get returns the object that ref names, or null if the file has none (ISO 32000-2:2020, 7.3.10). Strings are
// decrypted. The error is an *object.Malformed if the object is not well formed, and a *Damage if the
// cross-reference data leads to something else. The object does not refer to mapped bytes of the file.
func (r *Reader) Get(ref object.Ref) (o object.Object, err error) {
	err = r.f.guarded(func() error {
		o, err = guardedReader{r}.Get(ref)
		return err
	})
	return o, err
}

// A guardedReader is a Reader for code that runs in guarded.
type guardedReader struct{ r *Reader }

// Get is Reader.Get.
func (g guardedReader) Get(ref object.Ref) (object.Object, error) {
	o, err := g.r.get(ref)
	if err == nil {
		err = g.r.Pay(meter.Object + int64(len(o.Raw())))
	}
	return o, err
}

func (r *Reader) get(ref object.Ref) (object.Object, error) {
	f := r.f
	if f.shown != nil {
		if o, put, err := f.shown.get(ref); put {
			return o, err
		}
	}
	if f.byPdfcpu != nil {
		o, err := f.byPdfcpu.get(ref)
		return o, inObject(err, ref)
	}
	switch e := f.entry(ref.Num); e.kind {
	case inFile:
		if e.gen != ref.Gen {
			return object.Object{}, nil
		}
		return r.direct(ref, e.at)
	case inStream:
		if ref.Gen != 0 {
			return object.Object{}, nil
		}
		return r.compressed(ref, uint32(e.at), int(e.index))
	case lost, brokenOff, unknown:
		if e.kind != unknown || f.unlisted && ref.Num != 0 {
			return object.Object{}, &object.Malformed{Ref: ref, Reason: whyLost[e.kind]}
		}
	}
	return object.Object{}, nil
}

// entry returns the entry of object num; the zero entry, which is unknown, if num is larger than all numbers.
func (f *File) entry(num uint32) entry {
	if uint64(num) < uint64(len(f.entries)) {
		return f.entries[num]
	}
	return entry{}
}

// Position orders objects by their place in the file. Members of an object stream follow each other at the place of
// the stream. Reading in this order decodes each object stream once.
func (f *File) Position(ref object.Ref) uint64 {
	if uint64(ref.Num) >= uint64(len(f.entries)) { // also if pdfcpu has read the file
		return uint64(ref.Num)
	}
	switch e := f.entry(ref.Num); {
	case e.kind == inFile:
		return uint64(e.at) << 20
	case e.kind == inStream && e.at < int64(len(f.entries)):
		return uint64(f.entries[e.at].at)<<20 | uint64(min(e.index, 1<<20-1))
	}
	return 0
}

// direct reads an object outside of object streams.
func (r *Reader) direct(ref object.Ref, at int64) (object.Object, error) {
	f := r.f
	p, err := f.start(ref, at)
	if err != nil {
		return object.Object{}, err
	}
	o, _, err := f.parse(ref, p)
	if err != nil {
		return object.Object{}, err
	}
	if o, err = r.own(o); err == nil && f.crypt != nil {
		return f.crypt.decrypt(ref, o)
	}
	return o, err
}

// start returns the position after the header of object ref at offset at.
func (f *File) start(ref object.Ref, at int64) (p int, err error) {
	p, num, ok := f.header(at + f.base)
	if !ok {
		return 0, damaged("no object at offset %d, where %v should be", at, ref)
	}
	if num != ref.Num {
		return 0, damaged("object %d at offset %d, where %v should be", num, at, ref)
	}
	return p, nil
}

// parse parses object ref, whose header ends at p, and returns the position after it.
func (f *File) parse(ref object.Ref, p int) (object.Object, int, error) {
	o, end, err := object.Parse(f.data, p)
	if err != nil {
		f.meter.Pay((f.Size() - int64(p)) / 2) // an object that is not closed is parsed up to the end of the file
		return object.Object{}, p, inObject(err, ref)
	}
	return o, end, nil
}

// paySearch pays for n bytes that were searched in vain. Searching is faster than decoding.
func (f *File) paySearch(n int) { f.meter.Pay(int64(n) / 16) }

// inObject adds the object to a Malformed error.
func inObject(err error, ref object.Ref) error {
	if m, ok := err.(*object.Malformed); ok {
		m.Ref = ref
	}
	return err
}
