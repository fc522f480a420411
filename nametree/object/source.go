package object

import (
	"errors"
	"fmt"
)

// A Source reads indirect objects.
type Source interface {
	// Get returns the object that r refers to: null if the file has no such object (ISO 32000-2:2020, 7.3.10). The
	// error is a *Malformed if the bytes at that position are not an object; any other error means that the source
	// could not be read.
	Get(r Ref) (Object, error)
}

// Resolve returns the target of o if it is a reference, and o otherwise. The error is that of the source, or a
// *Malformed for a chain of references without an end.
func Resolve(src Source, o Object) (Object, error) {
	o, _, err := Follow(src, o)
	return o, err
}

// Follow is Resolve for callers that need the reference: ref is the last reference on the way to the object, or the
// one that could not be followed. Its Num is 0 if o is not a reference.
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

// A Malformed error means that bytes of a file are not a PDF object. It is about the file; all other errors are
// about reading it.
type Malformed struct {
	Ref    Ref   // the object, if Ref.Num is not 0
	Offset int64 // in the parsed bytes, a file or a decoded object stream; 0 if unknown
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

// IsMalformed reports whether err is about the file and not about reading it.
func IsMalformed(err error) bool {
	_, ok := errors.AsType[*Malformed](err)
	return ok
}

// IgnoreMalformed returns err, or nil if it is about the file: for callers that skip malformed objects and stop
// when the disk fails.
func IgnoreMalformed(err error) error {
	if IsMalformed(err) {
		return nil
	}
	return err
}

// A Sink writes changed objects. They must be well formed; the sink copies them.
type Sink interface {
	// New returns an unused object number, for an object that is put later.
	New() Ref

	// Put sets object ref to body, the text of any object but a stream. Strings are not encrypted, even in an encrypted
	// file. If an object is put twice, the last one counts.
	Put(ref Ref, body []byte)
}
