package pdffile

import (
	"context"
	"errors"
	"runtime/debug"
	"unsafe"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Bytes of a mapped file may disappear while they are read: another program makes the file shorter, or its disk
// fails. Two rules turn that into an error, without any duty for other packages:
//
//   - No mapped byte leaves the package. It returns copies (see Reader.own), or
//     readers that copy.
//   - Code that reads mapped bytes runs in guarded, on the reading goroutine. Every exported
//     function that reads the data begins there.

var (
	errCutShort = errors.New("the file was cut short while it was read")
	errFault    = errors.New("the file became unreadable while it was read")
)

// reading is called before mapped bytes are read; nil except in tests.
var reading func()

// guarded runs do, which reads the data of f. A fault of mapped bytes becomes an error. For a file that became
// shorter, any error is errCutShort.
func (f *File) guarded(do func() error) (err error) {
	if err := f.Err(); err != nil {
		return err
	}
	if f.mapped == nil {
		return do()
	}
	if reading != nil {
		reading()
	}
	defer f.caught(debug.SetPanicOnFault(true), &err)
	return do()
}

func (f *File) caught(before bool, err *error) {
	debug.SetPanicOnFault(before)
	if p := recover(); p != nil {
		start := uintptr(unsafe.Pointer(unsafe.SliceData(f.data)))
		fault, ok := p.(interface{ Addr() uintptr })
		isFault := ok && fault.Addr() >= start && fault.Addr() < start+uintptr(len(f.data))
		if !isFault && f.Intact() == nil {
			panic(p) // otherwise the fault comes from data that became zeros while they were parsed
		}
		*err = errFault
	}
	if *err != nil {
		if cut := f.Intact(); cut != nil {
			*err = cut
		}
	}
}

// Err returns the reason why the file cannot be read any more: the cause of the canceled context, or nil. It is
// cheap, so callers may call it often.
func (f *File) Err() error {
	if f.ctx != nil && f.ctx.Err() != nil {
		return context.Cause(f.ctx)
	}
	return nil
}

// Intact returns an error if the file is shorter than when it was opened, or its context is canceled. The last page
// of a shortened mapped file ends in zeros, without a fault. So data count only if the file is intact afterwards.
func (f *File) Intact() error {
	if err := f.Err(); err != nil || f.mapped == nil {
		return err
	}
	st, err := f.handle.Stat()
	if err == nil && st.Size() < f.Size() {
		return errCutShort
	}
	return err
}

// own returns o, an object in the data of the file, with its own bytes if those are mapped. If the end of o is
// still the same when it is copied, and not zero, with which no object ends, the copy is the parsed object.
func (r *Reader) own(o object.Object) (object.Object, error) {
	if r.f.mapped == nil || len(o.Raw()) == 0 {
		return o, nil
	}
	own := r.copied(o)
	if raw := o.Raw(); raw[len(raw)-1] == 0 {
		return object.Object{}, errCutShort
	}
	return own, nil
}

// copied returns o with a copy of its bytes. Many small objects share a block and are freed together.
func (r *Reader) copied(o object.Object) object.Object {
	n := len(o.Raw())
	if n > ownBlock/4 {
		return o.Clone()
	}
	if n > cap(r.block)-len(r.block) {
		r.block = make([]byte, 0, ownBlock)
	}
	start := len(r.block)
	r.block = append(r.block, o.Raw()...)
	return o.Over(r.block[start:len(r.block):len(r.block)])
}
