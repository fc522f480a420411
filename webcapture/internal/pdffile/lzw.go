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

// An lzwDecoder decodes LZWDecode (7.4.4). A full table stays unchanged until the data clear it, which may be at
// any time according to the standard. The reader of golang.org/x/image expects the clear code immediately: it omits
// the last code, and panics some thousand codes later.
type lzwDecoder struct {
	r     *bufio.Reader
	early int // 1 if code lengths grow one code early (EarlyChange)
	bits  uint32
	held  int // number of buffered bits
	width int // length of a code in bits

	// The value of a code is the value of prefix, followed by the byte suffix.
	prefix        [lzwCodes]uint16
	suffix, first [lzwCodes]byte
	size          int // number of codes with a value
	last          int // last code; -1 after the table was cleared

	out [lzwCodes]byte // values are built from the end of out backwards
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

// next reads a code and returns its value. It returns io.EOF at the end.
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

// add defines a code: the value of the last code, followed by the first byte of the value of next. If next is the
// new code itself, the two values begin alike.
func (l *lzwDecoder) add(next int) {
	l.prefix[l.size], l.first[l.size] = uint16(l.last), l.first[l.last]
	l.suffix[l.size] = l.first[next]
	l.size++
}

// code reads a code. Data are truncated if they have no end marker.
func (l *lzwDecoder) code() (int, error) {
	for l.held < l.width {
		c, err := l.r.ReadByte()
		if err != nil {
			return 0, unexpected(err)
		}
		l.bits, l.held = l.bits<<8|uint32(c), l.held+8
	}
	l.held -= l.width
	return int(l.bits >> l.held & (1<<l.width - 1)), nil
}
