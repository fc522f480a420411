// Package zipfile opens zip files.
package zipfile

import (
	"archive/zip"
	"errors"
	"io"
	"os"

	"github.com/webcap-tools/webcap/digest/meter"
)

// Archive is an open zip file. Its directory is read once.
type Archive struct {
	*zip.Reader
	Size  int64
	Meter *meter.Meter // of the file
	file  *os.File     // file of the data; nil for data inside another file
}

// Open opens a zip file.
func Open(name string) (*Archive, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	var z *Archive
	if err == nil {
		z, err = New(file, info.Size(), meter.New(info.Size()))
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	z.file = file
	return z, nil
}

// New reads the directory of a zip file, which is paid into m. The error is meter.Over if the directory is too large.
func New(data io.ReaderAt, size int64, m *meter.Meter) (*Archive, error) {
	z, err := zip.NewReader(directoryReader{data, m}, size)
	if errors.Is(err, zip.ErrFormat) || err == io.EOF || err == io.ErrUnexpectedEOF { // the last two: it is cut off
		return nil, errDirectory
	}
	if err != nil {
		return nil, err
	}
	return &Archive{Reader: z, Size: size, Meter: m}, nil
}

// Close closes the file of an Archive that Open returned. For one that New returned, it only returns an error.
func (z *Archive) Close() error { return z.file.Close() }

// entryMemory is the memory of an entry in proportion to its size in the directory.
const entryMemory = 10

// directoryReader reads the directory of a zip file, and pays for its memory.
type directoryReader struct {
	io.ReaderAt
	meter *meter.Meter
}

func (r directoryReader) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 { // without this error, the caller would get an error that looks like one of the disk
		return 0, zip.ErrFormat
	}
	if err := r.meter.Keep(entryMemory * int64(len(p))); err != nil {
		return 0, err
	}
	return r.ReaderAt.ReadAt(p, at)
}

// errDirectory means that a zip file has no readable directory.
var errDirectory = errors.New("the zip file is cut off or damaged: it has no directory")
