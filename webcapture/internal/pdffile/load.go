package pdffile

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sync"

	"github.com/edsrzf/mmap-go"

	"github.com/webcap-tools/webcap/webcapture/internal/infile"
)

// load reads a small file into f, and maps a large one.
func (f *File) load(h *os.File, path string) error {
	st, err := h.Stat()
	if err != nil {
		return err
	}
	refused := func(err error) error { return &os.PathError{Op: "read", Path: path, Err: err} }
	const most = min(maxMapped, math.MaxInt)
	switch {
	case st.IsDir():
		return refused(errors.New("is a directory"))
	case st.Mode()&os.ModeDevice != 0:
		return refused(errors.New("is a device"))
	case !st.Mode().IsRegular(), st.Size() == 0: // as that of files of the system, whatever they hold
		f.data, err = infile.ReadAll(h, infile.MaxPiped)
		if errors.Is(err, infile.ErrTooLong) {
			return refused(err)
		}
		return err
	case st.Size() <= smallFile:
		return f.read(h, int(st.Size()))
	case st.Size() > most:
		return refused(fmt.Errorf("larger than %d bytes, the most that is read of a file", int64(most)))
	}
	m, err := mmap.Map(h, mmap.RDONLY, 0)
	if err != nil {
		return &os.PathError{Op: "map", Path: path, Err: err}
	}
	f.data, f.mapped, f.handle = m, m, h
	return nil
}

// buffers have held small files that are closed.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// read reads a small file.
func (f *File) read(h *os.File, size int) error {
	f.buffer = buffers.Get().(*[]byte)
	*f.buffer = slices.Grow((*f.buffer)[:0], size)[:size]
	f.data = *f.buffer
	_, err := io.ReadFull(h, f.data)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errCutShort
	}
	return err
}
