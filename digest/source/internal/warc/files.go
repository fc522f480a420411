package warc

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

// File is the file in a WARC or ARC record: the body of a response, or the block of a resource or conversion.
type File struct {
	URL       string
	MediaType string // media type of the record or its response; empty for an error response or a redirect

	// Start has the first bytes of the file, with declared codings removed.
	Start []byte

	// Err is the reason why the record does not have the whole file.
	Err error

	// Revisit means that the record has no file, but refers to the file of another record.
	Revisit bool

	// Open opens the file, with codings removed. Another goroutine may call it.
	Open func() (io.ReadCloser, error)
}

// reasonDamaged is the reason why a record that does not end where its header says is unusable.
const reasonDamaged = "a damaged record"

// Files yields the files of all records of a WARC or ARC file, in the order of the records. It skips damaged data. If
// data were skipped, the last result is an error that describes the damage. If there is no record, the error is the only
// result.
func Files(r io.ReaderAt, size int64, name string) iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		p := &Part{Path: name, data: r, Size: size}
		defer p.Close()
		s, err := p.begin(&capture.Scan{Meter: meter.New(size)})
		if err != nil {
			yield(nil, err)
			return
		}
		defer s.close()
		s.ofFiles = true
		later := meter.New(size) // files are opened later, in any order
		for err == nil {
			err = s.next()
			for _, e := range s.Entries {
				f, part := s.file, p.partOf(&e)
				if e.Flags&isDamaged != 0 {
					f.Err = cmp.Or(s.Meter.Over(), errors.New(reasonDamaged))
				}
				f.Open = func() (io.ReadCloser, error) {
					r, err := part.read(later, e.At)
					if err != nil {
						return nil, err
					}
					return r.data().OpenDecoded(later.Pay)
				}
				if !yield(f, nil) {
					return
				}
			}
			s.Entries = s.Entries[:0]
		}
		if errors.Is(err, meter.Over{}) {
			s.SkipCapped(name, err.Error())
		} else if err != io.EOF {
			yield(nil, err)
			return
		}
		if err := s.damage(); err != nil {
			yield(nil, err)
		}
	}
}

// damage describes the skipped data; nil if there are none.
func (s *scan) damage() error {
	var list []string
	for _, k := range s.Skipped {
		list = append(list, fmt.Sprintf("%s (%d, the first in %s)", k.Reason, k.Count, k.First))
	}
	reasons := strings.Join(list, "; ")
	switch {
	case reasons != "":
		return fmt.Errorf("parts of the file could not be read: %s", reasons)
	case s.Records == 0:
		return errors.New("the file has no records")
	}
	return nil
}

// fileStart is the maximum size of Start.
const fileStart = 4 << 10

// fileOf returns the file of a record, as far as the first bytes of the block show it; nil if the record has no file.
// The member reader must be at the block.
func (s *scan) fileOf(rec record) *File {
	const fields = "application/warc-fields" // metadata instead of retrieved data
	isFields := len(rec.media) >= len(fields) && bytes.EqualFold(rec.media[:len(fields)], []byte(fields))
	if rec.isOther() && (len(rec.url) == 0 || isFields) || rec.isRequest() ||
		rec.kind == arcRecord && isFiledesc(rec.url) {
		return nil
	}
	f := &File{URL: string(rec.url), MediaType: string(rec.media), Revisit: rec.isRevisit()}
	r := storedRecord{record: rec}
	block := s.in.peek(int(min(rec.length, maxRecordHeader))) // the slices of rec are invalid afterwards
	start := block
	if err := r.readHeader(bufio.NewReader(bytes.NewReader(block))); r.http {
		f.MediaType = ""
		switch h := r.header; {
		case bytes.HasPrefix(block, []byte(pdfHeader)): // the block has no header
		case err != nil && bytes.Contains(bytes.ToLower(block), []byte(pdfType)): // the header is longer than the block
			f.MediaType, start = pdfType, nil
		case err != nil:
			f.Err, start = err, nil
		case h != nil:
			start = f.setReply(h, block[h.Size:], rec.length-h.Size)
		}
	}
	if rec.split {
		f.Err = errors.New(reasonSegment)
	}
	f.Revisit = f.Revisit && !bytes.HasPrefix(start, []byte(pdfHeader)) // a revisit that begins like a PDF has the file
	f.Start = bytes.Clone(start[:min(len(start), fileStart)])
	return f
}

// setReply sets properties of the file from the header of its response. stored is the beginning of the body, and size
// the size of the body. It returns the beginning of the file, without the codings of the response.
func (f *File) setReply(h *body.Header, stored []byte, size int64) []byte {
	if h.Status < http.StatusBadRequest && h.Redirect() == "" {
		f.MediaType = h.Get("Content-Type")
	}
	if reason := unusableOf(h, size); reason != "" && !f.Revisit {
		if r := h.Get("Content-Range"); r != "" {
			reason += ": " + r
		}
		f.Err = errors.New(reason)
	}
	if coding := h.UnknownCoding(); coding != "" && !bytes.HasPrefix(stored, []byte(pdfHeader)) {
		f.Err = fmt.Errorf("the header names the unknown coding %.40q", coding)
	}
	if !h.IsCoded() && !body.IsZlib(stored) {
		return stored
	}
	b := h.Body(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(stored)), nil })
	in, err := b.OpenDecoded(nil)
	if err != nil {
		return stored
	}
	defer in.Close()
	start, _ := io.ReadAll(io.LimitReader(in, fileStart))
	if len(start) == 0 {
		return stored // the data are not in the coding
	}
	return start
}

// isWholeRange reports whether a partial response has the whole file (RFC 9110, 14.4).
func isWholeRange(h *body.Header, size int64) bool {
	var first, last, all int64
	n, _ := fmt.Sscanf(strings.ToLower(h.Get("Content-Range")), "bytes %d-%d/%d", &first, &last, &all)
	return h.Status == http.StatusPartialContent && n == 3 && first == 0 && last == all-1 &&
		(h.IsCoded() || size >= all)
}

const (
	pdfHeader = "%PDF-" // the start of a PDF file (ISO 32000-2:2020, 7.5.2)
	pdfType   = "application/pdf"
)
