package parquet

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// sortedRows is how many rows are sorted in memory. Runs of as many wait, packed, in a
// temporary file for the end, when they are merged.
const sortedRows = 1 << 16

// newSortedWriter returns a writer of rows that come in any order, so many of which are
// sorted in memory.
func newSortedWriter[T any](w io.Writer, rows int64, by []parquet.SortingColumn) *parquet.SortingWriter[T] {
	sorting := parquet.SortingWriterConfig(parquet.SortingColumns(by...), parquet.SortingBuffers(runs{}))
	return parquet.NewSortingWriter[T](w, rows, append(tableOptions(), sorting)...)
}

// runs makes the files that runs wait in.
type runs struct{}

// GetBuffer makes a file. One that cannot be made fails when it is used.
func (runs) GetBuffer() io.ReadWriteSeeker {
	f, err := tempfile.New()
	return &runFile{f, err}
}

// PutBuffer removes a file.
func (runs) PutBuffer(b io.ReadWriteSeeker) {
	if r, _ := b.(*runFile); r != nil && r.f != nil {
		r.f.Close()
	}
}

// A runFile is a temporary file, whose errors say so.
type runFile struct {
	f   *tempfile.File
	err error // why it could not be made
}

func (r *runFile) Write(b []byte) (int, error) {
	return r.do(func() (int, error) { return r.f.Write(b) })
}

func (r *runFile) Read(b []byte) (int, error) {
	return r.do(func() (int, error) { return r.f.Read(b) })
}

// ReadAt reads what is merged, from many places.
func (r *runFile) ReadAt(b []byte, at int64) (int, error) {
	return r.do(func() (int, error) { return r.f.ReadAt(b, at) })
}

// Seek sets where to read and write.
func (r *runFile) Seek(offset int64, whence int) (at int64, err error) {
	_, err = r.do(func() (int, error) {
		at, err = r.f.Seek(offset, whence)
		return 0, err
	})
	return at, err
}

func (r *runFile) do(what func() (int, error)) (n int, err error) {
	if err = r.err; err == nil {
		n, err = what()
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("temporary file: %w", err) // it is not about the file that the table goes to
	}
	return n, err
}
