package pdffile

import (
	"errors"
	"os"
	"runtime/debug"
	"unsafe"

	"github.com/edsrzf/mmap-go"

	"github.com/webcap-tools/webcap/webcapture/internal/infile"
)

// load reads a small file and maps a large one.
func load(path string) ([]byte, mmap.MMap, error) {
	h, err := infile.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer h.Close()
	st, err := h.Stat()
	if err != nil {
		return nil, nil, err
	}
	if st.IsDir() {
		return nil, nil, &os.PathError{Op: "read", Path: path, Err: errors.New("is a directory")}
	}
	if st.Mode()&os.ModeDevice != 0 {
		return nil, nil, &os.PathError{Op: "read", Path: path, Err: errors.New("is a device")}
	}
	if !st.Mode().IsRegular() || st.Size() <= smallFile {
		data, err := infile.ReadAll(h, infile.MaxPiped)
		if errors.Is(err, infile.ErrTooLong) {
			err = &os.PathError{Op: "read", Path: path, Err: err}
		}
		return data, nil, err
	}
	m, err := mmap.Map(h, mmap.RDONLY, 0)
	if err != nil {
		return nil, nil, &os.PathError{Op: "map", Path: path, Err: err}
	}
	return m, m, nil
}

// Guard runs do, which reads objects of f, and turns the fault of a mapped
// file that shrank or went away into an error. Every goroutine that uses a
// Reader runs under its own Guard.
func (f *File) Guard(do func() error) (err error) {
	if f.mapped == nil {
		return do()
	}
	start := uintptr(unsafe.Pointer(unsafe.SliceData(f.data)))
	size := uintptr(len(f.data))
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		p := recover()
		if p == nil {
			return
		}
		fault, ok := p.(interface{ Addr() uintptr })
		if !ok || fault.Addr() < start || fault.Addr() >= start+size {
			panic(p)
		}
		err = errors.New("the file was cut short while it was read")
	}()
	return do()
}
