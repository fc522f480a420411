package warc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Flags of entries.
const (
	isDamaged   = capture.FirstOwn << iota // only for Files
	isUncertain                            // the data after the record show that its length may be wrong
	isInRest                               // the record is in the rest of the part
)

// partOf returns the part with the record of an entry.
func (p *Part) partOf(e *capture.Entry) *Part {
	if e.Flags&isInRest != 0 {
		return p.rest
	}
	return p
}

// scan reads a part once and indexes its records.
type scan struct {
	*capture.Scan
	in       *memberReader
	part     *Part
	begun    int64         // offset of the member that is being read; -1 at its beginning
	flags    capture.Flags // of all entries
	arc      bool          // the last record was an ARC record, or there was none
	inDamage bool          // there was no valid record since skipped data

	// ofFiles means that all records with files are indexed, not only those with data from a URL. file is the file of
	// the last record.
	ofFiles bool
	file    *File
}

const (
	reasonNotRecord = "a range of bytes that is not a record"
	reasonLength    = "a record that is cut off or has a wrong length"
	reasonSegment   = "a segment of a split record"
)

var reasonHeader = fmt.Sprintf("a record with a header longer than %d bytes", maxRecordHeader)

// Scan indexes the records of the part. Damage is skipped and counted; it may hide records of any URL. The error is a
// read error of the disk.
func (p *Part) Scan(t *capture.Scan) error {
	t.Start(p.Size)
	if p.meter != nil {
		t.Meter = p.meter
	}
	s, err := p.begin(t)
	if err != nil {
		return err
	}
	defer s.close()
	for err == nil {
		if err = s.next(); err == nil {
			err = t.Meter.Over()
		}
	}
	if err == io.EOF {
		err = nil
	}
	return err
}

// begin begins a scan.
func (p *Part) begin(t *capture.Scan) (*scan, error) {
	if err := p.sniff(); err != nil {
		return nil, err
	}
	in, err := newMemberReader(p, 0, t.Meter)
	return &scan{Scan: t, in: in, part: p, begun: -1, arc: true}, err
}

func (s *scan) close() { s.in.Close() }

// next reads one record, or skips other data. The error is io.EOF at the end, or a read error of the disk.
func (s *scan) next() error {
	s.in.skipBlank()
	if len(s.in.peek(1)) == 0 {
		s.begun = -1
		return s.resume()
	}
	if s.part.gzip && s.begun == s.in.member {
		return s.unpack()
	}
	s.begun = s.in.member
	at := s.in.position()
	rec, err := s.in.record()
	switch {
	case err == errNoEnd && len(s.in.peek(maxRecordHeader)) < maxRecordHeader: // the data end within the header
		s.in.discard(maxRecordHeader)
		s.skipDamage(at, reasonLength)
	case err == errNoEnd:
		s.skipDamage(at, reasonHeader)
		s.resync()
	case err != nil:
		s.arc = s.arc || isFiledesc(s.in.peek(maxRecordHeader))
		s.skipDamage(at, reasonNotRecord)
		s.resync()
	default:
		s.arc = rec.kind == arcRecord
		s.block(at, rec)
	}
	return nil
}

// unpack goes on with the decoded data of the part.
func (s *scan) unpack() error {
	rest, err := s.part.unpack(s.in.member, s.Scan)
	if err != nil {
		return err
	}
	in, err := newMemberReader(rest, s.in.pos, s.Meter)
	if err != nil {
		return err
	}
	s.in.Close()
	s.in, s.part, s.flags = in, rest, isInRest
	return nil
}

// block skips the block of a record. It indexes the record if the block is complete.
func (s *scan) block(at int64, rec record) {
	length := rec.length
	rec.length = max(length, 0) // the header may lack it
	e, reason, keep := s.classify(at, rec)
	e.Flags |= s.flags
	begin := s.in.pos
	whole := length >= 0 && s.in.discard(length)
	ends, certain := false, false
	if whole {
		ends, certain = s.blockEnds()
	}
	if !certain {
		e.Flags |= isUncertain
	}
	damaged := s.in.err == errDamage && len(s.in.peek(1)) == 0 // next resumes
	switch {
	case ends && !damaged:
		s.inDamage = false
		s.Records++
		if reason != "" {
			s.Skip(s.part.where(at), reason)
		}
	case s.ofFiles:
		e.Flags |= isDamaged
	default:
		keep = false
	}
	if keep {
		s.Add(e)
	}
	if ends || damaged || length >= 0 && !whole && s.in.err != io.EOF {
		return
	}
	s.in.rewind(begin)
	s.resync()
	s.skipDamage(at, reasonLength)
}

// resume continues where the member reader stopped.
func (s *scan) resume() error {
	err := s.in.err
	if err == io.EOF {
		err = s.in.nextMember()
	}
	if err == errDamage {
		s.skipDamage(s.in.member, err.Error())
		s.in.resume()
		return nil
	}
	return err
}

// skipDamage counts invalid data, unless the data before it were also invalid.
func (s *scan) skipDamage(at int64, reason string) {
	if !s.inDamage {
		skip := s.SkipLost
		if reason == reasonHeader {
			skip = s.SkipCapped
		}
		skip(s.part.where(at), reason)
	}
	s.inDamage = true
}

// classify decides what to do with a record. The member reader must be at the block of the record. The result is an
// entry to keep, a reason why the record is unusable, both, or neither.
func (s *scan) classify(at int64, rec record) (e capture.Entry, reason string, keep bool) {
	e = capture.Entry{At: at}
	switch {
	case s.ofFiles:
		s.file = s.fileOf(rec)
		return e, "", s.file != nil
	case rec.isReply() && !urlkey.IsURL(rec.url):
		return e, "a reply without a URL", false
	case rec.kind == "conversion":
		return e, "a conversion, whose data no server has sent", false
	case rec.split:
		reason = reasonSegment
	}
	if rec.isOther() || !urlkey.IsRetrieved(rec.url) {
		return e, reason, false
	}
	e.URL = urlkey.Hash(urlkey.Alike(string(rec.url)))
	e.Time = parseDate(rec.date).UnixMicro()
	switch {
	case rec.isRequest():
		e.Flags = capture.Request
		line := s.in.peek(int(min(rec.length, methodSize)))
		return e, "", request.Match(line) && !bytes.HasPrefix(line, []byte("GET "))
	case rec.isReply():
		e.Payload = rec.payloadKey()
	}
	if rec.http && !rec.split {
		if reason = s.unusable(rec.length); rec.isRevisit() && reason == reasonNotModified {
			reason = ""
		}
	}
	if reason != "" {
		e.Payload = 0
		e.Flags |= capture.Useless
	}
	return e, reason, true
}

var reasonNotModified = (&body.Header{Status: http.StatusNotModified}).Unusable()

// unusableOf returns the reason why a response with a body of this size is unusable; empty if it may be usable. A
// partial response that has the whole file is usable.
func unusableOf(h *body.Header, size int64) string {
	if isWholeRange(h, size) {
		return ""
	}
	return h.Unusable()
}

// unusable returns the reason why the response in the next block is unusable; empty if it may be usable. length is the
// size of the block.
func (s *scan) unusable(length int64) string {
	block := s.in.peek(int(min(length, maxRecordHeader)))
	h, err := body.ReadReply(bufio.NewReader(bytes.NewReader(block)))
	if err != nil || !bytes.HasPrefix(block, []byte("HTTP/")) {
		return ""
	}
	return unusableOf(h, length-h.Size)
}

// methodSize is the size of the longest registered method, and the blank after it.
const methodSize = 24

// request matches the beginning of a request.
var request = regexp.MustCompile(`^[A-Z-]+ `)

// blockEnds reports whether the data after a block are valid: two line ends, the end of the data, or a record. certain
// means that the length cannot be wrong.
func (s *scan) blockEnds() (ends, certain bool) {
	next, twoLines := bytes.CutPrefix(s.in.peek(len("\r\n\r\n")+1), []byte("\r\n\r\n"))
	certain = twoLines && len(bytes.Trim(next, "\r\n")) == len(next)
	if s.arc {
		certain = s.in.endsARC()
	}
	if twoLines {
		s.in.discard(int64(len("\r\n\r\n")))
		return true, certain
	}
	before := s.in.pos
	s.in.skipBlank()
	return len(s.in.peek(1)) == 0 || s.atRecord() ||
		s.arc && s.in.pos > before && arcScheme(s.in.peek(24)), certain // the next line looks like a damaged header
}

// atRecord reports whether a record seems to begin here.
func (s *scan) atRecord() bool {
	if isVersion(s.in.peek(len("WARC/1"))) {
		return true
	}
	if !s.arc || !arcScheme(s.in.peek(24)) {
		return false
	}
	_, err := parseARC(s.in.peek(maxRecordHeader))
	return err == nil
}

// versionSize is the size of the first line of a WARC record.
const versionSize = len("WARC/1.0\r\n")

// resync skips data up to the next possible record in the member: a line that looks like a record, or the version of WARC
// within a line, because a program may go on in the middle of a line after a crash. Without one, resync stops at the end.
func (s *scan) resync() {
	for in := s.in; len(in.peek(2*versionSize)) > 0; {
		b := in.peek(in.out.Buffered())
		line := bytes.IndexByte(b, '\n') + 1 // position of the next line
		n := line
		if line == 0 {
			n = max(len(b)-versionSize, 1) // the last bytes may be the start of a version
		}
		if i := bytes.Index(b[1:min(n+versionSize, len(b))], []byte("WARC/1.")) + 1; 0 < i && i < n {
			in.discard(int64(i))
			return
		}
		in.discard(int64(n))
		if line > 0 && s.atRecord() {
			return
		}
	}
}
