package pdffile

import (
	"bufio"
	"fmt"
	"io"
)

// Codes of LZWDecode that stand for no bytes, and how many codes there can be.
const (
	lzwClear = 256
	lzwEnd   = 257
	lzwCodes = 1 << 12
)

// An lzwDecoder undoes LZWDecode (7.4.4). A table that is full stays as it is until the
// data clear it, for which the standard sets no time. The reader of golang.org/x/image
// expects that at once: it leaves out the last code, and panics some thousand codes later.
type lzwDecoder struct {
	r     *bufio.Reader
	early int // 1 if codes become longer one code earlier than they have to
	bits  uint32
	held  int // of bits
	width int // of a code

	// A code stands for what prefix stands for, and one byte more: suffix.
	prefix        [lzwCodes]uint16
	suffix, first [lzwCodes]byte
	size          int // codes that stand for something
	last          int // -1 after the table was cleared

	out [lzwCodes]byte // what a code stands for ends where this does
}

func newLZWDecoder(r io.Reader, early int) *lzwDecoder {
	l := &lzwDecoder{r: bufio.NewReader(r), early: early}
	for i := range lzwClear {
		l.suffix[i], l.first[i] = byte(i), byte(i)
	}
	l.clear()
	return l
}

func (l *lzwDecoder) clear() { l.size, l.width, l.last = lzwEnd+1, 9, -1 }

// next reads a code and returns what it stands for; io.EOF at the end.
func (l *lzwDecoder) next() ([]byte, error) {
	code, err := l.code()
	switch {
	case err != nil:
		return nil, err
	case code == lzwClear:
		l.clear()
		return nil, nil
	case code == lzwEnd:
		return nil, io.EOF
	case code > l.size, code == l.size && l.last < 0:
		return nil, fmt.Errorf("LZW code %d stands for nothing", code)
	}
	if l.last >= 0 && l.size < lzwCodes {
		l.add(code)
	}
	l.last = code
	if l.width < 12 && l.size+l.early >= 1<<l.width {
		l.width++
	}
	i := lzwCodes - 1
	for l.out[i] = l.suffix[code]; code > lzwEnd; l.out[i] = l.suffix[code] {
		code = int(l.prefix[code])
		i--
	}
	return l.out[i:], nil
}

// add makes a code of the last one and the first byte of the next, which may be the code
// that is made: then it begins as the last one does.
func (l *lzwDecoder) add(next int) {
	l.prefix[l.size], l.first[l.size] = uint16(l.last), l.first[l.last]
	l.suffix[l.size] = l.first[next]
	l.size++
}

// code reads a code. Data that do not say where they end break off.
func (l *lzwDecoder) code() (int, error) {
	for l.held < l.width {
		c, err := l.r.ReadByte()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, err
		}
		l.bits, l.held = l.bits<<8|uint32(c), l.held+8
	}
	l.held -= l.width
	return int(l.bits >> l.held & (1<<l.width - 1)), nil
}
