package warc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// joined returns the record made of the segment s and its further segments (ISO 28500:2017, clause 7). s is the first
// segment; the others are in this archive or in other archives. An error means that segments are missing.
func (a *Archive) joined(s *storedRecord, others []*Archive) (*storedRecord, error) {
	copies := 0
	for range a.index.at(a.index.byID(), urlkey.Hash(s.id), idOf) {
		if copies++; copies > maxCopies {
			return nil, fmt.Errorf("%s: a split record with an identifier that many records have", s.part.where(s.at))
		}
	}
	segments := map[int64]*storedRecord{}
	for _, in := range append([]*Archive{a}, others...) {
		in.addSegments(s, segments)
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

// addSegments adds the further segments in this archive to segments, by segment number.
func (a *Archive) addSegments(first *storedRecord, segments map[int64]*storedRecord) {
	for e := range a.index.at(a.index.segments(), urlkey.Hash(first.id), idOf) {
		if len(segments) == maxSegments {
			return
		}
		s, err := a.parts[e.part].read(e.position)
		if err == nil && s.continues() && bytes.Equal(s.origin, first.id) && segments[s.segment] == nil {
			segments[s.segment] = s
		}
	}
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
