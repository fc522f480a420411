package object

import (
	"errors"
	"fmt"
)

// A Source reads indirect objects.
type Source interface {
	// Get returns the object that r refers to, or null if the file has no such object (ISO 32000-2:2020, 7.3.10). The
	// error is a *Malformed if the bytes at this position are not an object. Any other error means that the source
	// could not be read.
	Get(r Ref) (Object, error)
}

// Resolve returns the target of o if o is a reference, and o otherwise. The error is an error of src, or a *Malformed
// for a circular or too long chain of references.
func Resolve(src Source, o Object) (Object, error) {
	o, _, err := Follow(src, o)
	return o, err
}

// Follow is Resolve for callers that need the reference. ref is the last reference on the way to the object; if there
// is an error, ref is the reference that could not be followed. ref.Num is 0 if o is not a reference.
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

// A Malformed error means that bytes of a file are not a PDF object, or that a reference leads only to references. It
// describes a problem of the file; all other errors describe a failure to read the file.
type Malformed struct {
	Ref    Ref   // the object, if Ref.Num is not 0
	Offset int64 // offset in the file or the decoded object stream; 0 if unknown
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

// IsMalformed reports whether err is a *Malformed: a problem of the file, and not a failure to read it.
func IsMalformed(err error) bool {
	_, ok := errors.AsType[*Malformed](err)
	return ok
}

// IgnoreMalformed returns err, or nil if err is a *Malformed. It is for callers that skip malformed objects, and stop
// when the disk fails.
func IgnoreMalformed(err error) error {
	if IsMalformed(err) {
		return nil
	}
	return err
}

// A Sink writes changed objects. They must be well formed; the sink copies them.
type Sink interface {
	// New returns a reference with an unused object number. The caller must put this object later.
	New() Ref

	// Put sets the object ref to body, the text of any object except a stream. Strings in body are not encrypted, even
	// if the file is encrypted. If an object is put twice, the last body counts.
	Put(ref Ref, body []byte)
}
