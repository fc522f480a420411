package warc

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/webcap-tools/webcap/digest/source/internal/body"
)

// dictMagic is the start of the first frame of a file if this frame contains the dictionary of all other frames.
const dictMagic = "\x5d\x2a\x4d\x18"

var errDict = errors.New("the dictionary of the zstd file is damaged, or too large")

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
	if dict, err = d.DecodeAll(dict, nil); err != nil {
		return nil, errDict
	}
	return dict, nil
}

func newZstd(dict []byte) (*zstd.Decoder, error) {
	options := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(body.MaxWindow)}
	if dict != nil {
		options = append(options, zstd.WithDecoderDicts(dict))
	}
	d, err := zstd.NewReader(nil, options...)
	if err != nil {
		return nil, errDict
	}
	return d, nil
}
