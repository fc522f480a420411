package warc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

// PDFs yields the PDF files among the records of a WARC or ARC file, in its order: the
// replies and resources that say so, or begin so. Each candidate has one Body, in the form
// in which it is a PDF, if there is one; it may be read on another goroutine. Revisits are
// left out, for they have no data of their own.
//
// What is damaged is skipped. An error at the end says how much that is, and why; the
// error is the only one if nothing in the file is a record.
func PDFs(r io.ReaderAt, size int64, name string) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		p := &Part{Path: name, Zip: r, Size: size}
		if err := p.sniff(); err != nil {
			yield(nil, err)
			return
		}
		in, err := newMemberReader(p, position{}, scanBuffer)
		if err != nil {
			yield(nil, err)
			return
		}
		defer in.Close()
		s := &scan{in: in, part: p, wanted: isPDFRecord}
		for err == nil {
			err = s.next()
			for e := range s.entries.all() {
				if c, err := p.pdf(e.position); (c != nil || err != nil) && !yield(c, err) {
					return
				}
			}
			s.entries.cut(0)
		}
		if err != io.EOF {
			yield(nil, err)
			return
		}
		if err := s.damage(); err != nil {
			yield(nil, err)
		}
	}
}

// damage says what was skipped; nil if nothing was.
func (s *scan) damage() error {
	var reasons []byte
	n := 0
	for _, k := range s.Total().Skipped {
		n += k.Count
		if len(reasons) > 0 {
			reasons = append(reasons, "; "...)
		}
		reasons = fmt.Appendf(reasons, "%s (%d, the first in %s)", k.Reason, k.Count, k.First)
	}
	switch {
	case s.records == 0 && n == 0:
		return fmt.Errorf("it has no records")
	case s.records == 0:
		return fmt.Errorf("it has no records: %s", reasons)
	case n > 0:
		return fmt.Errorf("not all of it could be read: %s", reasons)
	}
	return nil
}

// pdfHeader is how a PDF file begins (ISO 32000-2:2020, 7.5.2), and maxPDFHeader where at
// the latest: Acrobat takes files that have something else before it.
const (
	pdfHeader    = "%PDF-"
	maxPDFHeader = 1024
)

// isPDFRecord says whether a record may be a PDF, by its header and the beginning of its
// block. What is in some coding is known by its header alone.
func isPDFRecord(r record, block []byte) bool {
	if !r.http {
		return isPDFType(string(r.media)) || bytes.Contains(block[:min(len(block), maxPDFHeader)], []byte(pdfHeader))
	}
	h, err := body.ReadHeader(bufio.NewReader(bytes.NewReader(block)))
	if err != nil { // it is longer than what is looked at
		return bytes.Contains(bytes.ToLower(block), []byte(pdfType))
	}
	body := block[h.Size:]
	switch {
	case h.Unusable() != "" || h.Redirect() != "":
		return false
	case isPDFType(h.Get("Content-Type")) && !h.Failed():
		return true
	}
	return bytes.Contains(body[:min(len(body), maxPDFHeader)], []byte(pdfHeader))
}

const pdfType = "application/pdf"

func isPDFType(media string) bool {
	return len(media) >= len(pdfType) && bytes.EqualFold([]byte(media[:len(pdfType)]), []byte(pdfType))
}

// pdf returns the PDF that is in the record at a position; nil if its reply turns out to
// be of no use.
func (p *Part) pdf(at position) (*capture.Candidate, error) {
	s, err := p.read(at)
	if err != nil {
		return nil, err
	}
	a := Archive{}
	c, err := a.candidate(s, nil)
	if c == nil || err != nil || len(c.Bodies) == 0 {
		return nil, err
	}
	forms := c.Bodies
	c.Bodies = []capture.Body{capture.NewBody("", func() (io.ReadCloser, error) { return openPDF(forms) })}
	return c, nil
}

// openPDF opens the form of a body that begins as a PDF does; as it is stored if none does.
func openPDF(forms []capture.Body) (io.ReadCloser, error) {
	for i := len(forms) - 1; i > 0; i-- {
		r, err := forms[i].Open()
		if err != nil {
			continue
		}
		b := bufio.NewReaderSize(r, maxPDFHeader)
		if start, _ := b.Peek(maxPDFHeader); bytes.Contains(start, []byte(pdfHeader)) {
			return struct {
				io.Reader
				io.Closer
			}{b, r}, nil
		}
		r.Close()
	}
	return forms[0].Open()
}
