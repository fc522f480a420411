package object

import (
	"errors"
	"fmt"
)

// A Source is where indirect objects come from.
type Source interface {
	// Get returns the object that r names: null if the file has no such object
	// (ISO 32000-2:2020, 7.3.10). The error is a *Malformed if the bytes at that
	// position are not an object; any other error means that the source could not be
	// read.
	Get(r Ref) (Object, error)
}

// Resolve returns o itself, or what it refers to if it is a reference. The
// error is that of the source, or a *Malformed for a chain of references that
// does not end.
func Resolve(src Source, o Object) (Object, error) {
	o, _, err := Follow(src, o)
	return o, err
}

// Follow is Resolve for callers that need to know where the object is: ref is
// the last reference on the way to it, or the one that could not be followed.
// Its Num is 0 if o is not a reference.
func Follow(src Source, o Object) (found Object, ref Ref, err error) {
	for range maxHops {
		next, ok := o.Ref()
		if !ok {
			return o, ref, nil
		}
		ref = next
		if o, err = src.Get(ref); err != nil {
			return Object{}, ref, err
		}
	}
	if next, ok := o.Ref(); ok {
		return Object{}, next, &Malformed{Ref: next, Reason: "reference that leads to references only"}
	}
	return o, ref, nil
}

// A Malformed error says that bytes of a file are not a PDF object. It is about
// the file; every other error is about the attempt to read it.
type Malformed struct {
	Ref    Ref   // the object, if Ref.Num is not 0
	Offset int64 // within the bytes that were parsed: the file, or a decoded object stream; 0 if unknown
	Reason string
}

// Error returns place and reason, without a full stop.
func (e *Malformed) Error() string {
	s := e.Reason
	if e.Offset != 0 {
		s = fmt.Sprintf("offset %d: %s", e.Offset, s)
	}
	if e.Ref.Num != 0 {
		s = fmt.Sprintf("object %d %d: %s", e.Ref.Num, e.Ref.Gen, s)
	}
	return s
}

// IsMalformed reports whether err is about the file and not about the disk.
func IsMalformed(err error) bool {
	_, ok := errors.AsType[*Malformed](err)
	return ok
}

// IgnoreMalformed returns err, or nil if it speaks of the file: for callers that go
// on without what cannot be read, and stop when the disk fails.
func IgnoreMalformed(err error) error {
	if IsMalformed(err) {
		return nil
	}
	return err
}

// A Sink is where changed objects go. What is put must be well formed; the sink
// copies it.
type Sink interface {
	// New returns a number that no object has, for an object that is put later.
	New() Ref

	// Put makes body, the text of any object but a stream, the object ref.
	// Strings in it are plain, also of an encrypted file. An object that is put
	// twice is what it was put last.
	Put(ref Ref, body []byte)
}
