package warc

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// The index of a part is saved as a file with: indexMagic, size and modification time of the archive file, position and
// size of the part, codec, whether records are lost, skips, numbers of records by type and in total, entries, and the
// CRC-32C of the preceding data. All numbers are little-endian.
const (
	indexMagic = "webcap index 8\n"
	entrySize  = 6*8 + 4
)

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	errIndex   = errors.New("not the index of this file")
)

// indexFile returns the name of the saved index of a part in a folder.
func (p *Part) indexFile(folder string) (string, error) {
	path, err := filepath.Abs(p.Path)
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, fmt.Sprintf("%x.index", sha256.Sum256([]byte(path+"\x00"+p.Name)))), nil
}

// identity returns the data with which a saved index begins. They are different if the size or the modification time
// of the file has changed.
func (p *Part) identity() ([]byte, error) {
	info, err := os.Stat(p.Path)
	if err != nil {
		return nil, err
	}
	return appendNumbers([]byte(indexMagic), uint64(info.Size()), uint64(info.ModTime().UnixNano()), uint64(p.Base),
		uint64(p.Size)), nil
}

// save saves the index of a part with this identity to a file. It first writes the file under a temporary name.
func (s *scan) save(identity []byte, name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := tempfile.Create(func() (*os.File, error) { return os.CreateTemp(filepath.Dir(name), ".*.tmp") })
	if err != nil {
		return err
	}
	defer tempfile.Remove(f.Name()) // no effect after the rename
	if err := cmp.Or(s.write(f, identity), f.Close()); err != nil {
		return err
	}
	return tempfile.Rename(f.Name(), name)
}

func (s *scan) write(f io.Writer, identity []byte) error {
	sum := crc32.New(castagnoli)
	w := bufio.NewWriterSize(io.MultiWriter(f, sum), scanBuffer)
	skips := s.Total().Skipped
	b := appendFlag(append(slices.Clip(identity), byte(s.part.codec)), s.Lost)
	b = appendNumbers(b, uint64(len(skips)))
	for _, k := range skips {
		b = appendText(appendText(b, k.Reason), k.First)
		b = appendFlag(appendNumbers(b, uint64(k.Count)), k.Capped)
	}
	for _, n := range s.types {
		b = appendNumbers(b, uint64(n))
	}
	b = appendNumbers(b, uint64(s.records), uint64(s.entries.len()))
	w.Write(b)
	for e := range s.entries.all() {
		w.Write(e.append(b[:0]))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := f.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

func (e *entry) append(b []byte) []byte {
	b = appendNumbers(b, e.url, uint64(e.time), e.id, e.payload, uint64(e.member), uint64(e.skip))
	return append(appendFlag(appendFlag(appendFlag(b, e.revisit), e.doubt), e.ending), byte(e.useless))
}

func appendFlag(b []byte, set bool) []byte {
	if set {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendNumbers(b []byte, list ...uint64) []byte {
	for _, n := range list {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(appendNumbers(b, uint64(len(s))), s...)
}

// loadScan reads a saved index. An error means that there is no valid index of the part with this identity.
func loadScan(p *Part, identity []byte, name string) (*scan, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	sum := crc32.New(castagnoli)
	size := info.Size() - crc32.Size
	in := indexReader{r: bufio.NewReaderSize(io.TeeReader(io.LimitReader(f, size), sum), scanBuffer), left: size}
	if !bytes.Equal(in.bytes(int64(len(identity))), identity) {
		return nil, errIndex
	}
	s := in.scan(p)
	end, err := io.ReadAll(io.LimitReader(f, crc32.Size))
	if err != nil || in.failed || in.left > 0 || p.codec > zstdFrames ||
		!bytes.Equal(end, binary.LittleEndian.AppendUint32(nil, sum.Sum32())) {
		return nil, errIndex
	}
	return s, nil
}

// scan reads the data after the identity of a part.
func (r *indexReader) scan(p *Part) *scan {
	if b := r.bytes(1); len(b) == 1 {
		p.codec = codec(b[0])
	}
	s := &scan{part: p}
	s.Lost = r.flag()
	for n := r.number(); n > 0 && !r.failed; n-- {
		reason, first := r.text(), r.text()
		s.Note(first, reason, int(r.number()), r.flag())
	}
	for i := range s.types {
		s.types[i] = int(r.number())
	}
	s.types.addTo(&s.Stats)
	s.records = int(r.number())
	n := int64(r.number())
	if r.failed || n < 0 || n > r.left/entrySize {
		r.failed = true
		return nil
	}
	for range n {
		var e entry
		e.read(r.bytes(entrySize))
		s.entries.add(e)
	}
	s.Files, s.Kept, s.Bytes = 1, s.entries.kept(), p.Size
	return s
}

func (e *entry) read(b []byte) {
	if len(b) < entrySize {
		return
	}
	n := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	e.url, e.time, e.id, e.payload = n(0), int64(n(1)), n(2), n(3)
	e.position = position{int64(n(4)), int64(n(5))}
	e.revisit, e.doubt, e.ending, e.useless = b[6*8] != 0, b[6*8+1] != 0, b[6*8+2] != 0, uselessness(b[6*8+3])
}

// indexReader reads an untrusted index file. After an error, failed is true and all results are zero, so callers check
// failed only at the end.
type indexReader struct {
	r      *bufio.Reader
	left   int64
	buf    []byte
	failed bool
}

// bytes returns the next n bytes; nil if fewer bytes are left. The slice is valid until the next call.
func (r *indexReader) bytes(n int64) []byte {
	if r.failed || n < 0 || n > r.left {
		r.failed = true
		return nil
	}
	r.buf = slices.Grow(r.buf[:0], int(n))[:n]
	if _, err := io.ReadFull(r.r, r.buf); err != nil {
		r.failed = true
		return nil
	}
	r.left -= n
	return r.buf
}

func (r *indexReader) number() uint64 {
	b := r.bytes(8)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

func (r *indexReader) flag() bool {
	b := r.bytes(1)
	return b != nil && b[0] != 0
}

func (r *indexReader) text() string { return string(r.bytes(int64(r.number()))) }
