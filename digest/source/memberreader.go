package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A tape is the decoded bytes of a part from some place on. It stops where the
// data end and where they are damaged (err), and goes on behind that when it is
// told to.
type tape struct {
	part *part
	raw  io.ReadCloser
	in   *bufio.Reader // of raw
	from int64         // where in the part raw began
	used int64         // bytes that were read from raw and those before it
	was  int64         // used, when raw was opened

	gz     gzip.Reader
	zs     *zstd.Decoder
	frame  frame
	cur    io.Reader // decodes the member that begins at member; nil between members
	member int64

	buf  []byte
	r, w int         // buf[r:w] is what was decoded and not yet taken
	pos  int64       // number of bytes that were taken
	made int64       // number of bytes that were decoded
	err  error       // why nothing follows buf[w]: io.EOF, a *damage, or that of the disk
	runs []memberRun // the member that pos is in, and those that begin in the buffer

	again int64 // bytes that were read more than once
}

// A memberRun is a member, and the number of decoded bytes before it.
type memberRun struct{ pos, member int64 }

// A damage says that compressed data cannot be decoded.
type damage struct {
	reason string
	short  bool // they ended too soon
}

func (d *damage) Error() string { return d.reason }

const (
	reasonDamage = "compressed data that are damaged"
	reasonNoise  = "bytes that are no record"
)

var reasonBomb = fmt.Sprintf("compressed data that grow more than %d times", maxRatio)

// newTape returns the tape of a part from a place on.
func newTape(p *part, at spot, buffer int) (*tape, error) {
	t := &tape{part: p, in: bufio.NewReaderSize(nil, buffer), buf: make([]byte, buffer)}
	if p.codec == zstdFrames {
		dict, err := p.dictionary()
		if err != nil {
			return nil, err
		}
		if t.zs, err = newZstd(dict); err != nil {
			return nil, err
		}
	}
	if err := t.seek(at); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Close closes the tape.
func (t *tape) Close() error {
	if t.zs != nil {
		t.zs.Close()
	}
	if t.raw == nil {
		return nil
	}
	return t.raw.Close()
}

// seek goes to a place. The error is that of the disk.
func (t *tape) seek(at spot) error {
	if err := t.reopen(at.member); err != nil {
		return err
	}
	t.discard(at.skip)
	return nil
}

func (t *tape) reopen(at int64) error {
	if t.raw != nil {
		t.raw.Close()
	}
	raw, err := t.part.open(at)
	if err != nil {
		t.raw, t.err = nil, err
		return err
	}
	t.raw, t.from, t.was = raw, at, t.used
	t.in.Reset(rawReader{t})
	t.cur, t.err, t.runs = nil, nil, t.runs[:0]
	t.r, t.w = 0, 0
	return nil
}

type rawReader struct{ t *tape }

func (r rawReader) Read(p []byte) (int, error) {
	n, err := r.t.raw.Read(p)
	r.t.used += int64(n)
	return n, err
}

// offset returns where in the part the next byte to decode is.
func (t *tape) offset() int64 { return t.from + t.used - t.was - int64(t.in.Buffered()) }

// afford says whether so many bytes may be read once more. All that is read more
// than once is about as much as what is read once, whatever a file does.
func (t *tape) afford(n int64) bool {
	n += int64(t.in.Size())
	if 2*(t.again+n) > t.made+t.used+freeRereads {
		return false
	}
	t.again += n
	return true
}

// more decodes more bytes into the buffer. It is false if there are none before
// the tape stops, or there is no room.
func (t *tape) more() bool {
	if t.r > 0 && (t.r == t.w || t.w == len(t.buf)) {
		t.w = copy(t.buf, t.buf[t.r:t.w])
		t.r = 0
	}
	if t.err != nil || t.w == len(t.buf) {
		return false
	}
	n, err := t.decode(t.buf[t.w:])
	t.w += n
	t.made += int64(n)
	t.err = err
	return n > 0
}

func (t *tape) decode(p []byte) (int, error) {
	for {
		if t.cur == nil {
			if err := t.begin(); err != nil {
				return 0, err
			}
		}
		n, err := t.cur.Read(p)
		switch {
		case t.part.codec == plain:
			return n, err
		case err == io.EOF:
			t.cur = nil
			if t.part.codec == zstdFrames && !t.frame.whole() {
				// The decoder takes a frame that is cut in its header for none.
				return n, t.damaged(io.ErrUnexpectedEOF)
			}
			if n > 0 {
				return n, nil
			}
		case err != nil:
			t.cur = nil
			return n, t.damaged(err)
		case t.made+int64(n) > MaxBody+maxRatio*t.used:
			t.cur = nil
			return n, &damage{reason: reasonBomb}
		case n > 0:
			return n, nil
		}
	}
}

// begin begins to decode the next member; io.EOF if there is none.
func (t *tape) begin() error {
	t.member = t.offset()
	if t.part.codec == zstdFrames {
		if err := skipFrames(t.in); err != nil && err != io.EOF {
			return t.damaged(err)
		}
		t.member = t.offset()
	}
	if _, err := t.in.Peek(1); err != nil {
		return err
	}
	if run := (memberRun{t.pos + int64(t.w-t.r), t.member}); len(t.runs) > 0 && t.runs[len(t.runs)-1].pos == run.pos {
		t.runs[len(t.runs)-1] = run // the one before is empty
	} else {
		t.runs = append(t.runs, run)
	}
	t.take(0)
	switch t.part.codec {
	case plain:
		t.cur = t.in
	case gzipMembers:
		if b, _ := t.in.Peek(len(magics[gzipMembers])); string(b) != magics[gzipMembers] {
			return &damage{reason: reasonNoise}
		}
		if err := t.gz.Reset(t.in); err != nil {
			return t.damaged(err)
		}
		t.gz.Multistream(false)
		t.cur = &t.gz
	case zstdFrames:
		t.frame = frame{in: t.in}
		if err := t.zs.Reset(&t.frame); err != nil {
			return t.damaged(err)
		}
		t.cur = t.zs
	}
	return nil
}

// damaged tells an error of the decoder from one of the disk.
func (t *tape) damaged(err error) error {
	if path := (*os.PathError)(nil); errors.As(err, &path) {
		return err
	}
	return &damage{reasonDamage, errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF}
}

// resume goes on behind damage, at the next member. It is false if there is none.
func (t *tape) resume() bool {
	// The damage may have been noticed long after the next member began.
	from := t.member + 1
	if t.afford(t.offset() - from) {
		if t.reopen(from) != nil {
			return false
		}
	} else {
		t.r, t.w, t.runs, t.err = 0, 0, t.runs[:0], nil
		t.in.Discard(int(max(from-t.offset(), 0)))
	}
	magic := []byte(magics[t.part.codec])
	for {
		b, err := t.in.Peek(max(t.in.Buffered(), len(magic)))
		if i := bytes.Index(b, magic); i >= 0 {
			t.in.Discard(i)
			return true
		}
		if err != nil {
			t.err = err
			return false
		}
		t.in.Discard(len(b) - len(magic) + 1)
	}
}

// peek returns the next n bytes, fewer if the tape stops before. They are good
// until the next call.
func (t *tape) peek(n int) []byte {
	for t.w-t.r < n && t.more() {
	}
	return t.buf[t.r:min(t.w, t.r+n)]
}

// discard goes over n bytes and returns how many there were.
func (t *tape) discard(n int64) int64 {
	for left := n; ; {
		k := min(left, int64(t.w-t.r))
		t.take(int(k))
		if left -= k; left == 0 || !t.more() {
			return n - left
		}
	}
}

func (t *tape) take(n int) {
	t.r += n
	t.pos += int64(n)
	for len(t.runs) > 1 && t.runs[1].pos <= t.pos {
		t.runs = t.runs[1:]
	}
}

// Read reads decoded bytes. Where the tape stops, it returns why.
func (t *tape) Read(p []byte) (int, error) {
	if t.r == t.w && !t.more() {
		return 0, t.err
	}
	n := copy(p, t.buf[t.r:t.w])
	t.take(n)
	return n, nil
}

// skipBlank goes over ends of lines.
func (t *tape) skipBlank() {
	for b := t.peek(1); len(b) == 1 && (b[0] == '\r' || b[0] == '\n'); b = t.peek(1) {
		t.take(1)
	}
}

// spot returns where the next byte is. There must be one.
func (t *tape) spot() spot {
	if t.part.codec == plain {
		return spot{t.offset() - int64(t.w-t.r), 0}
	}
	if len(t.runs) == 0 {
		return spot{t.offset(), 0}
	}
	return spot{t.runs[0].member, t.pos - t.runs[0].pos}
}

// starts says whether a member begins here.
func (t *tape) starts() bool {
	return t.part.codec != plain && len(t.runs) > 0 && t.runs[0].pos == t.pos
}

// ahead returns the bytes in the buffer, as far as the next member.
func (t *tape) ahead() []byte {
	b := t.buf[t.r:t.w]
	if len(t.runs) > 1 {
		b = b[:t.runs[1].pos-t.pos]
	}
	return b
}

// record reads the head of the record that is next, and goes behind it; not if
// there is an error, which is io.EOF if there are no bytes. What the head has is
// good until the next call.
func (t *tape) record() (record, error) {
	for n := 4 << 10; ; n = min(4*n, maxRecordHeader) {
		b := t.peek(n)
		if len(b) == 0 {
			return record{}, io.EOF
		}
		r, err := parseRecord(b)
		if err == errShort && len(b) == n && n < maxRecordHeader {
			continue
		}
		if err != nil {
			return record{}, err
		}
		if r.arc {
			const start = "HTTP/"
			head := t.peek(len(r.raw) + len(start))
			r, _ = parseARC(head) // the bytes may have moved
			r.http = bytes.HasSuffix(head, []byte(start)) && r.length >= int64(len(start))
		}
		t.take(len(r.raw))
		return r, nil
	}
}
