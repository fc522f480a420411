// Package infile opens and reads files named on a command line. Such a file may be an endless device, or a pipe
// without a writer.
package infile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// MaxPiped is the maximum number of bytes read from anything but a regular file.
const MaxPiped = 1 << 30

// maxWait is the time to wait for a writer of a pipe.
const maxWait = 10 * time.Second

var errNoWriter = fmt.Errorf("no program opened this pipe for writing within %v", maxWait)

// Open opens a file like os.Open, but waits at most maxWait for the writer of a pipe. Reading from the pipe has no
// time limit.
func Open(path string) (*os.File, error) { return open(path, maxWait) }

func open(path string, wait time.Duration) (*os.File, error) {
	if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return os.Open(path)
	}
	type result struct {
		f   *os.File
		err error
	}
	opened := make(chan result, 1)
	go func() {
		f, err := os.Open(path)
		opened <- result{f, err}
	}()
	select {
	case r := <-opened:
		return r.f, r.err
	case <-time.After(wait):
		go func() {
			if r := <-opened; r.err == nil {
				r.f.Close()
			}
		}()
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNoWriter}
	}
}

// ReadAll reads r to its end. The error is that of r, or ErrTooLong if there are more than limit bytes.
func ReadAll(r io.Reader, limit int64) ([]byte, error) {
	var data bytes.Buffer
	if size, ok := regular(r); ok {
		data.Grow(int(min(size, limit)) + bytes.MinRead) // with room for the final read
	}
	n, err := data.ReadFrom(io.LimitReader(r, limit+1))
	if err == nil && n > limit {
		err = tooLong(limit)
	}
	if err != nil {
		return nil, err
	}
	return data.Bytes(), nil
}

// regular returns the size of r. ok is false if r is not a regular file.
func regular(r io.Reader) (size int64, ok bool) {
	f, ok := r.(*os.File)
	if !ok {
		return 0, false
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	return info.Size(), true
}

// Interruptible returns a reader of r that fails when ctx is done, even while it waits for a pipe. The error is the
// cause of ctx.
func Interruptible(ctx context.Context, r io.Reader) io.Reader {
	i := &interruptibleReader{Reader: r, ctx: ctx}
	switch r := r.(type) {
	case *boundedReader:
		i.mayWait = true
	case *os.File:
		_, ok := regular(r)
		i.mayWait = !ok
	}
	return i
}

type interruptibleReader struct {
	io.Reader
	ctx     context.Context
	mayWait bool // a read may wait for data: r may be a pipe or a device
}

func (r *interruptibleReader) Read(p []byte) (int, error) {
	switch {
	case r.ctx.Err() != nil:
		return 0, context.Cause(r.ctx)
	case !r.mayWait || r.ctx.Done() == nil:
		return r.Reader.Read(p)
	}
	type result struct {
		data []byte // not p: after Read returns, p belongs to the caller
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data := make([]byte, len(p))
		n, err := r.Reader.Read(data)
		done <- result{data[:n], err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, context.Cause(r.ctx)
	case got := <-done:
		return copy(p, got.data), got.err
	}
}

func tooLong(limit int64) error { return fmt.Errorf("%w: more than %d bytes", ErrTooLong, limit) }

// ErrTooLong is the error for input beyond the limit.
var ErrTooLong = errors.New("too long")

// Bounded returns a reader of r that fails with ErrTooLong after MaxPiped bytes. Regular files have no limit.
func Bounded(r io.Reader) io.Reader {
	if _, ok := regular(r); ok {
		return r
	}
	return &boundedReader{r, MaxPiped}
}

type boundedReader struct {
	io.Reader
	left int64
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 { // later calls read nothing
		return 0, tooLong(MaxPiped)
	}
	return n, err
}
