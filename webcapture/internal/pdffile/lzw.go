package pdffile

import (
	"bufio"
	"fmt"
	"io"
)

// Special codes of LZWDecode, and the number of codes.
const (
	lzwClear = 256
	lzwEnd   = 257
	lzwCodes = 1 << 12
)

// An lzwDecoder decodes LZWDecode (7.4.4). A full table does not change until the data clear it, which the standard
// allows at any time. The reader of golang.org/x/image expects that immediately: it omits the last code, and panics
// some thousand codes later.
type lzwDecoder struct {
	r     *bufio.Reader
	early int // 1 if codes become longer one code earlier than necessary
	bits  uint32
	held  int // of bits
	width int // of a code

	// The value of a code is that of prefix and one more byte, suffix.
	prefix        [lzwCodes]uint16
	suffix, first [lzwCodes]byte
	size          int // number of codes with a value
	last          int // -1 after the table was cleared

	out [lzwCodes]byte // values of codes end at the end of out
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

// next reads a code and returns its value; io.EOF at the end.
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
		return nil, fmt.Errorf("LZW code %d is not defined", code)
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

// add defines a code with the value of the last one and the first byte of the next, which may be the new code
// itself: then it begins like the last one.
func (l *lzwDecoder) add(next int) {
	l.prefix[l.size], l.first[l.size] = uint16(l.last), l.first[l.last]
	l.suffix[l.size] = l.first[next]
	l.size++
}

// code reads a code. Data without an end marker are truncated.
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
