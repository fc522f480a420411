package layout

import (
	"bytes"
	"io"
)

// A Buffer collects text for a writer. Only Flush can fail.
type Buffer struct {
	w   io.Writer
	buf bytes.Buffer
}

// NewBuffer returns a Buffer for w, which may be nil if it is never flushed.
func NewBuffer(w io.Writer) *Buffer { return &Buffer{w: w} }

// Text appends text unchanged.
func (b *Buffer) Text(s string) { b.buf.WriteString(s) }

// Write appends bytes. It never fails.
func (b *Buffer) Write(p []byte) (int, error) { return b.buf.Write(p) }

// Bytes returns the text since the last flush. It is valid until the next call of another method.
func (b *Buffer) Bytes() []byte { return b.buf.Bytes() }

// Available returns spare capacity, like [bytes.Buffer.AvailableBuffer].
func (b *Buffer) Available() []byte { return b.buf.AvailableBuffer() }

// Len returns the length of Bytes.
func (b *Buffer) Len() int { return b.buf.Len() }

// Truncate drops all but the first n bytes.
func (b *Buffer) Truncate(n int) { b.buf.Truncate(n) }

// Flush writes the text. The error is that of the writer.
func (b *Buffer) Flush() error {
	_, err := b.w.Write(b.buf.Bytes())
	b.buf.Reset()
	return err
}

// large is the minimum size of a write by FlushIfLarge.
const large = 1 << 16

// FlushIfLarge flushes the text if it is large enough for a write.
func (b *Buffer) FlushIfLarge() error {
	if b.buf.Len() < large {
		return nil
	}
	return b.Flush()
}
