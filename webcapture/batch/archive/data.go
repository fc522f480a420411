package archive

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// Data holds the bytes of a member: few bytes in memory, more in a temporary file.
type Data struct {
	Bytes []byte         // nil if File is set
	File  *tempfile.File // open; nil if Bytes is set
	size  int64
	buf   *bytes.Buffer // buffer of Bytes
}

// inMemory is the maximum size of a member in memory. Larger members are stored in temporary files, which are mapped.
const inMemory = 1 << 20

// buffers holds unused buffers for members.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Size returns the number of bytes.
func (d *Data) Size() int64 { return d.size }

// ReadAt reads bytes from offset at.
func (d *Data) ReadAt(p []byte, at int64) (int, error) {
	if d.File != nil {
		return d.File.ReadAt(p, at)
	}
	return bytes.NewReader(d.Bytes).ReadAt(p, at)
}

// Close releases the data. Bytes must not be used afterwards: another member may reuse the buffer.
func (d *Data) Close() error {
	if d.buf != nil {
		buffers.Put(d.buf)
		d.buf, d.Bytes = nil, nil
	}
	if d.File == nil {
		return nil
	}
	return d.File.Close()
}

// dataOf reads r to its end. size is the size according to the archive, or -1 if unknown. The error is that of r,
// or of the disk.
func dataOf(r io.Reader, size int64) (*Data, error) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	d := &Data{buf: buf}
	if size > 0 {
		buf.Grow(int(min(size, inMemory)) + bytes.MinRead)
	}
	n, err := buf.ReadFrom(io.LimitReader(r, inMemory+1))
	if err != nil {
		d.Close()
		return nil, err
	}
	if n <= inMemory {
		d.Bytes, d.size = buf.Bytes(), n
		return d, nil
	}
	if d.File, err = tempfile.New(); err != nil {
		d.Close()
		return nil, err
	}
	d.size, err = io.Copy(d.File, io.MultiReader(buf, r))
	d.buf = nil
	buffers.Put(buf)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	if _, err := d.File.Seek(0, io.SeekStart); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}
