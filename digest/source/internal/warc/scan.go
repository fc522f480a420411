package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Flags of entries.
const (
	isDamaged   = capture.FirstOwn << iota
	isUncertain // its end, or the checksum of its member, shows that its length may be wrong
)

// placeOf returns the position of the record of an entry.
func placeOf(e *capture.Entry) position { return position{e.At, e.Skip} }

// scan reads a part once and indexes its records.
type scan struct {
	*capture.Scan
	in       *memberReader
	part     *Part
	arc      bool     // the last record was an ARC record, or there was none
	inDamage bool     // there was no valid record since skipped data
	last     position // position of the last record whose URL is known or not needed

	// ofFiles means that all records with files are indexed, not only those with data from a URL. file is the file of
	// the last record.
	ofFiles bool
	file    *File
}

const (
	reasonCutOff  = "the file is cut off"
	reasonLength  = "a record with a wrong length"
	reasonSegment = "a segment of a split record"
)

var reasonHeader = fmt.Sprintf("a record with a header longer than %d bytes", maxRecordHeader)

// Scan indexes the records of the part. Damage is skipped and counted. The error is a read error of the disk.
func (p *Part) Scan(t *capture.Scan) error {
	t.Start(p.Size)
	if p.meter != nil {
		t.Meter = p.meter
	}
	if err := p.sniff(); err != nil {
		return err
	}
	begun := capture.Scan{Tally: t.Tally, Meter: t.Meter}
	err := p.scan(t)
	if err == errLong {
		*t = begun
		var damaged bool
		if damaged, err = p.unpack(t); err == nil {
			err = p.scan(t)
		}
		for i := 0; damaged && i < len(t.Entries); i++ {
			t.Entries[i].Flags |= isUncertain
		}
	}
	return err
}

// scan indexes the records. The error is errLong if the part must be unpacked first.
func (p *Part) scan(t *capture.Scan) error {
	in, err := newMemberReader(p, position{}, scanStep, t.Meter)
	if err != nil {
		return err
	}
	defer in.Close()
	s := &scan{Scan: t, in: in, part: p, last: position{member: -1}, arc: true}
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

// next reads one record, or skips other data. The error is io.EOF at the end, or a read error of the disk.
func (s *scan) next() error {
	s.in.skipBlank()
	if len(s.in.peek(1)) == 0 {
		return s.resume()
	}
	at := s.in.position()
	if at.skip > maxSkip && !s.ofFiles {
		return errLong
	}
	rec, err := s.in.record()
	switch {
	case err == errShort && len(s.in.peek(maxRecordHeader)) < maxRecordHeader: // the data end within the header
		s.in.discard(maxRecordHeader)
		if s.in.err == io.EOF {
			s.skipEnd(at, reasonNotRecord)
		}
	case err == errShort:
		s.Lost = true
		s.skipDamage(at, reasonHeader)
		s.resync()
	case err != nil:
		s.arc = s.arc || isFiledesc(s.in.peek(maxRecordHeader))
		s.Lost = true
		s.skipDamage(at, reasonNotRecord)
		s.resync()
	default:
		s.arc = rec.arc
		s.block(at, rec)
	}
	return nil
}

// block skips the block of a record. It indexes the record if the block is complete.
func (s *scan) block(at position, rec record) {
	length := rec.length
	rec.length = max(length, 0) // the header may lack it
	e, reason, keep := s.classify(at, rec)
	if length >= 0 && (keep || reason == "") {
		s.last = at
	}
	begin := s.in.position()
	whole := length >= 0 && s.in.discard(length)
	switch {
	case whole && s.blockEnds(rec.arc, &e):
		s.inDamage = false
		s.Records++
		if reason != "" {
			s.Skip(s.part.where(at), reason)
		}
		if keep {
			s.Add(e)
		}
		return
	case length >= 0 && !whole && s.in.err != io.EOF:
		s.takeDamaged(e, keep)
		return // next resumes
	}
	s.takeDamaged(e, keep)
	s.in.seek(begin)
	s.resync() // the length is wrong, or the file is cut off
	if length < 0 || whole || len(s.in.peek(1)) > 0 {
		s.skipDamage(at, reasonLength)
	} else {
		s.skipEnd(at, reasonLength)
	}
}

// takeDamaged indexes an incomplete record, because it may be the wanted capture of its URL.
func (s *scan) takeDamaged(e capture.Entry, keep bool) {
	if keep && e.Flags&capture.Request == 0 {
		e.Payload = 0
		e.Flags |= capture.Useless | isDamaged
		s.Add(e)
	}
}

// resume continues where the member reader stopped. A damaged member with several records may contain records of any
// URL.
func (s *scan) resume() error {
	err := s.in.err
	if err == io.EOF {
		err = s.in.nextMember()
	}
	d, ok := errors.AsType[*damage](err)
	if !ok {
		return err
	}
	if !d.short {
		s.doubtMember(s.in.member)
	}
	at := position{member: s.in.member}
	isKnown := s.last == at
	if !s.in.resume() && d.short {
		s.skipCutOff()
		return s.in.err
	}
	s.Lost = s.Lost || !isKnown
	s.skipDamage(at, d.reason)
	return nil
}

// doubtMember marks the entries of the records in a damaged member. If the member has only one record, doubtMember
// marks it as damaged.
func (s *scan) doubtMember(member int64) {
	n := len(s.Entries) - 1
	if n < 0 || s.Entries[n].At != member {
		return
	}
	if e := &s.Entries[n]; e.Skip == 0 {
		if e.Flags&(capture.Useless|capture.Request) == 0 {
			s.Kept--
		}
		e.Payload = 0
		e.Flags |= capture.Useless | isDamaged
		return
	}
	for ; n >= 0 && s.Entries[n].At == member; n-- {
		s.Entries[n].Flags |= isUncertain
	}
}

// skipEnd counts a record that ends early at the end of a member, for a reason. If there is no further member, the part
// is cut off.
func (s *scan) skipEnd(at position, reason string) {
	if _, err := s.in.in.Peek(1); err == io.EOF {
		s.skipCutOff()
		return
	}
	s.Lost = s.Lost || reason == reasonNotRecord
	s.skipDamage(at, reason)
}

// skipCutOff counts a part that ends within a record.
func (s *scan) skipCutOff() {
	if !s.part.isCut {
		s.Skip(s.part.where(position{member: s.part.Size}), reasonCutOff)
	}
}

// skipDamage counts invalid data, unless the data before it were also invalid.
func (s *scan) skipDamage(at position, reason string) {
	if !s.inDamage {
		s.Note(s.part.where(at), reason, 1, reason == reasonHeader)
	}
	s.inDamage = true
}

// classify decides what to do with a record. The member reader must be at the block of the record. The result is an
// entry to keep, a reason why the record is unusable, both, or neither.
func (s *scan) classify(at position, rec record) (e capture.Entry, reason string, keep bool) {
	e = capture.Entry{At: at.member, Skip: at.skip}
	switch {
	case s.ofFiles:
		s.file = s.fileOf(rec)
		return e, "", s.file != nil
	case rec.kind == replyRecord && !urlkey.IsURL(rec.url):
		return e, "a reply without a URL", false
	case rec.split:
		reason = reasonSegment
	}
	if rec.kind == otherRecord || !urlkey.IsRetrieved(rec.url) {
		return e, reason, false
	}
	e.URL = urlkey.Hash(urlkey.Alike(string(rec.url)))
	e.Time = parseDate(rec.date).UnixMicro()
	switch rec.kind {
	case requestRecord:
		e.Flags = capture.Request
		return e, "", method(s.in.peek(int(min(rec.length, methodSize)))) != ""
	case replyRecord:
		e.Payload = rec.payloadKey()
	}
	if rec.http && !rec.split {
		if reason = s.unusable(rec.length); rec.kind == revisitRecord && reason == reasonNotModified {
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
	h := &body.Header{}
	if line, _, _ := bytes.Cut(s.in.peek(int(min(length, 64))), []byte("\n")); bytes.HasPrefix(line, []byte("HTTP/")) {
		h.StatusLine(string(bytes.TrimRight(line, "\r")))
	}
	reason := h.Unusable()
	if reason == "" || h.Status == http.StatusNotModified {
		return reason
	}
	// More of the header is needed: another response may follow, and a partial response may have the whole file.
	block := s.in.peek(int(min(length, maxRecordHeader)))
	if h, err := body.ReadReply(bufio.NewReader(bytes.NewReader(block))); err == nil {
		return unusableOf(h, length-h.Size)
	}
	return reason
}

// methodSize is the size of the longest registered method, and the blank after it.
const methodSize = 24

// method returns the method of the request in a block. It returns "" for GET and for an invalid request.
func method(block []byte) string {
	word, _, ok := bytes.Cut(block, []byte(" "))
	isOther := func(r rune) bool { return (r < 'A' || r > 'Z') && r != '-' }
	if !ok || len(word) == 0 || bytes.ContainsFunc(word, isOther) || string(word) == "GET" {
		return ""
	}
	return string(word)
}

// blockEnds reports whether the data after a block are valid: two line ends, the end of the data, or a record. It marks
// the entry if the length may still be wrong.
func (s *scan) blockEnds(arc bool, e *capture.Entry) bool {
	next, twoLines := bytes.CutPrefix(s.in.peek(len("\r\n\r\n")+1), []byte("\r\n\r\n"))
	certain := twoLines && len(bytes.Trim(next, "\r\n")) == len(next)
	if arc {
		certain = s.in.endsARC()
	}
	if !certain {
		e.Flags |= isUncertain
	}
	if twoLines {
		return true
	}
	before := s.in.pos
	s.in.skipBlank()
	return len(s.in.peek(1)) == 0 || s.atRecord() ||
		arc && s.in.pos > before && arcScheme(s.in.peek(24)) // the next line looks like a damaged header
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
