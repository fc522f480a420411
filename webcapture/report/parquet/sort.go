package parquet

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// sortedRows is the number of rows that are sorted in memory. Each sorted run of this size is stored, compressed,
// in a temporary file. At the end, the runs are merged.
const sortedRows = 1 << 16

// newSortedWriter returns a writer that sorts all rows that it gets. It sorts at most rows of them in memory at a
// time.
func newSortedWriter[T any](w io.Writer, rows int64, by []parquet.SortingColumn) *parquet.SortingWriter[T] {
	sorting := parquet.SortingWriterConfig(parquet.SortingColumns(by...), parquet.SortingBuffers(runs{}))
	return parquet.NewSortingWriter[T](w, rows, append(tableOptions(), sorting)...)
}

// runs creates temporary files for sorted runs of rows.
type runs struct{}

// GetBuffer creates a temporary file. If that fails, the first use of the file returns the error.
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

// A runFile is a temporary file. Its errors mention that.
type runFile struct {
	f   *tempfile.File
	err error // error of creating the file
}

func (r *runFile) Write(b []byte) (int, error) {
	return r.do(func() (int, error) { return r.f.Write(b) })
}

func (r *runFile) Read(b []byte) (int, error) {
	return r.do(func() (int, error) { return r.f.Read(b) })
}

// ReadAt reads at any offset, for the merge.
func (r *runFile) ReadAt(b []byte, at int64) (int, error) {
	return r.do(func() (int, error) { return r.f.ReadAt(b, at) })
}

// Seek sets the position of reads and writes.
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
		err = fmt.Errorf("temporary file: %w", err) // the error must not seem to be about the file of the table
	}
	return n, err
}
