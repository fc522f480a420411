package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A storedRecord is a record that was read again, with the header of its reply.
type storedRecord struct {
	record
	part   *part
	at     position
	header *header // nil if the block is not an HTTP message
}

// read reads the record at a position.
func (p *part) read(at position) (*storedRecord, error) {
	in, err := newMemberReader(p, at, lookupBuffer)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s := &storedRecord{part: p, at: at}
	rec, err := in.record()
	if err == nil && rec.length < 0 {
		err = errors.New(reasonLength)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.where(at), in.explain(err))
	}
	s.record, _ = parseRecord(bytes.Clone(rec.raw))
	s.http = rec.http
	if !s.http {
		return s, nil
	}
	// A revisit may have no block, or the beginning of a reply alone.
	if s.header, err = readHeader(bufio.NewReader(io.LimitReader(in, s.length))); err != nil && s.kind != revisitRecord {
		return nil, fmt.Errorf("%s: %w", p.where(at), in.explain(err))
	}
	return s, nil
}

// explain returns why what was read is not as it should be: err, unless the part ends
// because of damage.
func (m *memberReader) explain(err error) error {
	if m.broken {
		return errEntry
	}
	return err
}

// open opens the body of the reply that is in the record.
func (s *storedRecord) open() (io.ReadCloser, error) {
	before := int64(len(s.raw))
	length := s.length
	if s.header != nil {
		before += s.header.size
		length -= s.header.size
	}
	in, err := newMemberReader(s.part, s.at, lookupBuffer)
	if err != nil {
		return nil, err
	}
	if in.discard(before) < before {
		err := in.explain(io.ErrUnexpectedEOF)
		in.Close()
		return nil, fmt.Errorf("%s: %w", s.part.where(s.at), err)
	}
	return &blockReader{in, length}, nil
}

// A blockReader reads the rest of a block, which must not end before it does.
type blockReader struct {
	*memberReader
	left int64
}

func (b *blockReader) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	n, err := b.memberReader.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err == io.EOF {
		err = b.explain(io.ErrUnexpectedEOF)
	}
	return n, err
}
