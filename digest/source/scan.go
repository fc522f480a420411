package source

import (
	"bytes"
	"errors"
	"hash/fnv"
	"io"
)

// An entry is a record as the index has it: where it is, and hashes of what it
// is looked up by. What is found by hash is read before it is believed.
type entry struct {
	url     uint64 // of the key of its URL
	time    int64  // in microseconds
	id      uint64 // of its identifier; 0 for none
	payload uint64 // of the digest of its payload; 0 for none
	spot
	part    uint32
	revisit bool
}

// hash returns a hash of s that is the same in every run; 0 for nothing.
func hash[T string | []byte](s T) uint64 {
	if len(s) == 0 {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(s))
	return max(h.Sum64(), 1)
}

// A scan goes over a part once and notes its records.
type scan struct {
	tally
	t       *tape
	part    *part
	entries []entry
	records int               // that were understood, of every kind
	posts   map[uint64]string // methods other than GET, by the identifiers of requests and of replies
	arc     bool              // the last record was one of ARC
	lost    bool              // nothing was understood since something was skipped
}

const (
	reasonCut    = "the file is cut off"
	reasonLength = "a record whose length is wrong"
	reasonHead   = "a record whose head does not end"
	reasonPiece  = "a piece of a record that was cut up"
)

// scanPart returns the index of a part. What is damaged is skipped and counted;
// the error is that of the disk.
func scanPart(p *part) (*scan, error) {
	t, err := newTape(p, spot{}, scanBuffer)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	s := &scan{t: t, part: p, posts: map[uint64]string{}}
	s.Files = 1
	for err == nil {
		err = s.next()
	}
	if err != io.EOF {
		return nil, err
	}
	s.dropPosts()
	s.Kept = len(s.entries)
	return s, nil
}

// next takes one record, or goes over what is none. The error is io.EOF at the
// end, or that of the disk.
func (s *scan) next() error {
	s.t.skipBlank()
	if len(s.t.peek(1)) == 0 {
		return s.resume()
	}
	at := s.t.spot()
	rec, err := s.t.record()
	switch {
	case err == errShort && len(s.t.peek(maxRecordHeader)) < maxRecordHeader: // the tape stops in it
		if s.t.err == io.EOF {
			s.cut()
		}
		return s.resume()
	case err == errShort:
		s.lose(at, reasonHead)
		s.sync()
		return nil
	case err != nil:
		s.lose(at, reasonNoise)
		s.sync()
		return nil
	}
	s.arc = rec.arc
	if rec.length < 0 {
		s.lose(at, reasonLength)
		s.sync()
		return nil
	}
	return s.block(at, rec)
}

// block goes over the block of a record and takes the record, if that is whole.
func (s *scan) block(at spot, rec record) error {
	e, reason, keep := s.judge(at, rec)
	begin, pos := s.t.spot(), s.t.pos
	whole, met := s.pass(rec.length)
	switch {
	case met: // another record, before the block was over
		s.lose(at, reasonLength)
		return nil
	case !whole && s.t.err != io.EOF:
		return s.resume()
	case whole && s.ended():
		s.lost = false
		s.records++
		if reason != "" {
			s.skip(s.part.where(at), reason)
		} else if keep {
			s.entries = append(s.entries, e)
		}
		return nil
	}
	// The length is wrong, or the file is cut off. What follows the block tells.
	if !s.t.afford(s.t.pos - pos + begin.skip) {
		s.lose(at, reasonLength)
		return nil
	}
	if err := s.t.seek(begin); err != nil {
		return err
	}
	s.sync()
	if !whole && len(s.t.peek(1)) == 0 {
		s.cut()
		return nil
	}
	s.lose(at, reasonLength)
	return nil
}

// resume goes on where the tape stopped.
func (s *scan) resume() error {
	var d *damage
	if !errors.As(s.t.err, &d) {
		return s.t.err
	}
	// A member whose checksum is wrong was already taken, if it is one record.
	if n := len(s.entries); !d.short && n > 0 && s.entries[n-1].spot == (spot{member: s.t.member}) {
		s.entries = s.entries[:n-1]
	}
	at := spot{member: s.t.member}
	if !s.t.resume() && d.short {
		s.cut()
		return s.t.err
	}
	s.lose(at, d.reason)
	return nil
}

// cut counts the end of a part that is not where a record ends.
func (s *scan) cut() { s.skip(s.part.where(spot{member: s.part.size}), reasonCut) }

// lose counts something that was not understood, unless what came before it was
// not either.
func (s *scan) lose(at spot, reason string) {
	if !s.lost {
		s.skip(s.part.where(at), reason)
	}
	s.lost = true
}

// judge says what is to become of a record, of which the tape is at the block: an
// entry, or a reason to skip it, or neither.
func (s *scan) judge(at spot, rec record) (e entry, reason string, keep bool) {
	switch rec.kind {
	case segmentRecord:
		return e, reasonPiece, false
	case requestRecord:
		id, answer := hash(rec.id), hash(rec.concurrent) // peek ends the life of rec
		if m := method(s.t.peek(int(min(rec.length, 8)))); m != "" {
			s.posts[id], s.posts[answer] = m, m
			delete(s.posts, 0) // the hash of what is not there
		}
		return e, "", false
	case otherRecord:
		return e, "", false
	}
	if !wanted(rec.url) {
		return e, "", false
	}
	e = entry{
		url:     hash(key(string(rec.url))),
		time:    parseDate(rec.date).UnixMicro(),
		id:      hash(rec.id),
		payload: hash(rec.payload),
		spot:    at,
		revisit: rec.kind == revisitRecord,
	}
	if m := s.posts[hash(rec.concurrent)]; m != "" {
		return e, "a reply to " + m, false
	}
	if rec.http {
		h := status(s.t.peek(int(min(rec.length, 64))))
		if reason := h.unusable(); reason != "" && !(e.revisit && h.status == 304) {
			return e, reason, false
		}
	}
	return e, "", true
}

// status reads the status line that a block begins with.
func status(block []byte) *head {
	h := &head{}
	if bytes.HasPrefix(block, []byte("HTTP/")) {
		line, _, _ := bytes.Cut(block, []byte("\n"))
		h.statusLine(string(bytes.TrimRight(line, "\r")))
	}
	return h
}

// method returns the method of a request, if a reply to it is not what its URL
// stands for.
func method(block []byte) string {
	for _, m := range []string{"POST", "PUT", "HEAD", "OPTIONS", "DELETE", "PATCH"} {
		if len(block) > len(m) && string(block[:len(m)]) == m && block[len(m)] == ' ' {
			return m
		}
	}
	return ""
}

// dropPosts drops what turned out later to be replies to POST.
func (s *scan) dropPosts() {
	if len(s.posts) == 0 {
		return
	}
	kept := s.entries[:0]
	for _, e := range s.entries {
		if m := s.posts[e.id]; m != "" {
			s.skip(s.part.where(e.spot), "a reply to "+m)
			continue
		}
		kept = append(kept, e)
	}
	s.entries = kept
}

// pass goes over n bytes. It stops at a member that begins with a record: such a
// block is shorter than its head says.
func (s *scan) pass(n int64) (whole, met bool) {
	t := s.t
	for n > 0 {
		if t.r == t.w && !t.more() {
			return false, false
		}
		k := min(n, int64(len(t.ahead())))
		t.take(int(k))
		if n -= k; n > 0 && t.starts() && s.seems() {
			return false, true
		}
	}
	return true, false
}

// ended says whether what follows a block is what has to.
func (s *scan) ended() bool {
	if string(s.t.peek(4)) == "\r\n\r\n" {
		return true
	}
	s.t.skipBlank()
	return len(s.t.peek(1)) == 0 || s.t.starts() || s.seems()
}

// seems says whether a record seems to begin here.
func (s *scan) seems() bool {
	if string(s.t.peek(5)) == "WARC/" {
		return true
	}
	if !s.arc || !arcScheme(s.t.peek(24)) {
		return false
	}
	_, err := parseARC(s.t.peek(2 << 10))
	return err == nil
}

// sync goes to the next line or member that seems to be a record, or to where
// the tape stops.
func (s *scan) sync() {
	for t := s.t; len(t.peek(1)) > 0; {
		b := t.ahead()
		i := bytes.IndexByte(b, '\n')
		if i >= 0 {
			b = b[:i+1]
		}
		t.take(len(b))
		if (i >= 0 || t.starts()) && s.seems() {
			return
		}
	}
}

