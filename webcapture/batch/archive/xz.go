package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
	"slices"

	"github.com/ulikunitz/xz/lzma"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// xzReader reads an xz file (The .xz File Format, version 1.2.1): streams, each with blocks and an index. Package
// xz allocates any dictionary that a block requests, up to 4 GiB; xzReader limits the size for each block.
type xzReader struct {
	in     *bufio.Reader
	passed int64            // bytes read so far of the data of the block, or of the index; they decide the padding
	newSum func() hash.Hash // check of the blocks of the stream
	blocks uint64           // number of blocks of the stream so far
	data   io.Reader        // data of the block; nil between blocks
	sum    hash.Hash        // check of data
	err    error            // error that Read has returned
}

var (
	errXZ       = errors.New("the xz data are damaged")
	errXZFilter = &report.SkippedError{Reason: "the xz data have a filter that webcap cannot read"}
	errXZMemory = &report.SkippedError{
		Reason: fmt.Sprintf("the xz data need a dictionary of more than %d bytes", maxWindow)}
)

func openXZ(r io.Reader) (io.ReadCloser, error) {
	x := &xzReader{in: bufio.NewReader(r)}
	return io.NopCloser(x), x.stream()
}

// Read reads the data of all blocks.
func (x *xzReader) Read(p []byte) (n int, err error) {
	for n == 0 && len(p) > 0 && x.err == nil {
		if x.data == nil {
			if x.err = x.block(); x.err != nil {
				break
			}
		}
		n, x.err = x.data.Read(p)
		x.sum.Write(p[:n])
		if x.err == io.EOF {
			x.err = x.endBlock()
		}
	}
	if n > 0 {
		return n, nil
	}
	return 0, x.err
}

// xzSums maps the number of a check in the header of a stream (2.1.1.2) to its hash.
var xzSums = map[byte]func() hash.Hash{
	0:  func() hash.Hash { return noSum{} },
	1:  func() hash.Hash { return crc32.NewIEEE() },
	4:  func() hash.Hash { return crc64.New(crc64.MakeTable(crc64.ECMA)) },
	10: sha256.New,
}

// noSum is the check of blocks without a check.
type noSum struct{ hash.Hash }

func (noSum) Write(p []byte) (int, error) { return len(p), nil }
func (noSum) Sum(b []byte) []byte         { return b }

// stream reads the header of a stream (2.1.1).
func (x *xzReader) stream() error {
	h, err := x.take(12)
	if err != nil {
		return err
	}
	x.newSum, x.blocks = xzSums[h[7]], 0
	if x.newSum == nil || !hasPrefix(h, xzMagic+"\x00") ||
		binary.LittleEndian.Uint32(h[8:]) != crc32.ChecksumIEEE(h[6:8]) {
		return errXZ
	}
	return nil
}

// block reads the header of the next block (3.1), and before it the end of a stream and the header of the next one,
// if any. It returns io.EOF at the end of the file.
func (x *xzReader) block() error {
	size, err := x.take(1)
	for err == nil && size[0] == 0 {
		if err = x.endStream(); err == nil {
			size, err = x.take(1)
		}
	}
	if err != nil {
		return err
	}
	rest, err := x.take(4*int(size[0]) + 3)
	if err != nil {
		return err
	}
	h, sum := append(size, rest[:len(rest)-4]...), rest[len(rest)-4:]
	if binary.LittleEndian.Uint32(sum) != crc32.ChecksumIEEE(h) {
		return errXZ
	}
	dictionary, err := xzDictionary(h)
	if err != nil {
		return err
	}
	x.passed = 0
	if x.data, err = (lzma.Reader2Config{DictCap: dictionary}).NewReader2(xzBytes{x}); err != nil {
		return err
	}
	x.sum = x.newSum()
	x.blocks++
	return nil
}

// xzDictionary returns the size of the dictionary according to the header of a block.
func xzDictionary(header []byte) (int, error) {
	const filterCount, sizes = 3, 0xc0
	flags, r := header[1], bytes.NewReader(header[2:])
	if flags&^(filterCount|sizes) != 0 {
		return 0, errXZ
	}
	for flag := byte(0x40); flag != 0; flag <<= 1 { // skip the optional sizes of the block
		if flags&flag == 0 {
			continue
		}
		if _, err := binary.ReadUvarint(r); err != nil {
			return 0, errXZ
		}
	}
	var filter [3]byte // filter ID, size of the properties, and size of the dictionary
	_, err := io.ReadFull(r, filter[:])
	if flags&filterCount != 0 || filter[0] != 0x21 { // LZMA2
		return 0, errXZFilter
	}
	size, wrong := lzma.DecodeDictCap(filter[2])
	switch {
	case err != nil || wrong != nil || filter[1] != 1:
		return 0, errXZ
	case size > maxWindow:
		return 0, errXZMemory
	}
	return int(size), nil
}

// endBlock reads the padding and the check after the data of a block (3.3).
func (x *xzReader) endBlock() error {
	x.data = nil
	want := x.sum.Sum(nil)
	if len(want) < sha256.Size { // a number; here it is little-endian
		slices.Reverse(want)
	}
	end, err := x.take(xzPadding(x.passed) + len(want))
	if err == nil && !bytes.HasSuffix(end, want) {
		err = errXZ
	}
	return err
}

func xzPadding(size int64) int { return int(-size & 3) }

// endStream reads the rest of the index of a stream after its first byte, the footer, and the header of the next
// stream (4, 2.1.2, 2.2). It returns io.EOF at the end of the file.
func (x *xzReader) endStream() error {
	x.passed = 1
	n, err := binary.ReadUvarint(xzBytes{x})
	if err == nil && n != x.blocks {
		return errXZ
	}
	for i := uint64(0); i < 2*n && err == nil; i++ { // two sizes of each block
		_, err = binary.ReadUvarint(xzBytes{x})
	}
	if err != nil {
		return notEnd(err)
	}
	const footer = 12
	end, err := x.take(xzPadding(x.passed) + crc32.Size + footer)
	if err != nil {
		return err
	}
	if !bytes.HasSuffix(end, []byte("YZ")) {
		return errXZ
	}
	for {
		next, err := x.in.Peek(4)
		if len(next) == 0 || err != nil && err != io.EOF {
			return err
		}
		if len(next) < 4 || !isZero(next) {
			return x.stream()
		}
		x.in.Discard(4)
	}
}

// take returns the next n bytes.
func (x *xzReader) take(n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(x.in, b)
	return b, notEnd(err)
}

// notEnd returns io.ErrUnexpectedEOF for io.EOF, and any other error unchanged.
func notEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// xzBytes counts the bytes of a part of a file.
type xzBytes struct{ *xzReader }

func (b xzBytes) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	b.passed += int64(n)
	return n, err
}

// ReadByte reads one byte.
func (b xzBytes) ReadByte() (byte, error) {
	c, err := b.in.ReadByte()
	if err == nil {
		b.passed++
	}
	return c, err
}
