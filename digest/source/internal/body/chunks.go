package body

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"strconv"
)

// chunked is the chunked transfer coding (RFC 9112, 7.1).
const chunked = "chunked"

var (
	errChunkSize = codingError("a chunk has an invalid size")
	errChunkEnd  = codingError("a chunk does not end in a line end")
	errLineEnd   = codingError("lines end in LF, not CR LF")
)

// chunkReader joins chunks.
type chunkReader struct {
	in    *bufio.Reader
	note  func(error) // called for harmless errors
	left  int64       // remaining bytes of the current chunk
	begun bool
	bare  bool // a line ended in LF without CR
	err   error
}

func (c *chunkReader) Read(p []byte) (int, error) {
	for c.left == 0 && c.err == nil {
		c.left, c.err = c.next()
	}
	if c.left == 0 {
		return 0, c.err
	}
	n, err := c.in.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// next reads the bytes between chunks and returns the size of the next chunk. It returns io.EOF after the last chunk
// and the trailer.
func (c *chunkReader) next() (int64, error) {
	if c.begun {
		if line, err := c.line(); err != nil {
			return 0, err
		} else if len(line) > 0 {
			return 0, errChunkEnd
		}
	}
	c.begun = true
	line, err := c.line()
	if err != nil {
		return 0, err
	}
	n, err := chunkSize(line)
	if err != nil {
		return 0, errChunkSize
	}
	for n == 0 && err == nil && len(line) > 0 { // the trailer, whose end many programs omit
		line, err = c.line()
	}
	if c.bare {
		c.note(errLineEnd)
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// chunkSize returns the size in the line before a chunk. Extensions may follow it.
func chunkSize(line []byte) (int64, error) {
	size, _, _ := bytes.Cut(line, []byte(";"))
	n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 63)
	return int64(n), err
}

// line reads a line and returns it without its end.
func (c *chunkReader) line() ([]byte, error) {
	line, err := readLine(c.in, maxHeader)
	if err == ErrHeader {
		return nil, io.ErrUnexpectedEOF
	} else if err != nil {
		return nil, err
	}
	text, ok := bytes.CutSuffix(line, []byte("\r\n"))
	if !ok {
		c.bare = true
		text = bytes.TrimSuffix(line, []byte("\n"))
	}
	return text, nil
}

// inFirstChunk returns the data of the first chunk, as far as head has them; nil if head does not begin with a chunk.
func inFirstChunk(head []byte) []byte {
	line, data, ok := bytes.Cut(head, []byte("\n"))
	n, err := chunkSize(line)
	if !ok || err != nil || n == 0 || n > math.MaxInt32 {
		return nil
	}
	if int64(len(data)) < n+2 { // the chunk does not end in head
		if !bytes.HasSuffix(line, []byte("\r")) {
			return nil
		}
		return data
	}
	if end := data[n:]; end[0] != '\n' && string(end[:2]) != "\r\n" {
		return nil
	}
	return data[:n]
}

// isLastChunk reports whether data are the end of a chunked body, without data.
func isLastChunk(head []byte) bool {
	line, _, ok := bytes.Cut(head, []byte("\n"))
	n, err := chunkSize(line)
	return ok && err == nil && n == 0
}
