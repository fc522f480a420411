package parquet

import (
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// A Table writes rows of any type whose fields have parquet-go tags. The caller must not write to the underlying
// writer before Close.
type Table[T any] struct {
	w     *parquet.GenericWriter[T]
	batch []T
}

// NewTable returns a Table with the version of webcap in its metadata.
func NewTable[T any](w io.Writer, version string) *Table[T] {
	t := &Table[T]{w: parquet.NewGenericWriter[T](w, tableOptions()...)}
	t.w.SetKeyValueMetadata("webcap.version", jsondoc.Text(version))
	return t
}

// Add adds a row.
func (t *Table[T]) Add(row T) error {
	if t.batch = append(t.batch, row); len(t.batch) < batchRows {
		return nil
	}
	return t.flush()
}

func (t *Table[T]) flush() error {
	_, err := t.w.Write(t.batch)
	clear(t.batch)
	t.batch = t.batch[:0]
	return err
}

// Close writes the remaining rows and the end. complete reports whether all rows were added.
func (t *Table[T]) Close(complete bool) error {
	t.w.SetKeyValueMetadata("webcap.complete", strconv.FormatBool(complete))
	if err := t.flush(); err != nil {
		return err
	}
	return t.w.Close()
}

// OrNull returns a pointer to value, or nil for the zero value. Optional columns must be pointers: for other types,
// parquet-go 0.32 writes some zero values as null and others as values.
func OrNull[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}
