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
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// File is the file in a WARC or ARC record: the body of a response, or the block of a resource or conversion.
type File struct {
	URL       string
	MediaType string // media type of the record or its response; empty for an error response or a redirect

	// Start has the first bytes of the file, with declared codings removed. It is valid until the next File.
	Start []byte

	// Err is the reason why the record does not have the whole file.
	Err error

	// UnknownCoding means that Start may still be in a coding, because the coding is unknown.
	UnknownCoding bool

	// Sent means that the record is a request that sent a PDF file.
	Sent bool

	// Revisit means that the record has no file, but refers to the file of another record.
	Revisit bool

	// Open opens the file in a form that begins like a PDF, if there is such a form. Another goroutine may call it.
	Open func() (io.ReadCloser, error)

	// hashes of the keys by which revisits refer to the record; for a revisit, of the keys to which it refers; 0 for
	// none
	keys [3]uint64
}

// Originals are the records to which revisits may refer.
type Originals struct{ seen map[uint64]struct{} }

// Add adds a record.
func (o *Originals) Add(f *File) {
	if o.seen == nil {
		o.seen = map[uint64]struct{}{}
	}
	for _, k := range f.keys {
		if len(o.seen) < maxSeen {
			o.seen[k] = struct{}{}
		}
	}
}

// Has reports whether the original of a revisit was added.
func (o *Originals) Has(f *File) bool {
	for _, k := range f.keys {
		if _, ok := o.seen[k]; ok && k != 0 {
			return true
		}
	}
	return false
}

// Files yields the files of all records of a WARC or ARC file, in the order of the records. It skips damaged data. If
// data were skipped, the last result is an error that describes the damage. If there is no record, the error is the
// only result.
func Files(r io.ReaderAt, size int64, name string) iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		p := &Part{Path: name, data: r, Size: size}
		if err := p.sniff(); err != nil {
			yield(nil, err)
			return
		}
		budget := meter.New(size)
		x := capture.Of(p, capture.Entries{}, meter.New(size)) // files are opened later, in any order
		in, err := newMemberReader(p, position{}, scanStep, budget)
		if err != nil {
			yield(nil, err)
			return
		}
		defer in.Close()
		in.skipMark()
		l := &fileLook{in: in, index: x}
		s := &scan{Scan: &capture.Scan{Meter: budget}, in: in, part: p, wanted: l.look}
		var split splitFiles
		for err == nil {
			l.looked = false
			err = s.next()
			if l.looked && s.Entries.Len() == 0 {
				l.err = s.broken()
				s.Entries.Add(capture.Entry{})
			}
			for e := range s.Entries.All() {
				if e.Flags&(isFirst|continues) != 0 {
					split.add(e, l, s)
				} else if !yield(l.file(p, placeOf(e)), nil) {
					return
				}
			}
			s.Entries.Cut(0)
		}
		if errors.Is(err, meter.Over{}) {
			s.SkipCapped(name, err.Error())
		} else if err != io.EOF {
			yield(nil, err)
			return
		}
		for f := range split.joined(s) {
			if !yield(f, nil) {
				return
			}
		}
		if err := s.damage(); err != nil {
			yield(nil, err)
		}
	}
}

// splitFiles are the files of records that were split. They are yielded last, because their segments may be anywhere.
type splitFiles struct {
	entries capture.Entries
	firsts  []splitFile
	keys    map[uint64]bool // segment keys of the first segments
}

// splitFile is the file of a first segment, and its position.
type splitFile struct {
	*File
	at position
}

// add adds the current record, which is a segment.
func (f *splitFiles) add(e *capture.Entry, l *fileLook, s *scan) {
	f.entries.Add(*e)
	if e.Flags&isFirst == 0 {
		return
	}
	if f.keys == nil {
		f.keys = map[uint64]bool{}
	}
	f.keys[l.segmentKey] = true
	first := l.file(s.part, placeOf(e))
	first.Start = nil // of the whole record, see joined
	f.firsts = append(f.firsts, splitFile{first, placeOf(e)})
}

// joined yields the files, and counts segments without a first segment.
func (f *splitFiles) joined(s *scan) iter.Seq[*File] {
	return func(yield func(*File) bool) {
		for e := range f.entries.All() {
			if e.Flags&continues != 0 && !f.keys[e.ID] {
				s.Skip(s.part.where(placeOf(e)), reasonSegment)
			}
		}
		x := capture.Of(s.part, f.entries, s.Meter)
		for _, first := range f.firsts {
			r, err := s.part.read(x, first.at)
			if err == nil {
				var whole *storedRecord
				if whole, err = r.joined(x); err == nil {
					r = whole
				}
				first.Open = func() (io.ReadCloser, error) { return openPDF(r.data(), s.Meter) }
				first.Start = startOf(first.Open)
			}
			first.Err = cmp.Or(first.Err, err)
			if !yield(first.File) {
				return
			}
		}
	}
}

// startOf returns the first bytes of a file.
func startOf(open func() (io.ReadCloser, error)) []byte {
	in, err := open()
	if err != nil {
		return nil
	}
	defer in.Close()
	start, _ := io.ReadAll(io.LimitReader(in, fileStart))
	return start
}

// broken returns the reason why the last record is incomplete.
func (s *scan) broken() error {
	d, ok := s.in.err.(*damage)
	switch over := s.Meter.Over(); {
	case over != nil:
		return over
	case ok:
		return d
	case s.in.err == io.EOF:
		return errCutOff
	}
	return errors.New(reasonLength)
}

// damage describes the skipped data; nil if there are none.
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
		return fmt.Errorf("the file has no records")
	case s.records == 0:
		return fmt.Errorf("no record of the file could be read: %s", reasons)
	case n > 0:
		return fmt.Errorf("parts of the file could not be read: %s", reasons)
	}
	return nil
}

// fileLook holds properties of the file of a record, as seen in the first bytes of the block.
type fileLook struct {
	in    *memberReader
	index *capture.Index
	url   []byte
	media string
	err   error
	keys  [3]uint64

	segmentKey uint64 // key of the further segments, if the record was split
	again      bool   // the record is a revisit
	sent       bool   // the record is a request
	unknown    bool   // the record is a response in an unknown coding
	looked     bool   // look was called for the current record
	start      []byte
	block      bytes.Reader
	reply      bufio.Reader
	buf        [fileStart]byte
}

// fileStart is the size of Start.
const fileStart = 4 << 10

// look reads the properties of the file from the first bytes of the next block. It returns false for a record without a
// file.
func (l *fileLook) look(rec record) bool {
	if rec.kind == otherRecord && (len(rec.url) == 0 || isFields(rec.media)) ||
		rec.arc && isFiledesc(rec.url) {
		return false
	}
	l.url, l.err, l.again, l.looked = append(l.url[:0], rec.url...), nil, rec.kind == revisitRecord, true
	l.sent, l.unknown = rec.kind == requestRecord, false
	if l.again {
		l.keys = keysOf(rec.refersTo, rec.payload, rec.refersURL, rec.refersDate)
	} else {
		l.keys = keysOf(rec.id, rec.payload, rec.url, rec.date)
	}
	l.media = string(rec.media)
	l.segmentKey = segmentKey(rec.id)
	isReply, length := rec.http, rec.length
	block := l.in.peek(int(min(length, localfile.BeginningSize))) // rec is invalid afterwards
	switch {
	case l.sent:
		i := bytes.Index(block, []byte(pdfHeader))
		l.looked = i >= 0
		l.setStart(block[max(i, 0):])
		return l.looked
	case isReply:
		l.lookAtReply(block, length)
	default:
		l.setStart(block)
	}
	l.again = l.again && !bytes.HasPrefix(l.start, []byte(pdfHeader)) // a revisit that begins like a PDF has the file
	return true
}

// isFields reports whether a block of this media type has metadata fields instead of retrieved data.
func isFields(media []byte) bool {
	const fields = "application/warc-fields"
	return len(media) >= len(fields) && bytes.EqualFold(media[:len(fields)], []byte(fields))
}

func keysOf(id, payload, url, date []byte) (keys [3]uint64) {
	keys[0], keys[1] = urlkey.Hash(id), urlkey.Hash(withoutAlgorithm(payload))
	if len(url) > 0 && len(date) > 0 {
		keys[2] = urlkey.Hash(append(append(bytes.Clone(url), ' '), date...))
	}
	return keys
}

func (l *fileLook) setStart(b []byte) { l.start = l.buf[:copy(l.buf[:], b)] }

// lookAtReply reads the properties of the file from the first bytes of a response. length is the size of the block.
func (l *fileLook) lookAtReply(block []byte, length int64) {
	l.block.Reset(block)
	l.reply.Reset(&l.block)
	h, err := body.ReadReply(&l.reply)
	switch {
	case bytes.HasPrefix(block, []byte(pdfHeader)): // the block has no response header
		l.media = ""
		l.setStart(block)
		return
	case err != nil && bytes.Contains(bytes.ToLower(block), []byte(pdfType)): // the header is longer than the block
		l.media = pdfType
		l.start = nil
		return
	case err != nil:
		l.media, l.start = "", nil
		return
	}
	l.media = h.Get("Content-Type")
	if h.Failed() || h.Redirect() != "" {
		l.media = ""
	}
	if reason := h.Unusable(); reason != "" && !l.again && !isWholeRange(h, length-h.Size) {
		if r := h.Get("Content-Range"); r != "" {
			reason += ": " + r
		}
		l.err = errors.New(reason)
	}
	l.unknown = h.UnknownCoding() != ""
	stored := block[h.Size:]
	switch {
	case h.Redirect() != "" && !bytes.HasPrefix(stored, []byte(pdfHeader)):
		l.start = nil
	case (h.IsCoded() || body.IsZlib(stored)) && l.decode(h, stored):
	default:
		l.setStart(stored)
	}
}

// decode sets l.start to the decoded form of the stored bytes of a response. It returns false if they cannot be
// decoded.
func (l *fileLook) decode(h *body.Header, stored []byte) bool {
	b := h.Body(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(stored)), nil })
	r, err := b.OpenForm(body.Decoded, nil)
	if err != nil {
		return false
	}
	defer r.Close()
	n, _ := io.ReadFull(r, l.buf[:])
	l.start = l.buf[:n]
	return n > 0
}

// isWholeRange reports whether a partial response has the whole file (RFC 9110, 14.4).
func isWholeRange(h *body.Header, size int64) bool {
	var first, last, all int64
	n, _ := fmt.Sscanf(strings.ToLower(h.Get("Content-Range")), "bytes %d-%d/%d", &first, &last, &all)
	return h.Status == http.StatusPartialContent && n == 3 && first == 0 && last == all-1 &&
		(h.IsCoded() || size >= all)
}

// file returns the File of the current record, which is at this position.
func (l *fileLook) file(p *Part, at position) *File {
	f := &File{URL: string(l.url), MediaType: l.media, Start: l.start, Err: l.err,
		UnknownCoding: l.unknown, Sent: l.sent, Revisit: l.again, keys: l.keys}
	x := l.index
	f.Open = func() (io.ReadCloser, error) {
		s, err := p.read(x, at)
		if err != nil {
			return nil, err
		}
		return openPDF(s.data(), x.Meter())
	}
	return f
}

// pdfHeader is the start of a PDF file (ISO 32000-2:2020, 7.5.2), and maxPDFHeader its maximum position: Acrobat
// accepts files with other data before it.
const (
	pdfHeader    = "%PDF-"
	maxPDFHeader = 1024
	pdfType      = "application/pdf"
)

// openPDF opens the form of a body that begins with the header of a PDF. It prefers forms with more codings removed,
// and a header at the start. If no form has a header, it opens the decoded form.
func openPDF(b *body.Body, m *meter.Meter) (io.ReadCloser, error) {
	for _, late := range []bool{false, true} {
		for f := body.Decoded; f >= body.Stored; f-- {
			if r := openWithHeader(b, m, f, late); r != nil {
				return r, nil
			}
		}
	}
	return b.OpenForm(body.Decoded, m.Pay)
}

// bufferedBody is an open body, some bytes of which are already in a buffer.
type bufferedBody struct {
	*bufio.Reader
	io.Closer
}

// openWithHeader opens a form that begins with the header of a PDF. If late is true, the header may also be at a later
// position. It returns nil if there is no header.
func openWithHeader(b *body.Body, m *meter.Meter, f body.Form, late bool) io.ReadCloser {
	r, err := b.OpenForm(f, m.Pay)
	if err != nil {
		return nil
	}
	in := bufio.NewReaderSize(r, maxPDFHeader)
	start, _ := in.Peek(maxPDFHeader)
	if i := bytes.Index(start, []byte(pdfHeader)); i == 0 || late && i > 0 {
		return bufferedBody{in, r}
	}
	r.Close()
	return nil
}
