package pdffile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/edsrzf/mmap-go"

	"github.com/webcap-tools/webcap/webcapture/internal/infile"
)

const (
	smallFile = 1 << 20       // a smaller file is read, not mapped: page faults cost more than copying
	mostBytes = 9_999_999_999 // of a file: the limit of a cross-reference table (7.5.4)
)

// buffers reuses the buffers of small files. They would otherwise be most of the memory that an audit allocates.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// load reads a small file into f, and maps a large one.
func (f *File) load(h *os.File, path string) error {
	st, err := h.Stat()
	if err != nil {
		return err
	}
	refused := func(err error) error { return &os.PathError{Op: "read", Path: path, Err: err} }
	switch {
	case st.IsDir():
		return refused(errors.New("is a folder: name a PDF file in it"))
	case st.Mode()&os.ModeDevice != 0:
		return refused(errors.New("is a device"))
	case st.Mode().IsRegular() && st.Size() == 0: // a system file of this size, such as /proc/kmsg, may have no end
		return nil
	case !st.Mode().IsRegular():
		f.data, err = infile.ReadAll(infile.Interruptible(f.ctx, h), infile.MaxPiped)
		if errors.Is(err, infile.ErrTooLong) {
			return refused(err)
		}
		return err
	case st.Size() <= smallFile || runtime.GOOS == "js": // js cannot map files
		n := int(st.Size())
		f.buffer = buffers.Get().(*[]byte)
		*f.buffer = slices.Grow((*f.buffer)[:0], n)[:n]
		f.data = *f.buffer
		if _, err = io.ReadFull(h, f.data); err == io.EOF || err == io.ErrUnexpectedEOF {
			return errCutShort
		}
		return err
	case st.Size() > mostBytes:
		return refused(fmt.Errorf("larger than the limit of %d bytes per file", int64(mostBytes)))
	}
	m, err := mmap.Map(h, mmap.RDONLY, 0)
	if err != nil {
		return &os.PathError{Op: "map", Path: path, Err: err}
	}
	f.data, f.mapped, f.handle = m, m, h
	return nil
}
