package warc

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
)

// memberReader reads the decoded data of a part, one member at a time: a gzip member, or a Zstandard frame. A plain part
// is one member. A memberReader stops at the end of a member and at damage (see err), and can resume after the damage.
type memberReader struct {
	*buffers
	part *Part
	raw  *storedBytes
	end  int64 // offset in the part of the next byte that in will read

	zs      *zstd.Decoder
	frame   frame
	decoder io.Reader // decoder of the member
	member  int64     // offset of the member
	pos     int64     // number of decoded bytes of the member that were used
	step    int       // maximum number of bytes to decode next
	err     error     // reason for the end of the decoded data: io.EOF, a *damage, or an error of the disk

	meter *meter.Meter // everything that is read or decoded is paid here
}

// buffers are the memory of a memberReader.
type buffers struct {
	in, out *bufio.Reader // stored and decoded bytes
	gz      gzip.Reader   // the decoder of gzip members
}

// lookBuffers are the buffers of readers of single records. Archives have many records.
var lookBuffers = sync.Pool{New: func() any { return newBuffers(lookStep) }}

func newBuffers(step int) *buffers {
	return &buffers{in: bufio.NewReaderSize(nil, step), out: bufio.NewReaderSize(nil, maxRecordHeader)}
}

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

// newMemberReader opens a part at a position. The reader decodes step bytes at first: many for a scan, and few for a
// single record.
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
	if m.buffers != nil && m.in.Size() == lookStep {
		lookBuffers.Put(m.buffers)
	}
	m.buffers = nil // another reader may have them
	return m.raw.Close()
}

// seek goes to a position.
func (m *memberReader) seek(at position) {
	m.reopen(at.member)
	m.nextMember()
	m.discard(at.skip)
}

// reopen continues with the stored bytes at an offset.
func (m *memberReader) reopen(at int64) {
	m.end = at
	m.in.Reset(rawReader{m, io.NewSectionReader(m.raw, at, max(m.raw.Size()-at, 0))})
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

// decodedReader decodes the member of a memberReader.
type decodedReader struct{ *memberReader }

func (m decodedReader) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
	n, err := m.decoder.Read(p[:min(len(p), m.step)])
	m.step = min(2*m.step, maxRecordHeader) // the record is long
	if err == io.EOF && m.part.codec == zstdFrames && !m.frame.whole() {
		err = io.ErrUnexpectedEOF // the decoder returns io.EOF for a frame whose header is truncated
	}
	if err != nil && err != io.EOF && m.part.codec != plain {
		err = damaged(err)
	}
	m.memberReader.err = cmp.Or(m.meter.Pay(int64(n)), err)
	return n, m.err
}

// offset returns the position in the part of the next stored byte.
func (m *memberReader) offset() int64 { return m.end - int64(m.in.Buffered()) }

// nextMember goes to the start of the next member. The error is io.EOF if there is none. It stays the reason for the end
// of the decoded data.
func (m *memberReader) nextMember() error {
	m.out.Reset(decodedReader{m})
	m.pos, m.step = 0, m.in.Size()
	m.err = m.begin()
	return m.err
}

// begin makes the decoder of the next member.
func (m *memberReader) begin() error {
	m.member = m.offset()
	switch m.part.codec {
	case plain:
		m.decoder = m.in
		_, err := m.in.Peek(1)
		return err
	case zstdFrames:
		if err := skipFrames(m.in); err != nil && err != io.EOF {
			return damaged(err)
		}
	}
	next, err := m.in.Peek(1)
	for ; err == nil && next[0] == 0; next, err = m.in.Peek(1) { // padding
		m.in.Discard(1)
	}
	m.member = m.offset()
	if err != nil {
		return err
	}
	if m.part.codec == zstdFrames {
		m.frame = frame{in: m.in}
		m.decoder, err = m.zs, m.zs.Reset(&m.frame)
		return damaged(err)
	}
	if b, _ := m.in.Peek(len(magics[gzipMembers])); string(b) != magics[gzipMembers] {
		return &damage{reason: reasonNotRecord}
	}
	m.decoder, err = &m.gz, m.gz.Reset(m.in)
	m.gz.Multistream(false)
	return damaged(err)
}

// damaged returns a *damage for the error of a decoder. It returns other errors unchanged: those that are a *damage
// already, read errors of the disk, and meter.Over.
func damaged(err error) error {
	if _, ok := errors.AsType[*damage](err); err == nil || ok || localfile.PathError(err) != nil ||
		errors.Is(err, meter.Over{}) {
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
			m.nextMember()
			return true
		}
		if err != nil {
			m.err = err
			m.out.Reset(decodedReader{m})
			return false
		}
		m.in.Discard(len(b) - len(magic) + 1)
	}
}

// peek returns the next n bytes, or fewer at the end. The slice is valid until the next call.
func (m *memberReader) peek(n int) []byte {
	b, _ := m.out.Peek(n)
	return b
}

// discard skips n bytes, or fewer at the end, and reports whether all were there.
func (m *memberReader) discard(n int64) bool {
	for n > 0 {
		k, err := m.out.Discard(int(min(n, 1<<30)))
		m.pos += int64(k)
		if n -= int64(k); err != nil {
			return false
		}
	}
	return true
}

// Read reads decoded bytes of the member. At its end, it returns the reason for the end.
func (m *memberReader) Read(p []byte) (int, error) {
	if m.buffers == nil {
		return 0, os.ErrClosed
	}
	n, err := m.out.Read(p)
	m.pos += int64(n)
	return n, err
}

// skipBlank skips line ends and NULs, with which some programs pad files.
func (m *memberReader) skipBlank() {
	for len(m.peek(1)) > 0 {
		b := m.peek(m.out.Buffered())
		rest := bytes.TrimLeft(b, "\r\n\x00")
		m.discard(int64(len(b) - len(rest)))
		if len(rest) > 0 {
			return
		}
	}
}

// position returns the position of the next byte.
func (m *memberReader) position() position {
	if m.part.codec == plain {
		return position{m.member + m.pos, 0}
	}
	return position{m.member, m.pos}
}

// record reads the header of the next record, and skips the header unless there is an error. The error is io.EOF if no
// bytes are left. The record is valid until the next call.
func (m *memberReader) record() (record, error) {
	for n := 4 << 10; ; n = min(4*n, maxRecordHeader) {
		b := m.peek(n)
		if len(b) == 0 {
			return record{}, m.err
		}
		r, err := parseRecord(b)
		if err == errShort && len(b) == n && n < maxRecordHeader {
			continue
		}
		if err != nil {
			m.meter.Pay(int64(len(b))) // it may not be a header, and each line of it may be tried
			return record{}, err
		}
		m.discard(int64(len(r.raw)))
		return r, nil
	}
}
