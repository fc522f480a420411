// Package localfile has functions for files on disk that several kinds of sources need.
package localfile

import (
	"errors"
	"io/fs"
	"os"
)

// Regular returns an error if path is not a regular file. Call it before opening a file, because opening a named pipe
// would block.
func Regular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	return nil
}

// Open opens a regular file.
func Open(path string) (*os.File, error) {
	if err := Regular(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// OpenSize returns the size of an open file; 0 if unknown.
func OpenSize(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// PathError returns the error of the file system in an error chain; nil if there is none.
func PathError(err error) *fs.PathError {
	e, _ := errors.AsType[*fs.PathError](err)
	return e
}

// ByteOrderMark is the byte order mark that some programs write at the start of UTF-8 text.
const ByteOrderMark = "\uFEFF"
