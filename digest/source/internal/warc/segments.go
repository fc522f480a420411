package warc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

// joined returns the record made of the first segment s and its further segments (ISO 28500:2017, clause 7). An error
// means that segments are missing.
func (s *storedRecord) joined(x *capture.Index) (*storedRecord, error) {
	segments := map[int64]*storedRecord{}
	for f, e := range x.WithKey(segmentKey(s.id)) {
		p, isPart := f.(*Part)
		if !isPart {
			continue
		}
		if err := x.Look(); err != nil {
			return nil, err
		}
		o, err := p.read(x, placeOf(e))
		if err == nil && o.continues() && bytes.Equal(o.origin, s.id) && segments[o.segment] == nil {
			segments[o.segment] = o
		}
	}
	whole := *s
	whole.kind = recordTypes[s.name].kind
	last := s
	for n := int64(2); segments[n] != nil; n++ {
		last = segments[n]
		whole.rest = append(whole.rest, last)
		whole.length += last.length
		whole.truncated = whole.truncated || last.truncated
	}
	if s.segment != 1 || whole.length != last.total {
		return nil, fmt.Errorf("%s: a split record with missing segments", s.part.where(s.at))
	}
	return &whole, nil
}

// joinedBody returns an opener of the body of a response whose record was split.
func (s *storedRecord) joinedBody() body.Opener {
	first := *s
	first.rest = nil
	openers := []body.Opener{nil}
	for _, r := range s.rest {
		first.length -= r.length
		openers = append(openers, r.body())
	}
	openers[0] = first.body()
	return func() (io.ReadCloser, error) { return &joinedReader{openers: openers}, nil }
}

// joinedReader reads the segments in order. After the last segment, it returns the first Flaw of a segment, if any.
type joinedReader struct {
	openers []body.Opener // openers of the segments that are not open yet
	in      io.ReadCloser // open segment; nil between segments
	flaw    error
}

func (j *joinedReader) Read(p []byte) (int, error) {
	for {
		if j.in == nil {
			if len(j.openers) == 0 {
				return 0, cmp.Or(j.flaw, io.EOF)
			}
			in, err := j.openers[0]()
			if err != nil {
				return 0, err
			}
			j.in, j.openers = in, j.openers[1:]
		}
		n, err := j.in.Read(p)
		flaw, isFlaw := errors.AsType[*body.Flaw](err)
		if isFlaw && j.flaw == nil {
			j.flaw = flaw
		}
		if isFlaw || err == io.EOF {
			j.Close()
			err = nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// Close closes the open segment, if any.
func (j *joinedReader) Close() (err error) {
	if j.in != nil {
		err = j.in.Close()
	}
	j.in = nil
	return err
}
