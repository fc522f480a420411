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
	inner  *body.Header // of a reply in the block of a resource, which its record does not declare; nil for none
	head   []byte       // the first bytes after a header, up to body.HeadSize

	rest []*storedRecord // the segments after the first; none of a record that is not split
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
	in := bufio.NewReader(io.LimitReader(m, s.length))
	if s.http {
		// A revisit may have no block, or the beginning of a reply alone.
		if s.header, err = body.ReadReply(in); err != nil && s.kind != revisitRecord {
			return nil, fmt.Errorf("%s: %w", p.where(at), err)
		}
	} else if body.StartsReply(in) {
		s.inner, _ = body.ReadReply(in) // what has no header is no reply
	}
	head, _ := in.Peek(body.HeadSize) // what cannot be read shows when the body is read
	s.head = bytes.Clone(head)
	return s, nil
}

// bodies returns the forms of the body of the record.
func (s *storedRecord) bodies() []capture.Body {
	stored := body.Stored{Open: s.body(), Head: s.head, Size: s.bodyLength()}
	switch {
	case s.header != nil && s.header.Status == 0:
		block := *s
		block.header = nil
		whole := []capture.Body{capture.NewBody(capture.AsStored, block.body())}
		return append(s.header.BodiesOf(stored), body.Undeclared(whole, "the block of the record")...)
	case s.header != nil:
		return s.header.BodiesOf(stored)
	case s.inner != nil:
		reply := stored.Part(s.inner.Size, stored.Size-s.inner.Size)
		reply.Head = s.head
		return append([]capture.Body{capture.NewBody(capture.AsStored, stored.Open)},
			body.Undeclared(s.inner.BodiesOf(reply), "the reply in it")...)
	}
	h := body.Header{Fields: []body.Field{{Name: "Content-Type", Value: string(s.media)}}}
	return h.BodiesOf(stored)
}

// otherLengths returns the forms of the body of an ARC record if its length is off by one.
func (s *storedRecord) otherLengths() (list []capture.Body) {
	for _, by := range []int64{-1, 1} {
		other := *s
		other.length += by
		if other.bodyLength() < 0 {
			continue
		}
		forms := other.bodies()
		for i := range forms {
			forms[i] = forms[i].Strict()
		}
		list = append(list, body.Undeclared(forms, fmt.Sprintf("of a length that is off by %+d", -by))...)
	}
	return list
}

// body returns what opens the body of the reply that is in the record. It holds on to no more
// of the record than it needs.
func (s *storedRecord) body() body.Opener {
	if len(s.rest) > 0 {
		return s.joinedBody()
	}
	part, at, block := s.part, s.at, capture.Checksum(s.block)
	if s.truncated {
		block = "" // some digest what they left out
	}
	before, header, length, arc := int64(len(s.raw)), int64(0), s.length, s.arc
	if s.header != nil {
		header = s.header.Size
	}
	return func() (io.ReadCloser, error) {
		in, err := newMemberReader(part, at, lookupBuffer)
		if err != nil {
			return nil, err
		}
		in.discard(before)
		b := &blockReader{memberReader: in, left: length, arc: arc}
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
	arc   bool
	last  byte // that was read
}

// errBlock says that a block is not what its record says that it is.
var errBlock = &capture.Flaw{Reason: "the source is damaged: the block of the record does not have the digest that " +
	"the record says", Damaged: true}

// errARCLength says that the block of an ARC record may not end where its header says.
var errARCLength = &capture.Flaw{Reason: "the source is damaged: the length of the record may be wrong", Damaged: true}

func (b *blockReader) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, b.end()
	}
	n, err := b.memberReader.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if b.check != nil {
		b.check.Write(p[:n])
	}
	if n > 0 {
		b.last = p[n-1]
	}
	if err == io.EOF {
		err = errCutOff
	}
	return n, err
}

// errCutOff says that a record has less than its header says.
var errCutOff = errors.New("the record is cut off")

// end returns io.EOF, or what is wrong with the block that was read.
func (b *blockReader) end() error {
	switch {
	case b.check != nil && !b.check.Agrees():
		return errBlock
	case b.arc && !b.endsARC(b.last):
		return errARCLength
	}
	return io.EOF
}

// endsARC reports whether the block of an ARC record, of which last is the last byte, certainly ends here: an end of a
// line follows, and what is next begins after that, or this is the end of a member or of the data. A length that is off
// by one shows in that.
func (m *memberReader) endsARC(last byte) bool {
	next := m.peek(len("\r\n\r"))
	if len(next) == 0 || m.starts() {
		return last != '\n' || len(next) > 0 && next[0] == '\n'
	}
	rest, _ := bytes.CutPrefix(next, []byte("\r"))
	rest, ok := bytes.CutPrefix(rest, []byte("\n"))
	return ok && (len(rest) == 0 || rest[0] != '\n' && rest[0] != '\r')
}
