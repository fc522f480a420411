package pdffile

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"unsafe"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Bytes of a mapped file may disappear while they are read: another program shortens the file, or its disk fails.
// Two rules turn the fault into an error, so that other packages need no precautions:
//
//   - No mapped byte leaves the package. It returns copies (see Reader.own), or readers that copy.
//   - Code that reads mapped bytes runs in guarded, on the reading goroutine. Exported functions that read begin there.

var (
	errCutShort = errors.New("the file was cut short while it was read")
	errFault    = errors.New("the file became unreadable while it was read")
)

// reading is called before mapped bytes are read. It is nil except in tests.
var reading func()

// guarded runs do, which reads the data of f. A fault of mapped bytes becomes an error. If the file was shortened,
// every error becomes errCutShort. After the context is canceled, every error becomes the cause of the cancellation,
// and after the meter is exceeded, meter.Over. So no caller takes these for damage.
func (f *File) guarded(do func() error) (err error) {
	if err := f.Err(); err != nil {
		return err
	}
	if f.mapped == nil {
		if err = do(); err != nil {
			err = cmp.Or(f.stopped(), err)
		}
		return err
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
			panic(p) // if the file is not intact, parsing failed on data that became zeros
		}
		*err = errFault
	}
	if *err != nil {
		*err = cmp.Or(f.Intact(), f.meter.Over(), *err)
	}
}

// Err returns the reason why the file can no longer be read: the cause of the canceled context, or nil. Err is
// cheap, so callers may call it often.
func (f *File) Err() error {
	if f.ctx != nil && f.ctx.Err() != nil {
		return context.Cause(f.ctx)
	}
	return nil
}

// stopped is like Err, and returns meter.Over if the meter is exceeded.
func (f *File) stopped() error { return cmp.Or(f.Err(), f.meter.Over()) }

// Intact returns an error if the file is shorter than when it was opened, or its context is canceled. The last page
// of a shortened mapped file reads as zeros, without a fault. So data are valid only if Intact succeeds afterwards.
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

// ownBlock is the size of a block shared by copies of objects.
const ownBlock = 1 << 15

// own returns o with its own copy of the bytes if the file is mapped. Many small objects share a block and are freed
// together. It fails if the last byte of the copy is zero: no object ends with zero, so the file was shortened.
func (r *Reader) own(o object.Object) (object.Object, error) {
	n := len(o.Raw())
	switch {
	case r.f.mapped == nil || n == 0:
		return o, nil
	case n > ownBlock/4:
		if int64(n) > r.f.Piece() {
			runtime.GC() // the last such copy may be garbage, and there is no memory for two
		}
		o = o.Clone()
	default:
		if n > cap(r.block)-len(r.block) {
			r.block = make([]byte, 0, ownBlock)
		}
		start := len(r.block)
		r.block = append(r.block, o.Raw()...)
		o = o.Over(r.block[start:len(r.block):len(r.block)])
	}
	if o.Raw()[n-1] == 0 {
		return object.Object{}, errCutShort
	}
	return o, nil
}
