package body

import (
	"bufio"
	"bytes"
	"cmp"
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
	// Open opens the stored data. They end in io.EOF, or in a *Flaw after all readable data.
	Open Opener

	Codings   []string // declared codings in lower case, in the order of removal
	Length    int64    // declared length of the data as sent; valid if HasLength
	HasLength bool

	Digests []Checksum // each is the digest of the data in one of the forms; it is unknown in which
}

// Form is a form of the data of a body.
type Form int

// The forms of a body. Data that were sent without chunks and codings are the same in all forms.
const (
	Stored  Form = iota // as the source stores them
	Sent                // without chunks, and not longer than declared
	Decoded             // without codings

	forms = Decoded + 1
)

// String returns the name of the form.
func (f Form) String() string { return [forms]string{"stored", "sent", "decoded"}[f] }

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

// Flaw means that stored data are damaged, or differ from the declaration of their source. Readers return it instead of
// io.EOF, after all readable data.
type Flaw struct{ Reason string }

func (f *Flaw) Error() string { return f.Reason }

// Sums reads the data once. It calls pay with each number of bytes that were read or decoded; an error of pay ends
// reading. pay may be nil. With an error, there are no Sums.
func (b *Body) Sums(pay func(n int64) error) (s Sums, err error) {
	p, err := b.read(Decoded, pay)
	if err != nil {
		return s, err
	}
	defer p.Close()
	for f := Decoded; f >= Stored; f-- { // bytes that a decoder does not read count in the outer forms
		io.Copy(io.Discard, p.stages[f].in)
	}
	if p.failed != nil {
		return s, p.failed
	}
	for f, st := range p.stages {
		s.ID[f], s.Size[f] = digest.ID(st.md5.Sum(nil)), st.size
	}
	if p.stages[Sent] == p.stages[Stored] && p.isLonger() {
		s.ID[Sent], s.Size[Sent] = p.stages[Stored].prefix, b.Length
	}
	s.MediaType = http.DetectContentType(p.head)
	if s.Size[Decoded] == 0 && p.flaw != "" { // the data are not decoded
		s.ID[Decoded], s.Size[Decoded] = s.ID[Sent], s.Size[Sent]
	}
	s.Doubt = p.doubt()
	return s, nil
}

// OpenForm opens the data in a form. They end in io.EOF even if they are damaged. pay is that of Sums.
func (b *Body) OpenForm(f Form, pay func(n int64) error) (io.ReadCloser, error) {
	p, err := b.read(f, pay)
	if err != nil {
		return nil, err
	}
	var r io.Reader = p.stages[f].in
	if f == Sent && b.HasLength && !p.chunked && p.stages[Sent] == p.stages[Stored] {
		r = io.LimitReader(r, b.Length)
	}
	return &formReader{r, p}, nil
}

// formReader reads one form of a body.
type formReader struct {
	io.Reader
	*pass
}

func (r *formReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err == io.EOF && r.failed != nil {
		err = r.failed
	}
	return n, err
}

// pass reads the data of a body once, in several forms.
type pass struct {
	body   *Body
	stored io.ReadCloser
	pay    func(n int64) error
	stages [forms]*stage // forms that are the same share a stage
	layers []*layer
	head   []byte // first bytes of the decoded data

	chunked bool   // chunks were removed
	failed  error  // error of reading the stored data, or of pay
	damage  string // doubt about the stored data
	flaw    string // first doubt about the codings
}

// stage reads the data in one form, and computes their digests.
type stage struct {
	p      *pass
	source io.Reader
	in     *bufio.Reader // reader of the stage itself
	md5    hash.Hash
	checks []*Check // by index of Body.Digests; nil for an invalid one
	size   int64
	prefix digest.ID // MD5 of the data up to the declared length
}

// read starts a pass. It opens the forms up to last.
func (b *Body) read(last Form, pay func(n int64) error) (*pass, error) {
	stored, err := b.Open()
	if err != nil {
		return nil, err
	}
	p := &pass{body: b, stored: stored, pay: pay}
	outer := p.stage(storedReader{p})
	p.stages = [forms]*stage{outer, outer, outer}
	if last == Stored {
		return p, nil
	}
	sent, codings := p.sent(outer.in)
	if sent != outer.in {
		p.stages[Sent] = p.stage(sent)
	}
	p.stages[Decoded] = p.stages[Sent]
	if last == Sent {
		return p, nil
	}
	if decoded := p.decoded(p.stages[Sent].in, codings); decoded != p.stages[Sent].in {
		p.stages[Decoded] = p.stage(decoded)
	}
	head, _ := p.stages[Decoded].in.Peek(HeadSize)
	p.head = bytes.Clone(head)
	return p, nil
}

func (p *pass) stage(source io.Reader) *stage {
	s := &stage{p: p, source: source, md5: md5.New()}
	for _, c := range p.body.Digests {
		s.checks = append(s.checks, c.New())
	}
	s.in = bufio.NewReader(s)
	return s
}

func (s *stage) Read(p []byte) (int, error) {
	n, err := s.source.Read(p)
	if to := s.p.body.Length; s.p.body.HasLength && s.size <= to && to < s.size+int64(n) {
		s.md5.Write(p[:to-s.size])
		s.prefix = digest.ID(s.md5.Sum(nil))
		s.md5.Write(p[to-s.size : n])
	} else {
		s.md5.Write(p[:n])
	}
	for _, c := range s.checks {
		if c != nil {
			c.Write(p[:n])
		}
	}
	s.size += int64(n)
	return n, err
}

// Close closes the body.
func (p *pass) Close() error {
	for _, l := range p.layers {
		if c, ok := l.out.(io.Closer); ok {
			c.Close()
		}
	}
	return p.stored.Close()
}

// storedReader reads the stored data, and records why they end. It always ends in io.EOF.
type storedReader struct{ p *pass }

func (r storedReader) Read(b []byte) (int, error) {
	p := r.p
	if p.failed != nil {
		return 0, io.EOF
	}
	n, err := p.stored.Read(b)
	if flaw, ok := errors.AsType[*Flaw](err); ok {
		p.damage, err = flaw.Reason, io.EOF
	}
	if err == nil || err == io.EOF {
		err = cmp.Or(p.spend(int64(n)), err)
	}
	if err != nil && err != io.EOF {
		p.failed, err = err, io.EOF
	}
	return n, err
}

func (p *pass) spend(n int64) error {
	if p.pay == nil {
		return nil
	}
	return p.pay(n)
}

// isLonger reports whether the stored data are longer than declared.
func (p *pass) isLonger() bool {
	return p.body.HasLength && !p.chunked && p.stages[Stored].size > p.body.Length
}

// doubt returns the first reason why the decoded data may differ from the captured data.
func (p *pass) doubt() string {
	switch size := p.stages[Stored].size; {
	case p.damage != "":
		return p.damage
	case p.isLonger():
		return "the body is longer than its header says"
	case p.body.HasLength && !p.chunked && size < p.body.Length:
		return "the body is cut off: it is shorter than its header says"
	case p.flaw != "":
		return p.flaw
	case !p.agrees():
		return "the source is damaged: no form of the body matches its digest in the record"
	case http.DetectContentType(p.head) == unknownType:
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
