package layout

import (
	"bytes"
	"io"
)

// A Buffer collects text for a writer. Only Flush can fail.
type Buffer struct {
	bytes.Buffer
	w io.Writer
}

// NewBuffer returns a Buffer for w, which may be nil if it is never flushed.
func NewBuffer(w io.Writer) *Buffer { return &Buffer{w: w} }

// Text appends text unchanged.
func (b *Buffer) Text(s string) { b.WriteString(s) }

// Flush writes the text. The error is that of the writer.
func (b *Buffer) Flush() error {
	_, err := b.w.Write(b.Bytes())
	b.Reset()
	return err
}

// large is the minimum size of a write by FlushIfLarge.
const large = 1 << 16

// FlushIfLarge flushes the text if it is large enough for a write.
func (b *Buffer) FlushIfLarge() error {
	if b.Len() < large {
		return nil
	}
	return b.Flush()
}
