package layout

import (
	"bytes"
	"io"
)

// A Buffer is text on its way to a writer. Nothing of it fails before it is flushed.
type Buffer struct {
	w   io.Writer
	buf bytes.Buffer
}

// NewBuffer returns a Buffer for w, which may be nil if it is never flushed.
func NewBuffer(w io.Writer) *Buffer { return &Buffer{w: w} }

// Text appends text as it is.
func (b *Buffer) Text(s string) { b.buf.WriteString(s) }

// Write appends bytes. The error is nil.
func (b *Buffer) Write(p []byte) (int, error) { return b.buf.Write(p) }

// Bytes returns what was appended since it was last flushed. It is valid until
// something is appended.
func (b *Buffer) Bytes() []byte { return b.buf.Bytes() }

// Available returns room for what is appended next, as that of a bytes.Buffer.
func (b *Buffer) Available() []byte { return b.buf.AvailableBuffer() }

// Len returns the length of Bytes.
func (b *Buffer) Len() int { return b.buf.Len() }

// Truncate drops all but the first n bytes.
func (b *Buffer) Truncate(n int) { b.buf.Truncate(n) }

// Flush writes what was appended. The error is that of the writer.
func (b *Buffer) Flush() error {
	_, err := b.w.Write(b.buf.Bytes())
	b.buf.Reset()
	return err
}

// large is how much is written at once.
const large = 1 << 16

// FlushIfLarge flushes what was appended if that is worth a write.
func (b *Buffer) FlushIfLarge() error {
	if b.buf.Len() < large {
		return nil
	}
	return b.Flush()
}
