package warc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
)

// memberReader reads the decoded data of a part from a position on. The stored data are gzip members, Zstandard frames,
// or plain bytes. A memberReader stops at the end of the data and at damage (see err), and can resume after the damage.
type memberReader struct {
	*buffers
	part *Part
	raw  *storedBytes
	end  int64 // offset in the part of the next byte that in will read

	zs      *zstd.Decoder
	frame   frame
	decoder io.Reader // decoder of the member at offset member; nil between members
	member  int64

	r, w int         // buf[r:w] is decoded and not yet used
	pos  int64       // number of bytes used
	step int         // number of bytes to decode next
	err  error       // reason for the end after buf[w]: io.EOF, a *damage, or an error of the disk
	runs []memberRun // the member at pos, and the members that begin in the buffer

	meter *meter.Meter // everything that is read or decoded is paid here
}

// buffers are the memory of a memberReader.
type buffers struct {
	in  *bufio.Reader // reads the stored bytes
	buf []byte
	gz  gzip.Reader // the decoder of gzip members
}

// lookBuffers are the buffers of readers of single records. Archives have many records.
var lookBuffers = sync.Pool{New: func() any { return newBuffers(lookStep) }}

func newBuffers(step int) *buffers {
	return &buffers{in: bufio.NewReaderSize(nil, step), buf: make([]byte, maxRecordHeader)}
}

// memberRun is a member, with the number of decoded bytes before it.
type memberRun struct{ pos, member int64 }

// damage means that compressed data cannot be decoded.
type damage struct {
	reason string
	short  bool // the data ended too early
}

func (d *damage) Error() string { return d.reason }

const (
	reasonDamage    = "a damaged compressed member"
	reasonNotRecord = "a range of bytes that is not a record"
)

const (
	scanStep = 64 << 10
	lookStep = 4 << 10 // most headers of records and replies are smaller
)

// newMemberReader opens a part at a position. The reader decodes at least step bytes at a time: many for a scan, and
// few for a single record.
func newMemberReader(p *Part, at position, step int, m *meter.Meter) (*memberReader, error) {
	raw, err := p.open()
	if err != nil {
		return nil, err
	}
	in := &memberReader{part: p, raw: raw, meter: m}
	if step == lookStep {
		in.buffers = lookBuffers.Get().(*buffers)
	} else {
		in.buffers = newBuffers(step)
	}
	if p.codec == zstdFrames {
		if in.zs, err = newZstd(p.dict); err != nil {
			raw.Close()
			return nil, err
		}
	}
	in.seek(at)
	return in, nil
}

// Close closes the part.
func (m *memberReader) Close() error {
	if m.zs != nil {
		m.zs.Close()
	}
	m.r, m.w, m.err = 0, 0, os.ErrClosed
	if m.buffers != nil && m.in.Size() == lookStep {
		lookBuffers.Put(m.buffers)
	}
	m.buffers = nil // another reader may have them
	return m.raw.Close()
}

// seek goes to a position.
func (m *memberReader) seek(at position) {
	m.reopen(at.member)
	m.discard(at.skip)
}

// reopen goes to the start of the member at this offset.
func (m *memberReader) reopen(at int64) {
	m.end = at
	m.in.Reset(rawReader{m, io.NewSectionReader(m.raw, at, max(m.raw.Size()-at, 0))})
	m.decoder, m.err, m.runs, m.step = nil, nil, m.runs[:0], m.in.Size()
	m.r, m.w = 0, 0
}

// rawReader counts the bytes of a part that a memberReader reads.
type rawReader struct {
	m *memberReader
	io.Reader
}

func (r rawReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.m.end += int64(n)
	if over := r.m.meter.Pay(int64(n)); over != nil {
		err = over
	}
	return n, err
}

// offset returns the position in the part of the next byte to decode.
func (m *memberReader) offset() int64 {
	return m.end - int64(m.in.Buffered())
}

// more decodes more bytes into the buffer. It returns false at the end, or if there is no room.
func (m *memberReader) more() bool {
	if m.r > 0 && (m.r == m.w || m.w == len(m.buf)) {
		m.w = copy(m.buf, m.buf[m.r:m.w])
		m.r = 0
	}
	if m.err != nil || m.w == len(m.buf) {
		return false
	}
	n, err := m.decode(m.buf[m.w:min(m.w+m.step, len(m.buf))])
	m.step = min(2*m.step, len(m.buf)) // the record is long
	m.w += n
	m.err = err
	if over := m.meter.Pay(int64(n)); over != nil {
		m.err = over
	}
	return n > 0
}

func (m *memberReader) decode(p []byte) (int, error) {
	for {
		if m.decoder == nil {
			if err := m.begin(); err != nil {
				return 0, err
			}
		}
		n, err := m.decoder.Read(p)
		switch {
		case m.part.codec == plain:
			return n, err
		case err == io.EOF:
			m.decoder = nil
			if m.part.codec == zstdFrames && !m.frame.whole() {
				// The decoder returns io.EOF for a frame whose header is truncated.
				return n, damaged(io.ErrUnexpectedEOF)
			}
			if n > 0 {
				return n, nil
			}
		case err != nil:
			m.decoder = nil
			return n, damaged(err)
		case n > 0:
			return n, nil
		}
	}
}

// begin starts to decode the next member; io.EOF if there is none.
func (m *memberReader) begin() error {
	m.member = m.offset()
	if m.part.codec == zstdFrames {
		if err := skipFrames(m.in); err != nil && err != io.EOF {
			return damaged(err)
		}
		m.member = m.offset()
	}
	next, err := m.in.Peek(1)
	for ; err == nil && next[0] == 0 && m.part.codec != plain; next, err = m.in.Peek(1) { // padding
		m.in.Discard(1)
		m.member++
	}
	if err != nil {
		return err
	}
	if run := (memberRun{m.pos + int64(m.w-m.r), m.member}); len(m.runs) > 0 && m.runs[len(m.runs)-1].pos == run.pos {
		m.runs[len(m.runs)-1] = run // the previous member is empty
	} else {
		m.runs = append(m.runs, run)
	}
	m.take(0)
	return m.startDecoder()
}

// startDecoder makes the decoder of the member that begins here.
func (m *memberReader) startDecoder() error {
	switch m.part.codec {
	case plain:
		m.decoder = m.in
	case gzipMembers:
		if b, _ := m.in.Peek(len(magics[gzipMembers])); string(b) != magics[gzipMembers] {
			return &damage{reason: reasonNotRecord}
		}
		if err := m.gz.Reset(m.in); err != nil {
			return damaged(err)
		}
		m.gz.Multistream(false)
		m.decoder = &m.gz
	case zstdFrames:
		m.frame = frame{in: m.in}
		if err := m.zs.Reset(&m.frame); err != nil {
			return damaged(err)
		}
		m.decoder = m.zs
	}
	return nil
}

// damaged returns a *damage for the error of a decoder. It returns other errors unchanged: those that are a *damage
// already, read errors of the disk, and meter.Over.
func damaged(err error) error {
	if _, ok := errors.AsType[*damage](err); ok || localfile.PathError(err) != nil || errors.Is(err, meter.Over{}) {
		return err
	}
	return &damage{reasonDamage, errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF}
}

// resume continues after damage, at the next member. It returns false if there is no next member.
func (m *memberReader) resume() bool {
	// The damage may have been detected long after the start of the next member.
	m.reopen(m.member + 1)
	magic := []byte(magics[m.part.codec])
	for {
		b, err := m.in.Peek(max(m.in.Buffered(), len(magic)))
		if i := bytes.Index(b, magic); i >= 0 {
			m.in.Discard(i)
			return true
		}
		if err != nil {
			m.err = err
			return false
		}
		m.in.Discard(len(b) - len(magic) + 1)
	}
}

// peek returns the next n bytes, or fewer at the end. The slice is valid until the next call.
func (m *memberReader) peek(n int) []byte {
	for m.w-m.r < n && m.more() {
	}
	return m.buf[m.r:min(m.w, m.r+n)]
}

// discard skips n bytes and returns the number skipped.
func (m *memberReader) discard(n int64) int64 {
	for left := n; ; {
		k := min(left, int64(m.w-m.r))
		m.take(int(k))
		if left -= k; left == 0 || !m.more() {
			return n - left
		}
	}
}

func (m *memberReader) take(n int) {
	m.r += n
	m.pos += int64(n)
	for len(m.runs) > 1 && m.runs[1].pos <= m.pos {
		m.runs = m.runs[1:]
	}
}

// Read reads decoded bytes. At the end of the data, it returns the reason for the end.
func (m *memberReader) Read(p []byte) (int, error) {
	if m.r == m.w && !m.more() {
		return 0, m.err
	}
	n := copy(p, m.buf[m.r:m.w])
	m.take(n)
	return n, nil
}

// skipBlank skips line ends and NULs, with which some programs pad files.
func (m *memberReader) skipBlank() {
	for b := m.peek(1); len(b) == 1 && (b[0] == '\r' || b[0] == '\n' || b[0] == 0); b = m.peek(1) {
		m.take(1)
	}
}

// skipMark skips a byte order mark.
func (m *memberReader) skipMark() {
	if string(m.peek(len(localfile.ByteOrderMark))) == localfile.ByteOrderMark {
		m.take(len(localfile.ByteOrderMark))
	}
}

// position returns the position of the next byte, which must exist.
func (m *memberReader) position() position {
	if m.part.codec == plain {
		return position{m.offset() - int64(m.w-m.r), 0}
	}
	if len(m.runs) == 0 {
		return position{m.offset(), 0}
	}
	return position{m.runs[0].member, m.pos - m.runs[0].pos}
}

// starts reports whether a member begins here.
func (m *memberReader) starts() bool {
	return m.part.codec != plain && len(m.runs) > 0 && m.runs[0].pos == m.pos
}

// ahead returns the bytes in the buffer up to the next member.
func (m *memberReader) ahead() []byte {
	b := m.buf[m.r:m.w]
	if len(m.runs) > 1 {
		b = b[:m.runs[1].pos-m.pos]
	}
	return b
}

// record reads the header of the next record, and skips the header unless there is an error. The error is io.EOF if no
// bytes are left. The record is valid until the next call.
func (m *memberReader) record() (record, error) {
	for n := 4 << 10; ; n = min(4*n, maxRecordHeader) {
		b := m.peek(n)
		if len(b) == 0 {
			return record{}, io.EOF
		}
		r, err := parseRecord(b)
		if err == errShort && len(b) == n && n < maxRecordHeader {
			continue
		}
		if err != nil {
			m.meter.Pay(int64(len(b))) // it may not be a header, and each line of it may be tried
			return record{}, err
		}
		if r.http && len(r.media) == 0 || r.arc { // only the block shows whether it is an HTTP message
			const start = "HTTP/"
			header := m.peek(len(r.raw) + len(start))
			r, _ = parseRecord(header) // the buffer may have moved
			r.http = bytes.HasSuffix(header, []byte(start)) && r.length >= int64(len(start)) || r.kind == requestRecord
		}
		m.take(len(r.raw))
		return r, nil
	}
}
