package warc

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// entry is a record as the index has it: where it is, and hashes of what it
// is looked up by. A record that is found by a hash is read and compared.
type entry struct {
	url     uint64 // of what its URL has in common with those alike
	time    int64  // in microseconds
	id      uint64 // of its identifier; 0 for none
	payload uint64 // of the digest of its payload; 0 for none
	position
	part    uint32
	revisit bool
	doubt   bool // the length of the record or the checksum of its member may be wrong
	ending  bool // something else than two ends of lines follows the block, so that its length may be wrong
	useless uselessness
}

// uselessness is why the record of an entry is of no use: 0 if it is of use, or 1 more than the place in methods of
// the one that it answers, or one of the constants. Lookup does not find such a record; Excluded does.
type uselessness uint8

const (
	continuation  uselessness = 253 // a segment of another record, by whose identifier it is found
	damagedRecord uselessness = 254
	unusable      uselessness = 255 // by what its header says
)

// mayBeCaptured reports whether the record may be what was captured, for all that can be read of it.
func (k uselessness) mayBeCaptured() bool { return int(k) > len(methods) }

// methods are those of requests to which a reply is not what their URL stands for. The last one stands for all others.
var methods = []string{"POST", "PUT", "HEAD", "OPTIONS", "DELETE", "PATCH", "another method than GET"}

// answerTo returns why a reply to a method is of no use.
func answerTo(m string) uselessness { return uselessness(slices.Index(methods, m) + 1) }

// reason says why a record is of no use, for people to read; empty if only its header tells.
func (k uselessness) reason() string {
	switch {
	case k == damagedRecord:
		return "a record that is damaged"
	case k == 0 || int(k) > len(methods):
		return ""
	}
	return "a reply to " + methods[k-1]
}

// scan goes over a part once and notes its records.
type scan struct {
	capture.Tally
	in       *memberReader
	part     *Part
	entries  entries
	records  int // that were understood, of every kind
	types    typeCounts
	methods  map[uint64]string // those other than GET, by the identifiers of requests and of replies
	arc      bool              // the last record was one of ARC, or the first will be by the name of the file
	inDamage bool              // nothing was understood since something was skipped

	// wanted says which records to note, when the member reader is at their blocks; nil for those
	// that were retrieved from a URL.
	wanted func(record) bool
}

const (
	reasonCutOff  = "the file is cut off"
	reasonLength  = "a record whose length is wrong"
	reasonSegment = "a segment of a record that was split"
)

var reasonHeader = fmt.Sprintf("a record whose header does not end within %d bytes", maxRecordHeader)

// scanPart returns the index of a part. What is damaged is skipped and counted;
// the error is that of the disk.
func scanPart(p *Part) (*scan, error) {
	in, err := newMemberReader(p, position{}, scanBuffer)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	in.skipMark()
	s := &scan{in: in, part: p, methods: map[uint64]string{}, arc: IsARCName(cmp.Or(p.Name, p.Path))}
	s.Files, s.Bytes = 1, p.Size
	for most := baseRecords + p.Size/minRecord; err == nil; {
		if int64(s.entries.len()+len(s.methods)) >= most && len(in.peek(1)) > 0 {
			s.SkipCapped(p.where(in.position()), fmt.Sprintf("more than %d records, and what follows them", most))
			break
		}
		err = s.next()
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	s.dropReplies()
	s.Kept = s.entries.kept()
	s.types.addTo(&s.Stats)
	return s, nil
}

// next takes one record, or goes past what is not a record. The error is io.EOF at
// the end, or that of the disk.
func (s *scan) next() error {
	s.in.skipBlank()
	if len(s.in.peek(1)) == 0 {
		return s.resume()
	}
	at := s.in.position()
	rec, err := s.in.record()
	switch {
	case err == errShort && len(s.in.peek(maxRecordHeader)) < maxRecordHeader: // the data end in it
		if s.in.err == io.EOF {
			s.skipCutOff()
		}
		return s.resume()
	case err == errShort:
		s.skipDamage(at, reasonHeader)
		s.resync()
		return nil
	case err != nil:
		s.arc = s.arc || isFiledesc(s.in.peek(maxRecordHeader))
		s.skipDamage(at, reasonNotRecord)
		s.resync()
		return nil
	}
	s.arc = rec.arc
	if rec.length < 0 {
		s.skipDamage(at, reasonLength)
		s.resync()
		return nil
	}
	return s.block(at, rec)
}

// block goes past the block of a record and takes the record, if that is whole.
func (s *scan) block(at position, rec record) error {
	kind := rec.typeOf()
	e, reason, keep := s.classify(at, rec)
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
		s.take(at, kind, e, reason, keep) // the line after it begins as a header does, and is one that is broken
		return nil
	}
	s.takeDamaged(e, keep)
	return s.afterWrongLength(at, begin, s.in.pos-pos, whole)
}

// takeDamaged takes a record that is not whole, so that its URL is known to have a capture that cannot be read.
func (s *scan) takeDamaged(e entry, keep bool) {
	if keep && s.wanted == nil {
		e.useless = damagedRecord
		s.entries.add(e)
	}
}

// take takes a record that is whole.
func (s *scan) take(at position, kind recordType, e entry, reason string, keep bool) {
	s.inDamage = false
	s.records++
	s.types[kind]++
	if reason != "" {
		s.Skip(s.part.where(at), reason)
	}
	if keep {
		s.entries.add(e)
	}
}

// afterWrongLength goes on after a block, of n bytes so far, that does not end where
// the header of its record says: the length is wrong, or the file is cut off. What
// follows the beginning of the block tells.
func (s *scan) afterWrongLength(at, begin position, n int64, whole bool) error {
	if !s.in.mayReread(n + begin.skip) {
		s.skipDamage(at, reasonLength)
		return nil
	}
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

// resume goes on where the member reader stopped.
func (s *scan) resume() error {
	var d *damage
	if !errors.As(s.in.err, &d) {
		return s.in.err
	}
	if !d.short {
		s.doubtMember(s.in.member)
	}
	at := position{member: s.in.member}
	if !s.in.resume() && d.short {
		s.skipCutOff()
		return s.in.err
	}
	s.skipDamage(at, d.reason)
	return nil
}

// doubtMember notes in the entries of records of a member, which were already taken, that its checksum is wrong. If it
// is that of one record, this is the one that is damaged.
func (s *scan) doubtMember(member int64) {
	n := s.entries.len() - 1
	switch {
	case n < 0 || s.entries.at(n).member != member:
	case s.entries.at(n).skip == 0 && s.wanted != nil:
		s.entries.cut(n)
	case s.entries.at(n).skip == 0:
		s.entries.at(n).useless = damagedRecord
	default:
		for ; n >= 0 && s.entries.at(n).member == member; n-- {
			s.entries.at(n).doubt = true
		}
	}
}

// skipCutOff counts the end of a part that is not where a record ends.
func (s *scan) skipCutOff() { s.Skip(s.part.where(position{member: s.part.Size}), reasonCutOff) }

// skipDamage counts something that was not understood, unless what came before it
// was not either.
func (s *scan) skipDamage(at position, reason string) {
	if !s.inDamage {
		s.Note(s.part.where(at), reason, 1, reason == reasonHeader || reason == ReasonBomb)
	}
	s.inDamage = true
}

// classify returns the outcome of a record when the member reader is at its block: an entry, a reason to skip it,
// or neither.
func (s *scan) classify(at position, rec record) (e entry, reason string, keep bool) {
	switch {
	case rec.kind == segmentRecord && s.wanted != nil:
		return e, reasonSegment, false
	case rec.continues():
		return entry{id: urlkey.Hash(rec.origin), position: at, useless: continuation}, "", true
	case s.wanted != nil:
		return entry{position: at}, "", s.wanted(rec)
	case rec.kind == requestRecord:
		s.noteMethod(rec)
		return e, "", false
	case rec.kind == replyRecord && !urlkey.IsURL(rec.url):
		return e, "a reply without a URL", false
	case rec.kind == otherRecord, !urlkey.IsRetrieved(rec.url):
		return e, "", false
	}
	e = entry{
		url:      urlkey.Hash(urlkey.Alike(string(rec.url))),
		time:     parseDate(rec.date).UnixMicro(),
		id:       urlkey.Hash(rec.id),
		payload:  urlkey.Hash(withoutAlgorithm(rec.payload)),
		position: at,
		revisit:  rec.kind == revisitRecord,
	}
	if m := s.methods[urlkey.Hash(rec.concurrent)]; m != "" {
		e.useless = answerTo(m)
		return e, e.useless.reason(), true
	}
	if rec.http {
		reason, revisit := s.unusable(rec.length), e.revisit
		if reason != "" && !(revisit && reason == reasonNotModified) {
			e.useless = unusable
			return e, reason, true
		}
	}
	return e, "", true
}

var reasonNotModified = (&body.Header{Status: http.StatusNotModified}).Unusable()

// unusableOf says why a reply with a body of a size is of no use; empty if it may be of use, as a part is that is all of
// its file.
func unusableOf(h *body.Header, size int64) string {
	if isWholeRange(h, size) {
		return ""
	}
	return h.Unusable()
}

// unusable says why the reply in a block of a length, which is next, is of no use; empty if it may be of use.
func (s *scan) unusable(length int64) string {
	h := status(s.in.peek(int(min(length, 64))))
	reason := h.Unusable()
	if reason == "" || h.Status == http.StatusNotModified {
		return reason
	}
	// More of the header tells: another reply may follow, and a part may be all.
	block := s.in.peek(int(min(length, maxReplyBeginning)))
	if h, err := body.ReadReply(bufio.NewReader(bytes.NewReader(block))); err == nil {
		return unusableOf(h, length-h.Size)
	}
	return reason
}

// noteMethod notes the method of a request, for the replies to it.
func (s *scan) noteMethod(rec record) {
	id, answer := urlkey.Hash(rec.id), urlkey.Hash(rec.concurrent) // before peek, which ends the life of rec
	if m := method(s.in.peek(int(min(rec.length, maxMethod)))); m != "" {
		s.methods[id], s.methods[answer] = m, m
		delete(s.methods, 0) // the hash of what is not there
	}
}

// status reads the status line that a block begins with.
func status(block []byte) *body.Header {
	h := &body.Header{}
	if bytes.HasPrefix(block, []byte("HTTP/")) {
		line, _, _ := bytes.Cut(block, []byte("\n"))
		h.StatusLine(string(bytes.TrimRight(line, "\r")))
	}
	return h
}

// method returns the method of a request as methods has it, if a reply to it is not what its URL stands for.
func method(block []byte) string {
	word, _, ok := bytes.Cut(block, []byte(" "))
	isOther := func(r rune) bool { return (r < 'A' || r > 'Z') && r != '-' }
	switch {
	case !ok || len(word) == 0 || bytes.ContainsFunc(word, isOther) || string(word) == "GET":
		return ""
	case slices.Contains(methods, string(word)):
		return string(word)
	}
	return methods[len(methods)-1]
}

// dropReplies drops the replies to requests that come after them and are not for
// what the URL stands for.
func (s *scan) dropReplies() {
	if len(s.methods) == 0 {
		return
	}
	for e := range s.entries.all() {
		if m := s.methods[e.id]; m != "" && e.useless == 0 {
			e.useless = answerTo(m)
			s.Skip(s.part.where(e.position), e.useless.reason())
		}
	}
}

// pass goes past n bytes of a block. A member that begins with a record interrupts
// it: such a block is shorter than its header says.
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

// blockEnds says whether what follows is what has to follow a block: two ends of
// lines, the end of the data, a member or a record. It notes in the entry that the length may be wrong for all that.
func (s *scan) blockEnds(arc bool, e *entry) bool {
	if in := s.in; arc && in.r > 0 {
		e.doubt = !in.endsARC(in.buf[in.r-1])
	}
	if next := s.in.peek(len("\r\n\r\n") + 1); bytes.HasPrefix(next, []byte("\r\n\r\n")) {
		e.ending = !arc && len(next) > 4 && (next[4] == '\r' || next[4] == '\n')
		return true
	}
	if arc && s.isShortByOne() {
		e.doubt = true
		s.in.discard(2)
		return true
	}
	e.ending = !arc
	s.in.skipBlank()
	return len(s.in.peek(1)) == 0 || s.in.starts() || s.atRecord()
}

// isShortByOne says whether a byte and the newline that ends a record of ARC are left before the next record or the end:
// the length is one too small.
func (s *scan) isShortByOne() bool {
	next := s.in.peek(maxRecordHeader)
	if len(next) < 2 || next[0] == '\n' || next[0] == '\r' || next[1] != '\n' {
		return false
	}
	_, err := parseARC(next[2:])
	return len(next) == 2 || arcScheme(next[2:min(len(next), 26)]) && err == nil
}

// atRecord says whether a record seems to begin here.
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

// resync goes to the next line or member that seems to be a record, to a record whose first line follows
// something else in its line, or to where the member reader stops.
func (s *scan) resync() {
	for in := s.in; len(in.peek(2*versionSize)) > 0; {
		b := in.ahead()
		i := bytes.IndexByte(b, '\n')
		switch {
		case i >= 0:
			b = b[:i+1]
		case len(b) > versionSize: // which the rest of the line may begin with
			b = b[:len(b)-versionSize]
		}
		if at := endsInVersion(b); at > 0 && in.mayReread(maxRecordHeader) { // the header may not be one
			in.take(at)
			return
		}
		in.take(len(b))
		if (i >= 0 || in.starts()) && s.atRecord() {
			return
		}
	}
}

// versionSize is that of the first line of a WARC record.
const versionSize = len("WARC/1.0\r\n")

// endsInVersion returns where in a line the first line of a WARC record begins; 0 if that is not in it, after
// something else.
func endsInVersion(line []byte) int {
	at := len(bytes.TrimRight(line, "\r\n")) - len("WARC/1.0")
	if at <= 0 || at+len("WARC/1.0") == len(line) || !isVersion(line[at:]) {
		return 0
	}
	return at
}
