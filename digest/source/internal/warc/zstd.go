package warc

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/webcap-tools/webcap/digest/source/internal/body"
)

// dictMagic is the start of the first frame of a file if this frame contains the dictionary of all other frames.
const dictMagic = "\x5d\x2a\x4d\x18"

var errFrame = errors.New("not a frame of Zstandard")

// dictionary returns the dictionary in the first frame of a file, after its magic number; nil if the frame is cut off.
func dictionary(r io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, nil
	}
	dict, err := io.ReadAll(io.LimitReader(r, min(int64(binary.LittleEndian.Uint32(size[:])), maxDict)))
	if err != nil {
		return nil, err
	}
	if len(dict) < 4 || string(dict[:4]) != magics[zstdFrames] {
		return dict, nil
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDict))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(dict, nil)
}

func newZstd(dict []byte) (*zstd.Decoder, error) {
	options := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(body.MaxWindow)}
	if dict != nil {
		options = append(options, zstd.WithDecoderDicts(dict))
	}
	return zstd.NewReader(nil, options...)
}

// skipFrames skips skippable frames (RFC 8878, 3.1.2). The error is io.EOF if the data end, even within a frame.
func skipFrames(r *bufio.Reader) error {
	for {
		b, err := r.Peek(8)
		if len(b) < 8 {
			return err
		}
		if magic := binary.LittleEndian.Uint32(b); magic&^15 != 0x184d2a50 {
			return nil
		}
		size := int64(binary.LittleEndian.Uint32(b[4:]))
		if _, err := io.CopyN(io.Discard, r, 8+size); err != nil {
			return err
		}
	}
}

// frame reads the bytes of one frame. It is necessary because a decoder would continue with the next frame.
type frame struct {
	in    *bufio.Reader
	left  int64 // remaining bytes of the current header, block, or checksum
	begun bool
	last  bool // there are no more blocks
	sum   bool // a checksum follows the last block
}

func (f *frame) Read(p []byte) (int, error) {
	for f.left == 0 {
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	n, err := f.in.Read(p[:min(int64(len(p)), f.left)])
	f.left -= int64(n)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// whole reports whether the whole frame was read.
func (f *frame) whole() bool { return f.last && f.left == 0 && !f.sum }

// next finds the length of the next header, block, or checksum.
func (f *frame) next() error {
	switch {
	case !f.begun:
		b, _ := f.in.Peek(zstd.HeaderMaxSize)
		var h zstd.Header
		if err := h.Decode(b); err != nil {
			return err
		}
		if h.Skippable || h.HeaderSize == 0 {
			return errFrame
		}
		f.begun, f.sum, f.left = true, h.HasCheckSum, int64(h.HeaderSize)
	case !f.last:
		b, err := f.in.Peek(3)
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		v := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
		f.last = v&1 != 0
		f.left = 3 + int64(v>>3)
		if v>>1&3 == 1 { // one byte, repeated
			f.left = 4
		}
	case f.sum:
		f.sum, f.left = false, 4
	default:
		return io.EOF
	}
	return nil
}
