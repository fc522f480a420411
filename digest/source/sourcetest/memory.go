package sourcetest

import (
	"errors"
	"math"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Memory returns a source with captures, which are found in this order. A capture with the Record "error" cannot be
// read; its Doubt is the error.
func Memory(list ...*capture.Candidate) *capture.Index {
	x, err := capture.Open([]capture.File{memory(list)}, &capture.Stats{})
	if err != nil {
		panic(err)
	}
	return x
}

type memory []*capture.Candidate

func (m memory) String() string { return "memory" }

func (m memory) Scan(s *capture.Scan) error {
	s.Start(math.MaxUint16)
	s.Records = 1 // it is no error to have no captures
	for i, c := range m {
		s.Add(capture.Entry{URL: urlkey.Hash(urlkey.Alike(c.URL)), At: int64(i)})
	}
	return nil
}

func (m memory) Read(_ *capture.Index, e *capture.Entry) (*capture.Candidate, string, error) {
	c := *m[e.At]
	if c.Record == "error" {
		return nil, c.URL, errors.New(c.Doubt)
	}
	return &c, c.URL, nil
}
