package archive

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// Data are the bytes of a member: in memory if they are few, else in a temporary file.
type Data struct {
	Bytes []byte         // if File is nil
	File  *tempfile.File // open
	size  int64
	buf   *bytes.Buffer // that has Bytes
}

// buffers are those that no member is held in now.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Size returns how many bytes there are.
func (d *Data) Size() int64 { return d.size }

// ReadAt reads bytes from an offset on.
func (d *Data) ReadAt(p []byte, at int64) (int, error) {
	if d.File != nil {
		return d.File.ReadAt(p, at)
	}
	return bytes.NewReader(d.Bytes).ReadAt(p, at)
}

// Close releases the data: another member may come to stand where Bytes are.
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

// dataOf reads r to its end, which is after so many bytes if the archive is right; -1 if it
// does not say. The error is that of r, or of the disk.
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
