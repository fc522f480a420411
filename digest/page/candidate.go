package page

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/source"
)

// forms returns the files of a candidate. It remembers them, up to a limit. If there is no file, the error is the
// read error of a body, if any. A *source.TooLarge may come with files; then the files cannot prove a mismatch.
func (s *Search) forms(c *source.Candidate) ([]File, error) {
	if c.Where == "" {
		return s.read(c)
	}
	at := place{c.Where, c.URL, c.Uncertain, c.Failed}
	s.mu.Lock()
	b := s.bodies[at]
	if b == nil {
		if len(s.bodies) == maxKnown {
			clear(s.bodies)
		}
		b = &bodies{}
		s.bodies[at] = b
	}
	s.mu.Unlock()
	b.once.Do(func() { b.files, b.err = s.read(c) })
	return b.files, b.err
}

// read reads all forms of a candidate.
func (s *Search) read(c *source.Candidate) (files []File, err error) {
	s.left.Add(lookWork) // refund: only further looks at a candidate cost work
	bodies := decodedFirst(c.Bodies)
	list := s.digests(c, bodies, cmp.Or(c.Data, c.Where))
	flaw := doubt(c, bodies, list)
	if flaw != nil && flaw.Damaged && c.Data != "" {
		list = s.digests(c, bodies, c.Where) // another copy of the payload is damaged; this copy may be intact
		flaw = doubt(c, bodies, list)
	}
	var tooLarge *source.TooLarge
	used := false // the data before the flaw are used
	var plain *File
	for i, b := range bodies {
		k := list[i]
		if k.err != nil && b.Undeclared {
			continue
		}
		if k.err != nil {
			errors.As(k.err, &tooLarge)
			err = k.err
			continue
		}
		used = used || k.flaw != nil
		where := c.Where
		if b.Form != source.AsStored {
			where += " (" + b.Form + ")"
		}
		f := File{
			ID: k.id, URL: c.URL, Where: where, Capture: c, MediaType: typeOf(c.MediaType, k.mediaType),
			Uncertain: c.Uncertain || flaw != nil, Flaw: flaw, Failed: c.Failed,
			Data: func() ([]byte, error) { return s.text(b, k.size) },
		}
		if plain != nil && !b.Undeclared {
			f.MediaType, f.Plain = plain.MediaType, plain.Data
		} else if !b.Undeclared {
			plain = &f
		}
		files = append(files, f)
	}
	switch {
	case tooLarge != nil:
		return files, tooLarge
	case files == nil:
		return nil, err
	case used || flaw != nil && flaw.Damaged:
		s.note(fmt.Errorf("%s: %w", c.Where, flaw))
	}
	return files, nil
}

// decodedFirst returns the bodies of a candidate in another order: bodies with all codings removed come first, and
// bodies that are still coded come last.
func decodedFirst(list []source.Body) []source.Body {
	var stored, bodies []source.Body
	for _, b := range list {
		if b.Form == source.AsStored {
			stored = append(stored, b)
		} else {
			bodies = append([]source.Body{b}, bodies...)
		}
	}
	bodies = append(bodies, stored...)
	slices.SortStableFunc(bodies, func(a, b source.Body) int {
		switch {
		case a.Coded == b.Coded:
			return 0
		case a.Coded:
			return 1
		}
		return -1
	})
	return bodies
}

var errPayload = &source.Flaw{Reason: "the source is damaged: no form of the body matches its digest in the record",
	Damaged: true}

// doubt returns the reason why bodies that differ from the wanted ID do not count as a mismatch; nil if they count.
// Only doubt makes this decision.
func doubt(c *source.Candidate, bodies []source.Body, list []*dataDigest) *source.Flaw {
	flaw := c.Doubt
	agrees := c.Payload == ""
	for i, k := range list {
		if bodies[i].Undeclared {
			agrees = agrees || k.agrees
			if flaw == nil && k.err == nil {
				flaw = &source.Flaw{Reason: fmt.Sprintf("the body can also be read in another way (%s)",
					bodies[i].Form)}
			}
			continue
		}
		f := k.flaw
		if f == nil && k.err != nil {
			f = &source.Flaw{Reason: k.err.Error()}
			agrees = true // an unreadable body may have the digest
		}
		agrees = agrees || k.agrees
		if f != nil && f.Damaged {
			return f
		}
		if flaw == nil && !bodies[i].Coded {
			flaw = f
		}
	}
	if !agrees {
		return errPayload
	}
	return flaw
}

// digests returns the digests of the bodies of a candidate. by is the identity of the data; empty if unknown.
func (s *Search) digests(c *source.Candidate, bodies []source.Body, by string) []*dataDigest {
	var list []*dataDigest
	hasStored := slices.ContainsFunc(bodies, func(b source.Body) bool { return b.Form == source.AsStored })
	for _, b := range bodies {
		weight := int64(1)
		if b.Form == source.AsStored || !hasStored {
			weight = -storedWork // allows decoding the body, and reading it again several times
		}
		list = append(list, s.digested(by, b, c.Payload, weight))
	}
	return list
}

// digested returns the digest of a body. A body that several candidates share is read once, and each of its bytes
// counts once as work.
func (s *Search) digested(by string, b source.Body, payload source.Checksum, weight int64) *dataDigest {
	k := &dataDigest{}
	if by != "" {
		at := [2]string{by, b.Form}
		s.mu.Lock()
		if was := s.data[at]; was != nil {
			k = was
		} else {
			if len(s.data) == maxKnown {
				clear(s.data)
			}
			s.data[at] = k
		}
		s.mu.Unlock()
	}
	k.once.Do(func() { k.err = s.digest(k, b, payload, weight) })
	return k
}

func (s *Search) digest(k *dataDigest, b source.Body, payload source.Checksum, weight int64) error {
	body, err := b.Open()
	if err != nil {
		return err
	}
	defer body.Close()
	m := &meteredReader{Reader: body, s: s, weight: weight}
	var r io.Reader = m
	check := payload.New()
	if check != nil {
		r = io.TeeReader(m, check)
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	head = head[:n]
	k.mediaType = detect(head)
	k.id, err = digest.Image(io.MultiReader(bytes.NewReader(head), r))
	k.size, k.flaw = m.n, m.flaw
	k.agrees = check != nil && check.Agrees()
	if err == nil && k.flaw != nil && k.size == 0 {
		err = k.flaw
	}
	return err
}

// text returns the data of a body, which has this size, for the search for references.
func (s *Search) text(b source.Body, size int64) ([]byte, error) {
	if size > MaxSource {
		err := &source.TooLarge{Limit: MaxSource}
		s.note(err)
		return nil, err
	}
	r, err := b.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := ReadSource(&meteredReader{Reader: r, s: s, weight: pageWork})
	if isCap(err) {
		s.note(err)
	}
	return data, err
}

// meteredReader reads data and subtracts weight from the remaining work of a search for each byte. A Flaw ends the
// data.
type meteredReader struct {
	io.Reader
	s      *Search
	weight int64
	n      int64 // bytes that were read
	flaw   *source.Flaw
}

func (m *meteredReader) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.n += int64(n)
	if !m.s.spend(int64(n) * m.weight) {
		return 0, ErrExhausted
	}
	if flaw, ok := errors.AsType[*source.Flaw](err); ok {
		m.flaw, err = flaw, io.EOF
	}
	return n, err
}

// ReadSource reads r to its end. It returns a *source.TooLarge if there are more than MaxSource bytes, or the error
// of r.
func ReadSource(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	if n, err := b.ReadFrom(io.LimitReader(r, MaxSource+1)); err != nil {
		return nil, err
	} else if n > MaxSource {
		return nil, &source.TooLarge{Limit: MaxSource}
	}
	return b.Bytes(), nil
}
