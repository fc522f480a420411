package body

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"errors"
	"hash"
	"io"
	"net/http"

	"github.com/webcap-tools/webcap/digest"
)

// Opener opens data from the beginning.
type Opener = func() (io.ReadCloser, error)

// Body is the data of a capture, with what its source declares about them.
type Body struct {
	// Open opens the stored data. They end in io.EOF or ErrBlock.
	Open Opener

	Codings   []string // declared codings in lower case, in the order of removal
	Length    int64    // declared length of the stored data, unless they are in chunks; valid if HasLength
	HasLength bool

	Digests []Checksum // each is the digest of the data in one of the forms; it is unknown in which
}

// Form is a form of the data of a body.
type Form int

// The forms of a body. Data that were sent without chunks and codings are the same in all forms.
const (
	Stored  Form = iota // as the source stores them
	Sent                // without chunks
	Decoded             // without codings

	forms = Decoded + 1
)

// Sums describes a body whose data were read.
type Sums struct {
	ID        [forms]digest.ID // MD5 by form
	Size      [forms]int64
	MediaType string // detected from the first bytes of the decoded data
	Doubt     string // first reason why the decoded data may differ from the captured data; empty if there is none
}

// Match returns a form whose data have this MD5. Decoded comes first.
func (s *Sums) Match(id digest.ID) (f Form, ok bool) {
	for f = Decoded; f >= Stored; f-- {
		if s.ID[f] == id {
			return f, true
		}
	}
	return 0, false
}

// ErrBlock means that the block of a record does not match its digest. Readers return it instead of io.EOF.
var ErrBlock = errors.New("the source is damaged: the block of the record does not match the digest in its header")

// Sums reads the data once. It calls pay with each number of bytes that were read or decoded; an error of pay ends
// reading. pay may be nil. With an error, there are no Sums.
func (b *Body) Sums(pay func(n int64) error) (s Sums, err error) {
	p, err := b.read(pay)
	if err != nil {
		return s, err
	}
	defer p.Close()
	head, _ := p.last().data.Peek(headSize)
	head = bytes.Clone(head)
	s.MediaType = http.DetectContentType(head)
	for i := len(p.stages) - 1; i >= 0; i-- { // bytes that a decoder does not read count in the data with the coding
		io.Copy(io.Discard, p.stages[i].data)
	}
	if p.failed != nil {
		return Sums{}, p.failed
	}
	decoded := p.last()
	if decoded.size == 0 && p.flaw != "" { // the data cannot be decoded
		decoded = p.sent()
	}
	for f, st := range [forms]*stage{p.stages[0], p.sent(), decoded} {
		s.ID[f], s.Size[f] = digest.ID(st.md5.Sum(nil)), st.size
	}
	s.Doubt = p.doubt(head)
	return s, nil
}

// OpenDecoded opens the decoded data. They end in io.EOF even if they are damaged. pay is that of Sums.
func (b *Body) OpenDecoded(pay func(n int64) error) (io.ReadCloser, error) {
	p, err := b.read(pay)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// pass reads the data of a body once, in all forms. As a reader, it reads the decoded data.
type pass struct {
	body   *Body
	stored io.ReadCloser
	pay    func(n int64) error
	stages []*stage // the stored data, and the data after the removal of each coding

	failed error  // error of reading the stored data, or of pay
	damage string // doubt about the stored data
	flaw   string // first doubt about the codings
}

// stage reads the data after the removal of a coding, and computes their digests. It always ends in io.EOF.
type stage struct {
	pass   *pass
	coding string        // empty for the stored data
	in     *bufio.Reader // the data in the coding
	source io.Reader     // decoder
	data   *bufio.Reader // reader of the stage itself
	ended  bool

	md5    hash.Hash
	checks []*Check // by index of Body.Digests; nil for an invalid one
	size   int64
}

// read starts a pass.
func (b *Body) read(pay func(n int64) error) (*pass, error) {
	stored, err := b.Open()
	if err != nil {
		return nil, err
	}
	p := &pass{body: b, stored: stored, pay: pay}
	p.add("", nil, stored)
	p.removeCodings(b.Codings)
	return p, nil
}

// add adds a stage.
func (p *pass) add(coding string, in *bufio.Reader, source io.Reader) {
	s := &stage{pass: p, coding: coding, in: in, source: source, md5: md5.New()}
	for _, c := range p.body.Digests {
		s.checks = append(s.checks, c.New())
	}
	s.data = bufio.NewReader(s)
	p.stages = append(p.stages, s)
}

// last returns the stage of the decoded data.
func (p *pass) last() *stage { return p.stages[len(p.stages)-1] }

// sent returns the stage of the data without chunks.
func (p *pass) sent() *stage {
	if p.isChunked() {
		return p.stages[1]
	}
	return p.stages[0]
}

func (p *pass) isChunked() bool { return len(p.stages) > 1 && p.stages[1].coding == chunked }

func (p *pass) Read(b []byte) (int, error) {
	n, err := p.last().data.Read(b)
	if err == io.EOF && p.failed != nil {
		err = p.failed
	}
	return n, err
}

// Close closes the body.
func (p *pass) Close() error {
	for _, s := range p.stages[1:] {
		if c, ok := s.source.(io.Closer); ok {
			c.Close()
		}
	}
	return p.stored.Close()
}

func (s *stage) Read(b []byte) (int, error) {
	p := s.pass
	if s.ended || p.failed != nil {
		return 0, io.EOF
	}
	n, err := s.source.Read(b)
	s.md5.Write(b[:n])
	for _, c := range s.checks {
		if c != nil {
			c.Write(b[:n])
		}
	}
	s.size += int64(n)
	if p.pay != nil {
		p.failed = p.pay(int64(n))
	}
	if err != nil {
		s.end(err)
	}
	if s.ended || p.failed != nil {
		return n, io.EOF
	}
	return n, nil
}

// end records the error at which the data end. io.EOF is their regular end.
func (s *stage) end(err error) {
	s.ended = true
	switch {
	case s.coding != "":
		s.endCoding(err)
	case err == ErrBlock:
		s.pass.damage = err.Error()
	case err != io.EOF:
		s.pass.failed = err
	}
}

// doubt returns the first reason why the decoded data, which begin with head, may differ from the captured data.
func (p *pass) doubt(head []byte) string {
	size, hasLength := p.stages[0].size, p.body.HasLength && !p.isChunked()
	switch {
	case p.damage != "":
		return p.damage
	case hasLength && size > p.body.Length:
		return "the body is longer than its header says"
	case hasLength && size < p.body.Length:
		return "the body is cut off: it is shorter than its header says"
	case p.flaw != "":
		return p.flaw
	case !p.agrees():
		return "the source is damaged: no form of the body matches its digest in the record"
	case statusLine.Match(head): // such as after a reply to CONNECT
		return "the body begins with the header of a reply"
	case http.DetectContentType(head) == unknownType:
		return "the first bytes show no known type of data, so the data may be in a coding"
	}
	return ""
}

// unknownType is the result of http.DetectContentType for data of an unknown type.
const unknownType = "application/octet-stream"

// agrees reports whether each digest is that of one of the forms.
func (p *pass) agrees() bool {
	for i := range p.body.Digests {
		agrees := false
		for _, s := range p.stages {
			agrees = agrees || s.checks[i] == nil || s.checks[i].Agrees()
		}
		if !agrees {
			return false
		}
	}
	return true
}
