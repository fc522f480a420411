package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A stored is a record that was read again, with the head of its reply.
type stored struct {
	record
	part *part
	at   spot
	head *head // nil if the block is not an HTTP message
}

// read reads the record at a place.
func (p *part) read(at spot) (*stored, error) {
	t, err := newTape(p, at, lookupBuffer)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	s := &stored{part: p, at: at}
	rec, err := t.record()
	if err == nil && rec.length < 0 {
		err = errors.New(reasonLength)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.where(at), err)
	}
	s.record, _ = parseRecord(bytes.Clone(rec.raw))
	s.http = rec.http
	if !s.http || s.kind == revisitRecord && s.length == 0 {
		return s, nil
	}
	if s.head, err = readHead(bufio.NewReader(io.LimitReader(t, s.length))); err != nil && s.kind != revisitRecord {
		return nil, fmt.Errorf("%s: %w", p.where(at), err)
	}
	return s, nil
}

// open opens the body of the reply that is in the record.
func (s *stored) open() (io.ReadCloser, error) {
	before := int64(len(s.raw))
	length := s.length
	if s.head != nil {
		before += s.head.size
		length -= s.head.size
	}
	t, err := newTape(s.part, s.at, lookupBuffer)
	if err != nil {
		return nil, err
	}
	if t.discard(before) < before {
		t.Close()
		return nil, fmt.Errorf("%s: %w", s.part.where(s.at), io.ErrUnexpectedEOF)
	}
	return &blockReader{t, length}, nil
}

// A blockReader reads the rest of a block, which must not end before it does.
type blockReader struct {
	*tape
	left int64
}

func (b *blockReader) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	n, err := b.tape.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
