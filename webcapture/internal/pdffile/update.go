package pdffile

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	mathrand "math/rand/v2"
	"slices"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
)

// An Update holds changed and new objects of a File. WriteIncrement appends them to the bytes of the file;
// WriteFull writes them and all other objects into a new file without history. An Update is an object.Sink for one
// goroutine at a time. Each writing gives the same bytes.
type Update struct {
	f       *File
	objects map[uint32]changedObject // by object number
	next    uint32                   // larger than all used numbers
	taken   map[uint32]bool          // numbers that New skips; nil before its first call
	random  func() io.Reader         // returns the source of initialization vectors from its start
}

// A changedObject is the text of an object with plain strings. For a stream, it is the text of the dictionary.
type changedObject struct {
	gen    uint16
	body   []byte
	stream bool // the object is a stream, whose data do not change

	// The object that body is, if it is not a stream. A preview may read an object of many entries for each of them.
	parsed    object.Object
	malformed error
}

// NewUpdate returns an Update of f without changes. If f is a preview, it includes the changes of the preview.
func (f *File) NewUpdate() *Update {
	if f.shown != nil {
		u := *f.shown
		u.f, u.objects = f, maps.Clone(u.objects)
		return &u
	}
	u := &Update{f: f, objects: map[uint32]changedObject{}, next: max(1, uint32(len(f.entries)))}
	var seed [32]byte
	rand.Read(seed[:])
	u.random = func() io.Reader { return mathrand.NewChaCha8(seed) }
	if size, ok := f.trailer.Lookup("Size").Int(); ok && size > int64(u.next) && size <= object.MaxNumber+1 {
		u.next = uint32(size)
	}
	if f.byPdfcpu != nil {
		for _, ref := range f.byPdfcpu.refs() {
			u.next = max(u.next, ref.Num+1)
		}
	}
	return u
}

// Preview returns the file as it will be after the update is written, without writing it. While the preview is in use,
// the update must not change, and the file must stay open: they share the bytes of the file.
func (u *Update) Preview() *File {
	f := *u.f
	f.buffer = nil // the file returns the buffer to the pool
	f.meter, f.shown = meter.New(f.Size()), u
	return &f
}

// get returns object ref if it was put.
func (u *Update) get(ref object.Ref) (o object.Object, put bool, err error) {
	c, put := u.objects[ref.Num]
	if !put || c.gen != ref.Gen {
		return o, put, nil
	}
	if !c.stream {
		return c.parsed, true, c.malformed
	}
	body, _, err := u.f.keptData(ref, c.body)
	if err != nil {
		return o, true, err
	}
	o, _, err = object.Parse(append(body, " stream"...), 0)
	return o, true, inObject(err, ref)
}

// New returns the next unused number, with generation 0. It skips numbers to which the file refers: a reference to
// a missing object means null, and must not refer to a new object. The first call reads all objects of the file.
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

// dangling returns the numbers from first on to which the file refers.
func (f *File) dangling(first uint32) map[uint32]bool {
	found := map[uint32]bool{}
	refs := f.Refs()
	slices.SortStableFunc(refs, func(a, b object.Ref) int { return cmp.Compare(f.Position(a), f.Position(b)) })
	r := f.NewReader()
	for _, ref := range refs {
		o, _ := r.Get(ref) // unreadable objects have no references
		for ref := range o.Refs() {
			if ref.Num >= first && ref.Num <= object.MaxNumber {
				found[ref.Num] = true
			}
		}
	}
	return found
}

// Put sets object ref, which is not a stream, to the text body. The object keeps its generation. Strings in body
// are plain, as in results of [Reader.Get]; writing encrypts them.
func (u *Update) Put(ref object.Ref, body []byte) {
	c := changedObject{gen: ref.Gen, body: bytes.Clone(body)}
	o, _, err := object.Parse(c.body, 0)
	c.parsed, c.malformed = o, inObject(err, ref)
	u.objects[ref.Num] = c
	u.next = max(u.next, ref.Num+1)
}

// PutDict sets the dictionary of stream ref to dict, the text of a dictionary. The stored data do not change.
func (u *Update) PutDict(ref object.Ref, dict []byte) {
	u.objects[ref.Num] = changedObject{gen: ref.Gen, body: bytes.Clone(dict), stream: true}
}

// Len returns the number of objects that were put.
func (u *Update) Len() int { return len(u.objects) }

// Forget releases the objects after they are written.
func (u *Update) Forget() { u.objects = map[uint32]changedObject{} }

// check returns an error if the objects cannot be written with numbers below size.
func (u *Update) check(size uint32) error {
	for _, num := range u.numbers() {
		if num == 0 || num > object.MaxNumber {
			return fmt.Errorf("object number %d is invalid", num)
		}
	}
	if size > object.MaxNumber+1 {
		return fmt.Errorf("new objects would need numbers above %d", object.MaxNumber)
	}
	return nil
}

// numbers returns the numbers of the objects that were put, in order.
func (u *Update) numbers() []uint32 { return slices.Sorted(maps.Keys(u.objects)) }

// write writes object num, which was put, and returns its new entry.
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
		if body, err = u.f.crypt.encrypt(ref, body, o.random); err != nil {
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

// keptData returns the stored data of a stream, and its dictionary with the correct length.
func (f *File) keptData(ref object.Ref, dict []byte) (body, data []byte, err error) {
	e := f.entry(ref.Num)
	if e.kind != inFile {
		return nil, nil, fmt.Errorf("object %v is not a stream", ref)
	}
	raw, err := f.streamAt(e.at + f.base)
	if err != nil {
		return nil, nil, err
	}
	o, _, err := object.Parse(dict, 0)
	if err != nil {
		return nil, nil, inObject(err, ref)
	}
	d, _ := o.Dict()
	return withLength(d, len(raw.data)), raw.data, nil
}
