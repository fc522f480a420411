// Package spool holds output that must wait for other output.
package spool

import (
	"bytes"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// A Spool holds the bytes written to it. Up to InMemory bytes are in memory. When there are more, all of them move to a
// temporary file, and later bytes are collected in memory again. The zero Spool is empty and ready for use.
type Spool struct {
	n    int64          // number of bytes
	file *tempfile.File // nil while everything is in buf
	buf  bytes.Buffer   // bytes after those in file
}

// InMemory is the maximum number of bytes of a Spool in memory.
const InMemory = 1 << 20

// Len returns the number of bytes written.
func (s *Spool) Len() int64 { return s.n }

// Write appends bytes. The error is that of the temporary file.
func (s *Spool) Write(b []byte) (int, error) {
	s.n += int64(len(b))
	s.buf.Write(b)
	if s.buf.Len() <= InMemory {
		return len(b), nil
	}
	if s.file == nil {
		f, err := tempfile.New()
		if err != nil {
			return 0, temporary(err)
		}
		s.file = f
	}
	if _, err := s.buf.WriteTo(s.file); err != nil {
		return 0, temporary(err)
	}
	return len(b), nil
}

// temporary marks err as an error of the temporary file, to distinguish it from the output.
func temporary(err error) error { return fmt.Errorf("temporary file: %w", err) }

// CopyTo writes all bytes of the Spool to w.
func (s *Spool) CopyTo(w io.Writer) error {
	if s.file != nil {
		if _, err := s.file.Seek(0, io.SeekStart); err != nil {
			return temporary(err)
		}
		if _, err := io.Copy(w, s.file); err != nil {
			return err
		}
	}
	_, err := w.Write(s.buf.Bytes())
	return err
}

// ReadAt fills p with the bytes from offset at, which must have been written.
func (s *Spool) ReadAt(p []byte, at int64) (int, error) {
	stored := s.n - int64(s.buf.Len()) // number of bytes in file
	n := 0
	if at < stored {
		n = int(min(int64(len(p)), stored-at))
		if _, err := s.file.ReadAt(p[:n], at); err != nil {
			return 0, temporary(err)
		}
	}
	if n < len(p) {
		copy(p[n:], s.buf.Bytes()[at+int64(n)-stored:])
	}
	return len(p), nil
}

// Close removes the temporary file.
func (s *Spool) Close() {
	if s.file != nil {
		s.file.Close()
	}
}
