package archive

import (
	"bytes"
	"errors"
	"io"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// Data holds the bytes of a member: few bytes in memory, more in a temporary file.
type Data struct {
	Bytes []byte         // nil if File is set
	File  *tempfile.File // open; nil if Bytes is set
	size  int64
}

// inMemory is the maximum size of a member in memory. Larger members are stored in temporary files, which are mapped.
const inMemory = 1 << 20

// Size returns the number of bytes.
func (d *Data) Size() int64 { return d.size }

// ReadAt reads bytes from offset at.
func (d *Data) ReadAt(p []byte, at int64) (int, error) {
	if d.File != nil {
		return d.File.ReadAt(p, at)
	}
	return bytes.NewReader(d.Bytes).ReadAt(p, at)
}

// Close releases the data.
func (d *Data) Close() error {
	if d.File == nil {
		return nil
	}
	return d.File.Close()
}

// dataOf reads r to its end. The error is that of r, or of the disk.
func dataOf(r io.Reader) (*Data, error) {
	var buf bytes.Buffer
	n, err := buf.ReadFrom(io.LimitReader(r, inMemory+1))
	if err != nil {
		return nil, err
	}
	if n <= inMemory {
		return &Data{Bytes: buf.Bytes(), size: n}, nil
	}
	f, err := tempfile.New()
	if err != nil {
		return nil, err
	}
	n, err = io.Copy(f, io.MultiReader(&buf, r))
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Data{File: f, size: n}, nil
}
