package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

// storedRecord is a record that was read again for a look-up, with the header of its response.
type storedRecord struct {
	record
	part   *Part
	at     position
	header *body.Header // nil if the block is not an HTTP message
	method string       // method of a request other than GET
	inner  bool         // the header is that of a response that the record does not declare

	index *capture.Index // see Part.reader
	flags capture.Flags  // of its entry, if it was found as the original of a revisit

	rest []*storedRecord // segments after the first; none for a record that was not split
}

// read reads the record at a position.
func (p *Part) read(x *capture.Index, at position) (*storedRecord, error) {
	in, err := p.reader(x, at)
	if err != nil {
		return nil, err
	}
	defer x.Keep(in)
	return in.stored(x, at)
}

// stored reads the record at the reader's position.
func (m *memberReader) stored(x *capture.Index, at position) (*storedRecord, error) {
	p := m.part
	s := &storedRecord{part: p, at: at, index: x}
	rec, err := m.record()
	if err == io.EOF && m.err != nil && m.err != io.EOF { // there are bytes, but they cannot be read
		err = m.err
	}
	if err == nil && rec.length < 0 {
		err = errors.New(reasonLength)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.where(at), err)
	}
	s.record, _ = parseRecord(bytes.Clone(rec.raw))
	s.http = rec.http
	in := bufio.NewReader(io.LimitReader(m, s.length))
	if s.kind == requestRecord {
		line, _ := in.Peek(methodSize)
		s.method = method(line)
		return s, nil
	}
	switch s.inner = !s.http && body.StartsReply(in); {
	case s.http:
		begin, _ := in.Peek(len("HTTP/"))
		isReply := string(begin) == "HTTP/"
		s.header, err = body.ReadReply(in)
		if err == body.ErrHeader && !isReply {
			s.header = nil // the block may be a body without a header
			return s, nil
		}
		// The block of a revisit may be empty, or only the beginning of a response.
		if err != nil && s.kind != revisitRecord {
			return nil, fmt.Errorf("%s: %w", p.where(at), err)
		}
		if err == nil && s.header.Status == 0 {
			s.header = nil
		}
	case s.inner:
		s.header, _ = body.ReadReply(in) // without a header it is not a response
	}
	return s, nil
}

// data returns the body of the record.
func (s *storedRecord) data() *body.Body {
	b := &body.Body{Open: s.body()}
	if s.header != nil {
		b = s.header.Body(s.body())
	}
	b.Place = s.part.where(s.at)
	return b
}

// body returns an opener of the body of the response in the record. The opener keeps only the necessary parts of the
// record in memory.
func (s *storedRecord) body() body.Opener {
	if len(s.rest) > 0 {
		return s.joinedBody()
	}
	part, x, at, block := s.part, s.index, s.at, body.Checksum(s.block)
	if s.truncated {
		block = "" // some programs compute the digest before they truncate
	}
	before, header, length := int64(len(s.raw)), int64(0), s.length
	if s.header != nil {
		header = s.header.Size
	}
	return func() (io.ReadCloser, error) {
		in, err := part.reader(x, at)
		if err != nil {
			return nil, err
		}
		in.discard(before)
		b := &blockReader{memberReader: in, index: x, left: length}
		b.check = block.New()
		if _, err := io.CopyN(io.Discard, b, header); err != nil {
			b.Close()
			return nil, fmt.Errorf("%s: %w", part.where(at), err)
		}
		return b, nil
	}
}

// bodyLength returns the stored size of the body.
func (s *storedRecord) bodyLength() int64 {
	if s.header != nil {
		return s.length - s.header.Size
	}
	return s.length
}

// blockReader reads a block. It returns an error if the block ends early.
type blockReader struct {
	*memberReader
	index *capture.Index
	left  int64
	check *body.Check // digest check of the whole block; nil for none
}

// Close returns the member reader to the Index.
func (b *blockReader) Close() error {
	if b.memberReader != nil {
		b.index.Keep(b.memberReader)
	}
	b.memberReader = nil
	return nil
}

// errBlock means that a block does not match the digest of its record.
var errBlock = &body.Flaw{Reason: "the source is damaged: " +
	"the block of the record does not match the digest in its header"}

func (b *blockReader) Read(p []byte) (int, error) {
	if b.memberReader == nil {
		return 0, os.ErrClosed
	}
	if b.left == 0 {
		return 0, b.end()
	}
	n, err := b.memberReader.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if b.check != nil {
		b.check.Write(p[:n])
	}
	if err == io.EOF {
		err = errCutOff
	}
	return n, err
}

// errCutOff means that a record has fewer bytes than its header says.
var errCutOff = errors.New("the record is cut off")

// end returns the result at the end of the block: io.EOF, or an error that describes a problem of the block.
func (b *blockReader) end() error {
	if b.check != nil && !b.check.Agrees() {
		return errBlock
	}
	return io.EOF
}

// endsARC reports whether the block of an ARC record certainly ends here. It is true if exactly one line end follows.
// At the end of a member or of the data, it is also true if the block does not end in LF. last is the last byte of the
// block. endsARC detects a length that is off by one.
func (m *memberReader) endsARC(last byte) bool {
	next := m.peek(len("\r\n\r"))
	if len(next) == 0 || m.starts() {
		return last != '\n' || len(next) > 0 && next[0] == '\n'
	}
	rest, _ := bytes.CutPrefix(next, []byte("\r"))
	rest, ok := bytes.CutPrefix(rest, []byte("\n"))
	return ok && (len(rest) == 0 || rest[0] != '\n' && rest[0] != '\r')
}
