package pdffile

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// An Update is changed and new objects of a File, to be written with the rest of
// it: after its bytes by WriteIncrement, or as a file without history by
// WriteFull. It is an object.Sink for one goroutine at a time. The same objects
// give the same bytes, except for the random part of what AES encrypts.
type Update struct {
	f       *File
	objects map[uint32]changedObject // by object number
	next    uint32                   // above all numbers that are taken
	taken   map[uint32]bool          // numbers that New passes over; nil before it is called
	lost    []object.Ref
	random  io.Reader // of initialization vectors
}

var _ object.Sink = (*Update)(nil)

// A changedObject object is its text, in which strings are plain; of a stream that of its
// dictionary.
type changedObject struct {
	gen    uint16
	body   []byte
	stream bool // its data stay as they are
}

// NewUpdate returns an Update of f that changes nothing yet. That of a preview holds
// what the preview shows, so that what is written is the file with both.
func (f *File) NewUpdate() *Update {
	if f.shown != nil {
		u := *f.shown
		u.f, u.objects = f, maps.Clone(u.objects)
		return &u
	}
	u := &Update{f: f, objects: map[uint32]changedObject{}, next: max(1, uint32(len(f.entries))), random: rand.Reader}
	if size, ok := f.trailer.Lookup("Size").Int(); ok && size > int64(u.next) && size <= maxObjectNumber+1 {
		u.next = uint32(size)
	}
	if f.byPdfcpu != nil {
		for _, ref := range f.byPdfcpu.refs() {
			u.next = max(u.next, ref.Num+1)
		}
	}
	return u
}

// Preview returns the file as it will be read when the update is written, without
// writing it. The update must not change while it is used. It shares the bytes of the
// file, which are released with that.
func (u *Update) Preview() *File {
	f := *u.f
	f.buffer = nil // which the file gives back
	f.work, f.shown = new(work), u
	return &f
}

// Shows reports whether an object of a preview is one that was put.
func (f *File) Shows(ref object.Ref) bool {
	if f.shown == nil {
		return false
	}
	_, put := f.shown.objects[ref.Num]
	return put
}

// get returns the object ref as it was put; false if none with its number was.
func (u *Update) get(ref object.Ref) (o object.Object, put bool, err error) {
	c, put := u.objects[ref.Num]
	if !put || c.gen != ref.Gen {
		return o, put, nil
	}
	body := c.body
	if c.stream {
		body = append(bytes.Clone(body), " stream"...)
	}
	o, _, err = object.Parse(body, 0)
	return o, true, inObject(err, ref)
}

// New returns the next number that no object has and nothing in the file refers to,
// with generation 0: a reference to an object that is missing means null, and shall
// not come to mean a new one. The first call looks at every object of the file.
func (u *Update) New() object.Ref {
	if u.taken == nil {
		u.taken = u.f.dangling(u.next)
	}
	for u.taken[u.next] {
		u.next++
	}
	ref := object.Ref{Num: u.next}
	u.next++
	return ref
}

// dangling returns the numbers from first on that objects of the file refer to.
func (f *File) dangling(first uint32) map[uint32]bool {
	found := map[uint32]bool{}
	look := func(o object.Object) {
		for ref := range o.Refs() {
			if ref.Num >= first && ref.Num <= maxObjectNumber {
				found[ref.Num] = true
			}
		}
	}
	refs := f.Refs()
	slices.SortFunc(refs, func(a, b object.Ref) int {
		return cmp.Or(cmp.Compare(f.Position(a), f.Position(b)), a.Compare(b))
	})
	r := f.NewReader()
	for _, ref := range refs {
		if o, err := r.Get(ref); err == nil { // what cannot be read refers to nothing
			look(o)
		}
	}
	return found
}

// Put makes body, the text of an object that is not a stream, the object ref, which
// keeps its generation. Strings in body are plain, as [Reader.Get] returns them;
// they are encrypted when they are written.
func (u *Update) Put(ref object.Ref, body []byte) {
	u.objects[ref.Num] = changedObject{ref.Gen, bytes.Clone(body), false}
	u.next = max(u.next, ref.Num+1)
}

// PutDict makes dict, the text of a dictionary, that of the stream ref, whose data stay as
// they are stored.
func (u *Update) PutDict(ref object.Ref, dict []byte) {
	u.objects[ref.Num] = changedObject{ref.Gen, bytes.Clone(dict), true}
}

// Len returns the number of objects that were put.
func (u *Update) Len() int { return len(u.objects) }

// Forget drops the objects when they are written. Lost stays.
func (u *Update) Forget() { u.objects = map[uint32]changedObject{} }

// Lost returns the objects that the last WriteFull left out, in order of their
// numbers: the file's cross-reference data names them, and no object could be
// made out where they should be.
func (u *Update) Lost() []object.Ref { return u.lost }

// check says why the objects cannot be written with numbers below size.
func (u *Update) check(size uint32) error {
	for _, num := range u.numbers() {
		if num == 0 || num > maxObjectNumber {
			return fmt.Errorf("object number %d is not possible", num)
		}
	}
	if size > maxObjectNumber+1 {
		return fmt.Errorf("no object numbers are left up to %d", maxObjectNumber)
	}
	return nil
}

// numbers returns the numbers of the objects that were put, in order.
func (u *Update) numbers() []uint32 { return slices.Sorted(maps.Keys(u.objects)) }

// write writes the object num that was put, and returns its entry.
func (u *Update) write(o *output, num uint32) (entry, error) {
	c := u.objects[num]
	ref, body := object.Ref{Num: num, Gen: c.gen}, c.body
	var data []byte
	if c.stream {
		var err error
		if body, data, err = u.f.keptData(ref, body); err != nil {
			return entry{}, err
		}
	}
	if u.f.crypt != nil {
		var err error
		if body, err = u.f.crypt.encrypt(ref, body, u.random); err != nil {
			return entry{}, err
		}
	}
	e := entry{at: o.at, gen: c.gen, kind: inFile}
	fmt.Fprintf(o, "%d %d obj\n", ref.Num, ref.Gen)
	o.Write(body)
	if c.stream {
		io.WriteString(o, "\nstream\n")
		o.Write(data)
		io.WriteString(o, "\nendstream")
	}
	_, err := io.WriteString(o, "\nendobj\n")
	return e, err
}

// keptData returns the dictionary of a stream with the length that its data have, and
// these as they are stored.
func (f *File) keptData(ref object.Ref, dict []byte) (body, data []byte, err error) {
	switch {
	case f.byPdfcpu != nil:
		data = f.byPdfcpu.stream(ref)
	case !f.hasEntry(ref.Num) || f.entries[ref.Num].kind != inFile:
		return nil, nil, fmt.Errorf("object %v is not a stream", ref)
	default:
		raw, err := f.streamAt(f.entries[ref.Num].at + f.base)
		if err != nil {
			return nil, nil, err
		}
		data = raw.data
	}
	o, _, err := object.Parse(dict, 0)
	if err != nil {
		return nil, nil, inObject(err, ref)
	}
	d, _ := o.Dict()
	return withLength(d, len(data)), data, nil
}
