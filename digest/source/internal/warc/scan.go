package warc

import (
	"bufio"
	"bytes"
	"cmp"
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
	isFirst   = capture.FirstOwn << iota // the first segment of a split record
	continues                            // a further segment; it is found by the identifier of the first segment
	isDamaged
	hasWrongLength // the length of the record, or the checksum of its member, may be wrong
	hasNoEnding    // the data after the block are not two line ends, so the length may be wrong
)

// placeOf returns the position of the record of an entry.
func placeOf(e *capture.Entry) position { return position{e.At, e.Skip} }

// Keys of entries: revisits and segments are not found by the identifier of an original record.
func originalKey(id []byte) uint64 { return urlkey.Hash(id) }
func firstKey(id []byte) uint64    { return keyOf("first segment ", id) }
func revisitKey(id []byte) uint64  { return keyOf("revisit ", id) }
func segmentKey(id []byte) uint64  { return keyOf("segment of ", id) }

func keyOf(kind string, id []byte) uint64 {
	if len(id) == 0 {
		return 0
	}
	return urlkey.Hash(append([]byte(kind), id...))
}

// scan reads a part once and indexes its records.
type scan struct {
	*capture.Scan
	in       *memberReader
	part     *Part
	records  int // valid records of any kind
	types    typeCounts
	arc      bool     // the last record was an ARC record, or the name of the file suggests ARC
	inDamage bool     // there was no valid record since skipped data
	last     position // position of the last record whose URL is known or not needed

	// wanted selects the records to index. It is called when the member reader is at the block of the record. If wanted
	// is nil, records with data from a URL are indexed.
	wanted func(record) bool
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
		var damaged [][2]int64
		if damaged, err = p.unpack(t); err == nil {
			err = p.scan(t)
		}
		for e := range t.Entries.All() {
			for len(damaged) > 0 && damaged[0][1] <= e.At {
				damaged = damaged[1:]
			}
			set(e, hasWrongLength, len(damaged) > 0 && damaged[0][0] <= e.At)
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
	in.skipMark()
	s := &scan{Scan: t, in: in, part: p, last: position{member: -1}, arc: IsARCName(cmp.Or(p.Name, p.Path))}
	for err == nil {
		if err = s.next(); err == nil {
			err = t.Meter.Over()
		}
	}
	s.types.addTo(&s.Stats)
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
	if at.skip > maxSkip && s.wanted == nil {
		return errLong
	}
	rec, err := s.in.record()
	switch {
	case err == errShort && len(s.in.peek(maxRecordHeader)) < maxRecordHeader: // the data end within the header
		if s.in.err == io.EOF {
			s.skipCutOff()
		}
		return s.resume()
	case err == errShort:
		s.Lost = true
		s.skipDamage(at, reasonHeader)
		s.resync()
		return nil
	case err != nil:
		s.arc = s.arc || isFiledesc(s.in.peek(maxRecordHeader))
		s.Lost = true
		s.skipDamage(at, reasonNotRecord)
		s.resync()
		return nil
	}
	s.arc = rec.arc
	if rec.length < 0 {
		if rec.length = 0; s.wanted == nil {
			e, _, keep := s.classify(at, rec)
			s.takeDamaged(e, keep)
		}
		s.skipDamage(at, reasonLength)
		s.resync()
		return nil
	}
	return s.block(at, rec)
}

// block skips the block of a record. It indexes the record if the block is complete.
func (s *scan) block(at position, rec record) error {
	kind := rec.typeOf()
	e, reason, keep := s.classify(at, rec)
	if keep || reason == "" {
		s.last = at
	}
	begin, pos := s.in.position(), s.in.pos
	whole, interrupted := s.pass(rec.length)
	switch {
	case interrupted:
		s.takeDamaged(e, keep)
		s.skipDamage(at, reasonLength)
		return nil
	case !whole && s.in.err != io.EOF:
		s.takeDamaged(e, keep)
		return nil // next resumes
	case whole && s.blockEnds(rec.arc, &e):
		s.take(at, kind, e, reason, keep)
		return nil
	case whole && rec.arc && s.in.pos-pos > rec.length && arcScheme(s.in.peek(24)):
		s.take(at, kind, e, reason, keep) // the following line looks like a damaged header
		return nil
	}
	s.takeDamaged(e, keep)
	return s.afterWrongLength(at, begin, whole)
}

// takeDamaged indexes an incomplete record, because it may be the wanted capture of its URL.
func (s *scan) takeDamaged(e capture.Entry, keep bool) {
	if keep && s.wanted == nil && e.Flags&capture.Request == 0 {
		e.ID, e.Payload = 0, 0
		e.Flags |= capture.Useless | isDamaged
		s.Add(e)
	}
}

// take indexes a complete record.
func (s *scan) take(at position, kind recordType, e capture.Entry, reason string, keep bool) {
	s.inDamage = false
	s.records++
	s.types[kind]++
	if reason != "" {
		s.Skip(s.part.where(at), reason)
	}
	if keep {
		s.Add(e)
	}
}

// afterWrongLength continues after a block that does not end where the header of its record says. Either the length is
// wrong, or the file is cut off. The data after the start of the block show which.
func (s *scan) afterWrongLength(at, begin position, whole bool) error {
	if err := s.in.seek(begin); err != nil {
		return err
	}
	s.resync()
	if !whole && len(s.in.peek(1)) == 0 {
		s.skipCutOff()
		return nil
	}
	s.skipDamage(at, reasonLength)
	return nil
}

// resume continues where the member reader stopped. A damaged member with several records may contain records of any
// URL.
func (s *scan) resume() error {
	var d *damage
	if !errors.As(s.in.err, &d) {
		return s.in.err
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
// marks it as damaged or, if s.wanted is set, removes its entry.
func (s *scan) doubtMember(member int64) {
	n := s.Entries.Len() - 1
	if n < 0 || s.Entries.At(n).At != member {
		return
	}
	if last := s.Entries.At(n); last.Skip == 0 {
		damaged := *last
		s.Remove(n)
		s.takeDamaged(damaged, true)
		return
	}
	for ; n >= 0 && s.Entries.At(n).At == member; n-- {
		s.Entries.At(n).Flags |= hasWrongLength
	}
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
	case rec.continues():
		e.ID, e.Flags = segmentKey(rec.origin), capture.Useless|continues
		return e, "", true
	case s.wanted != nil:
		if rec.kind == segmentRecord {
			e.ID, e.Flags = firstKey(rec.id), isFirst
		}
		return e, "", s.wanted(rec)
	case rec.kind == replyRecord && !urlkey.IsURL(rec.url):
		return e, "a reply without a URL", false
	case rec.kind == otherRecord, !urlkey.IsRetrieved(rec.url):
		return e, "", false
	}
	e.URL = urlkey.Hash(urlkey.Alike(string(rec.url)))
	e.Time = parseDate(rec.date).UnixMicro()
	switch rec.kind {
	case requestRecord:
		e.Flags = capture.Request
		return e, "", method(s.in.peek(int(min(rec.length, methodSize)))) != ""
	case revisitRecord:
		e.ID = revisitKey(rec.id)
	case segmentRecord:
		e.ID, e.Flags = firstKey(rec.id), isFirst
	default:
		e.ID, e.Payload = originalKey(rec.id), urlkey.Hash(withoutAlgorithm(rec.payload))
	}
	if rec.http {
		revisit := rec.kind == revisitRecord
		reason = s.unusable(rec.length)
		if revisit && reason == reasonNotModified {
			reason = ""
		}
		if reason != "" {
			e.ID, e.Payload = 0, 0
			e.Flags |= capture.Useless
		}
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
	h := status(s.in.peek(int(min(length, 64))))
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

// status returns the status line at the start of a block, as a header without fields.
func status(block []byte) *body.Header {
	h := &body.Header{}
	if bytes.HasPrefix(block, []byte("HTTP/")) {
		line, _, _ := bytes.Cut(block, []byte("\n"))
		h.StatusLine(string(bytes.TrimRight(line, "\r")))
	}
	return h
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

// pass skips n bytes of a block. It stops at a member that begins with a record, because then the block is shorter than
// its header says.
func (s *scan) pass(n int64) (whole, interrupted bool) {
	in := s.in
	for n > 0 {
		if in.r == in.w && !in.more() {
			return false, false
		}
		k := min(n, int64(len(in.ahead())))
		in.take(int(k))
		if n -= k; n > 0 && in.starts() && s.atRecord() {
			return false, true
		}
	}
	return true, false
}

// blockEnds reports whether the data after a block are valid: two line ends, the end of the data, a member, or a
// record. It marks the entry if the length may still be wrong.
func (s *scan) blockEnds(arc bool, e *capture.Entry) bool {
	if in := s.in; arc && in.r > 0 {
		set(e, hasWrongLength, !in.endsARC(in.buf[in.r-1]))
	}
	if next := s.in.peek(len("\r\n\r\n") + 1); bytes.HasPrefix(next, []byte("\r\n\r\n")) {
		set(e, hasNoEnding, !arc && len(next) > 4 && (next[4] == '\r' || next[4] == '\n'))
		return true
	}
	if arc && s.isShortByOne() {
		set(e, hasWrongLength, true)
		s.in.discard(2)
		return true
	}
	set(e, hasNoEnding, !arc)
	s.in.skipBlank()
	return len(s.in.peek(1)) == 0 || s.in.starts() || s.atRecord()
}

// set sets a flag of an entry if is is true.
func set(e *capture.Entry, f capture.Flags, is bool) {
	if is {
		e.Flags |= f
	}
}

// isShortByOne reports whether the length in the header of an ARC record is one too small. It is true if one byte and
// the final newline remain before the next record or the end.
func (s *scan) isShortByOne() bool {
	next := s.in.peek(maxRecordHeader)
	if len(next) < 2 || next[0] == '\n' || next[0] == '\r' || next[1] != '\n' {
		return false
	}
	_, err := parseARC(next[2:])
	return len(next) == 2 || arcScheme(next[2:min(len(next), 26)]) && err == nil
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

// resync skips data up to the next possible record. This is a line or member that looks like a record, or a first line
// of a record after other data on the same line. Without one, resync stops where the member reader stops.
func (s *scan) resync() {
	for in := s.in; len(in.peek(2*versionSize)) > 0; {
		b := in.ahead()
		i := bytes.IndexByte(b, '\n')
		switch {
		case i >= 0:
			b = b[:i+1]
		case len(b) > versionSize: // keep the last bytes, which may be the start of a version
			b = b[:len(b)-versionSize]
		}
		if at := endsInVersion(b); at > 0 {
			in.take(at)
			return
		}
		in.take(len(b))
		if (i >= 0 || in.starts()) && s.atRecord() {
			return
		}
	}
}

// versionSize is the size of the first line of a WARC record.
const versionSize = len("WARC/1.0\r\n")

// endsInVersion returns the position in line at which the first line of a WARC record begins after other data; 0 if
// there is none.
func endsInVersion(line []byte) int {
	at := len(bytes.TrimRight(line, "\r\n")) - len("WARC/1.0")
	if at <= 0 || at+len("WARC/1.0") == len(line) || !isVersion(line[at:]) {
		return 0
	}
	return at
}
