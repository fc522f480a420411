package warc

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
)

// memberReader reads the decoded data of a part, one member of gzip at a time; a plain part is one member. It stops at
// the end of a member and at damage (see err), and can resume after the damage.
type memberReader struct {
	part   *Part
	raw    *storedBytes
	stored *bufio.Reader
	end    int64 // offset in the part of the next byte that stored will read

	gz      gzip.Reader
	decoder io.Reader     // decoder of the member
	out     *bufio.Reader // decoded bytes
	member  int64         // offset of the member
	pos     int64         // number of decoded bytes of the member that were used
	err     error         // reason for the end of the decoded data: io.EOF, a damage, or an error of the disk

	meter *meter.Meter // everything that is read or decoded is paid here
}

// errDamage means that compressed data cannot be decoded, or end too early. A memberReader can resume after it.
var errDamage = errors.New("a compressed member that is damaged or cut off")

// storedBuffer is the size of the buffer for stored bytes.
const storedBuffer = 16 << 10

// readers reuses buffers: a list of small records opens a reader for each.
var readers = sync.Pool{New: func() any {
	return &memberReader{stored: bufio.NewReaderSize(nil, storedBuffer), out: bufio.NewReaderSize(nil, maxRecordHeader)}
}}

// release closes the part, and the reader may be used again. No other user of the reader may be left.
func (m *memberReader) release() {
	m.Close()
	readers.Put(m)
}

// newMemberReader opens a part at the offset of a member.
func newMemberReader(p *Part, at int64, m *meter.Meter) (*memberReader, error) {
	raw, err := p.open()
	if err != nil {
		return nil, err
	}
	in := readers.Get().(*memberReader)
	in.part, in.raw, in.meter, in.err = p, raw, m, nil
	in.seek(at)
	return in, nil
}

// Close closes the part.
func (m *memberReader) Close() error { return m.raw.Close() }

// seek goes to the member at an offset.
func (m *memberReader) seek(at int64) {
	m.reopen(at)
	m.nextMember()
}

// reopen continues with the stored bytes at an offset.
func (m *memberReader) reopen(at int64) {
	m.end = at
	m.stored.Reset(rawReader{m, io.NewSectionReader(m.raw, at, max(m.raw.Size()-at, 0))})
}

// rawReader counts the bytes of a part that a memberReader reads.
type rawReader struct {
	m *memberReader
	io.Reader
}

func (r rawReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.m.end += int64(n)
	return n, cmp.Or(r.m.meter.Pay(int64(n)), err)
}

// decodedReader decodes the member of a memberReader.
type decodedReader struct{ *memberReader }

func (m decodedReader) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
	n, err := m.decoder.Read(p)
	m.memberReader.err = cmp.Or(m.meter.Pay(int64(n)), m.damaged(err))
	return n, m.err
}

// nextMember goes to the start of the next member. The error is io.EOF if there is none. It stays the reason for the end
// of the decoded data.
func (m *memberReader) nextMember() error {
	m.out.Reset(decodedReader{m})
	m.pos = 0
	m.err = m.begin()
	return m.err
}

// begin makes the decoder of the next member.
func (m *memberReader) begin() error {
	next, err := m.stored.Peek(1)
	for m.part.gzip && err == nil && next[0] == 0 { // padding
		m.stored.Discard(1)
		next, err = m.stored.Peek(1)
	}
	m.member = m.end - int64(m.stored.Buffered())
	if err != nil {
		return err
	}
	if !m.part.gzip {
		m.decoder = m.stored
		return nil
	}
	m.decoder, err = &m.gz, m.gz.Reset(m.stored)
	m.gz.Multistream(false)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return m.damaged(err)
}

// damaged returns errDamage for the error of a decoder, and any other error unchanged: io.EOF, a read error of the
// disk, and meter.Over.
func (m *memberReader) damaged(err error) error {
	if err == nil || err == io.EOF || !m.part.gzip || localfile.PathError(err) != nil ||
		errors.Is(err, meter.Over{}) {
		return err
	}
	return errDamage
}

// resume continues after damage, at the next member. It returns false if there is no next member.
func (m *memberReader) resume() bool {
	m.reopen(m.member + 1) // the damage may have been detected long after the start of the next member
	magic := []byte(gzipMagic)
	for {
		b, err := m.stored.Peek(max(m.stored.Buffered(), len(magic)))
		if i := bytes.Index(b, magic); i >= 0 {
			m.stored.Discard(i)
			m.nextMember()
			return true
		}
		if err != nil {
			m.err = err
			m.out.Reset(decodedReader{m})
			return false
		}
		m.stored.Discard(len(b) - len(magic) + 1)
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

// position returns the offset at which the next record can be read again: its own in a plain part, and otherwise that
// of its member, of which it is the first record.
func (m *memberReader) position() int64 {
	if !m.part.gzip {
		return m.member + m.pos
	}
	return m.member
}

// rewind goes back to the place after a number of decoded bytes of the member.
func (m *memberReader) rewind(pos int64) {
	if !m.part.gzip {
		m.seek(m.member + pos)
		return
	}
	m.seek(m.member)
	m.discard(pos)
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
		if err == errNoEnd && len(b) == n && n < maxRecordHeader {
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
