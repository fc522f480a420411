package source

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
)

// A openedZip is a zip file that is open. Its directory is read once.
type openedZip struct {
	*zip.Reader
	data io.ReaderAt
	size int64
	file *os.File // that data is; nil for one in another
}

// openZip opens a zip file whose directory has at most so many bytes.
func openZip(name string, maxDirectory int64) (*openedZip, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	z, err := newZip(file, info.Size(), maxDirectory)
	if err != nil {
		file.Close()
		return nil, err
	}
	z.file = file
	return z, nil
}

// newZip reads the directory of a zip file, which may have at most so many bytes: for
// each entry in it a program needs ten times as much memory as there may be on disk.
func newZip(data io.ReaderAt, size, maxDirectory int64) (*openedZip, error) {
	dir := &directoryReader{ReaderAt: data, most: maxDirectory}
	dir.left.Store(maxDirectory)
	z, err := zip.NewReader(dir, size)
	if err != nil {
		return nil, err
	}
	dir.read.Store(true)
	return &openedZip{Reader: z, data: data, size: size}, nil
}

// Close closes the file.
func (z *openedZip) Close() error { return z.file.Close() }

// directoryError says that the directory of a zip file has more than Limit bytes.
type directoryError struct{ Limit int64 }

func (e *directoryError) Error() string {
	return fmt.Sprintf("its directory has more than %d bytes", e.Limit)
}

// A directoryReader reads a zip file, and at most so many bytes before its directory
// is known.
type directoryReader struct {
	io.ReaderAt
	most int64
	left atomic.Int64
	read atomic.Bool // the directory
}

func (r *directoryReader) ReadAt(p []byte, at int64) (int, error) {
	if !r.read.Load() && r.left.Add(-int64(len(p))) < 0 {
		return 0, &directoryError{r.most}
	}
	return r.ReaderAt.ReadAt(p, at)
}

// errEntry says that an entry of a zip file is damaged.
var errEntry = errors.New("an entry of the zip that is damaged")

// openInflated opens the data of an entry of a zip file. Errors in reading are errEntry, or those of the disk.
func openInflated(f *zip.File) (io.ReadCloser, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	return inflater{r}, nil
}

// An inflater reads the data of an entry of a zip file.
type inflater struct{ io.ReadCloser }

func (r inflater) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if err != nil && err != io.EOF && pathError(err) == nil {
		err = errEntry
	}
	return n, err
}
