package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

// storedRecord is a record that was read again, with the header of its reply.
type storedRecord struct {
	record
	part   *Part
	at     position
	header *body.Header // nil if the block is not an HTTP message
}

// read reads the record at a position.
func (p *Part) read(at position) (*storedRecord, error) {
	in, err := newMemberReader(p, at, lookupBuffer)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return in.stored(at)
}

// stored reads the record at the position where the reader is.
func (m *memberReader) stored(at position) (*storedRecord, error) {
	p := m.part
	s := &storedRecord{part: p, at: at}
	rec, err := m.record()
	if err == nil && rec.length < 0 {
		err = errors.New(reasonLength)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.where(at), err)
	}
	s.record, _ = parseRecord(bytes.Clone(rec.raw))
	s.http = rec.http
	if !s.http {
		return s, nil
	}
	// A revisit may have no block, or the beginning of a reply alone.
	if s.header, err = body.ReadHeader(bufio.NewReader(io.LimitReader(m, s.length))); err != nil &&
		s.kind != revisitRecord {
		return nil, fmt.Errorf("%s: %w", p.where(at), err)
	}
	return s, nil
}

// body returns what opens the body of the reply that is in the record. It holds on to no more
// of the record than it needs.
func (s *storedRecord) body() body.Opener {
	part, at, block := s.part, s.at, capture.Checksum(s.block)
	if s.truncated {
		block = "" // some digest what they left out
	}
	before, header, length := int64(len(s.raw)), int64(0), s.length
	if s.header != nil {
		header = s.header.Size
	}
	return func() (io.ReadCloser, error) {
		in, err := newMemberReader(part, at, lookupBuffer)
		if err != nil {
			return nil, err
		}
		in.discard(before)
		b := &blockReader{memberReader: in, left: length}
		b.check = block.New()
		if _, err := io.CopyN(io.Discard, b, header); err != nil {
			b.Close()
			return nil, fmt.Errorf("%s: %w", part.where(at), err)
		}
		return b, nil
	}
}

// bodyLength returns the number of bytes of the body as it is stored.
func (s *storedRecord) bodyLength() int64 {
	if s.header != nil {
		return s.length - s.header.Size
	}
	return s.length
}

// blockReader reads a block, which must not end before it does.
type blockReader struct {
	*memberReader
	left  int64
	check *capture.Check // of all of the block; nil for none
}

// errBlock says that a block is not what its record says that it is.
var errBlock = &capture.Flaw{Reason: "the source is damaged: the block of the record does not have the digest that " +
	"the record says", Damaged: true}

func (b *blockReader) Read(p []byte) (int, error) {
	if b.left == 0 {
		if b.check != nil && !b.check.Agrees() {
			return 0, errBlock
		}
		return 0, io.EOF
	}
	n, err := b.memberReader.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if b.check != nil {
		b.check.Write(p[:n])
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
