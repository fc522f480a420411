package sourcetest

import (
	"errors"
	"io"
)

// ClosingReader is a reader that calls Done when it is closed.
type ClosingReader struct {
	io.Reader
	Done func()
}

// ZeroReader reads zeros without end.
type ZeroReader struct{}

// FailingFile is a file whose reads fail with ErrDisk after Data.
type FailingFile struct{ Data string }

// ErrDisk is the error of a FailingFile.
var ErrDisk = errors.New("the disk fails")

func (f FailingFile) ReadAt(p []byte, at int64) (int, error) {
	if n := copy(p, f.Data[min(at, int64(len(f.Data))):]); n == len(p) {
		return n, nil
	} else {
		return n, ErrDisk
	}
}

func (c ClosingReader) Close() error { c.Done(); return nil }

func (ZeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }
