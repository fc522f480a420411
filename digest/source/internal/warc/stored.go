package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

// storedRecord is a record that was read again for a look-up, with the header of its response.
type storedRecord struct {
	record
	part   *Part
	at     int64 // position; before is the number of decoded bytes of its member before the block
	before int64
	header *body.Header // nil if the block is not an HTTP message

	meter *meter.Meter  // pays for reading
	flags capture.Flags // of its entry
}

// read reads the record at a position.
func (p *Part) read(m *meter.Meter, at int64) (*storedRecord, error) {
	in, err := newMemberReader(p, at, m)
	if err != nil {
		return nil, err
	}
	defer in.release()
	s := &storedRecord{part: p, at: at, meter: m}
	in.skipBlank()
	rec, err := in.record()
	if err == nil && rec.length < 0 {
		err = errors.New(reasonLength)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.where(at), err)
	}
	s.record, _ = parseRecord(bytes.Clone(rec.raw))
	s.before = in.pos
	if err := s.readHeader(bufio.NewReader(io.LimitReader(in, s.length))); err != nil {
		return nil, fmt.Errorf("%s: %w", p.where(at), err)
	}
	return s, nil
}

// readHeader reads the header of the response from the block.
func (s *storedRecord) readHeader(block *bufio.Reader) (err error) {
	begin, _ := block.Peek(len("HTTP/"))
	isReply := string(begin) == "HTTP/"
	if s.kind == arcRecord || len(s.media) == 0 { // without a declaration, only the block shows it
		s.http = s.http && isReply
	}
	if !s.http {
		return nil
	}
	s.header, err = body.ReadReply(block)
	switch {
	case err == body.ErrHeader && !isReply, err == nil && s.header.Status == 0:
		s.header = nil // the block may be a body without a header
		return nil
	case s.isRevisit(): // its block may be empty, or only the beginning of a response
		return nil
	}
	return err
}

// data returns the body of the record.
func (s *storedRecord) data() *body.Body {
	if s.header != nil {
		return s.header.Body(s.body())
	}
	return &body.Body{Open: s.body()}
}

// body returns an opener of the body of the response in the record. The opener keeps only the necessary parts of the
// record in memory.
func (s *storedRecord) body() body.Opener {
	part, m, at, block := s.part, s.meter, s.at, body.Checksum(s.block)
	if s.truncated {
		block = "" // some programs compute the digest before they truncate
	}
	before, header, length := s.before, int64(0), s.length
	if s.header != nil {
		header = s.header.Size
	}
	return func() (io.ReadCloser, error) {
		in, err := newMemberReader(part, at, m)
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
	left  int64
	check *body.Check // digest check of the whole block; nil for none
}

func (b *blockReader) Read(p []byte) (int, error) {
	if b.left == 0 {
		if b.check != nil && !b.check.Agrees() {
			return 0, body.ErrBlock
		}
		return 0, io.EOF
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

// endsARC reports whether the block of an ARC record certainly ends here: exactly one line end follows. It detects a
// length that is off by one.
func (m *memberReader) endsARC() bool {
	rest, _ := bytes.CutPrefix(m.peek(len("\r\n\r")), []byte("\r"))
	rest, ok := bytes.CutPrefix(rest, []byte("\n"))
	return ok && (len(rest) == 0 || rest[0] != '\n' && rest[0] != '\r')
}
