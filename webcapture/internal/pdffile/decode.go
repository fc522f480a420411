package pdffile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A pieceReader reads the pieces that next returns. The last piece may come with an error or io.EOF; pieces may be
// empty.
type pieceReader struct {
	next func() ([]byte, error)
	rest []byte // of a piece
	err  error
}

func (r *pieceReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		for len(r.rest) == 0 {
			if r.err != nil {
				return n, r.err
			}
			r.rest, r.err = r.next()
		}
		m := copy(p[n:], r.rest)
		r.rest = r.rest[m:]
		n += m
	}
	return n, nil
}

// An ascii85Data reads the data of ASCII85Decode (7.4.3) before their end mark, or before a byte that is not allowed.
type ascii85Data struct {
	r   io.Reader
	err error // after the data
}

func (a *ascii85Data) Read(p []byte) (int, error) {
	if a.err != nil {
		return 0, a.err
	}
	n, err := a.r.Read(p)
	if i := bytes.IndexFunc(p[:n], func(c rune) bool { return c > 'u' && c != 'z' }); i >= 0 {
		if a.err = io.EOF; p[i] != '~' {
			a.err = fmt.Errorf("byte %#02x is not data", p[i])
		}
		return i, nil
	}
	return n, unexpected(err)
}

// unexpected returns err, or io.ErrUnexpectedEOF for io.EOF.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// A hexReader decodes ASCIIHexDecode (7.4.2).
type hexReader struct {
	r *bufio.Reader
}

func (h *hexReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		high, err := h.digit()
		if err != nil {
			return n, err
		}
		low, err := h.digit()
		if err != nil {
			p[n] = high << 4 // a missing last digit counts as 0
			return n + 1, err
		}
		p[n] = high<<4 | low
		n++
	}
	return n, nil
}

func (h *hexReader) digit() (byte, error) {
	for {
		c, err := h.r.ReadByte()
		switch {
		case err != nil:
			return 0, unexpected(err)
		case c == '>': // the end of the data
			return 0, io.EOF
		case c >= '0' && c <= '9':
			return c - '0', nil
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			return c | 0x20 - 'a' + 10, nil
		case !object.IsSpace(c):
			return 0, fmt.Errorf("byte %#02x is not a hexadecimal digit", c)
		}
	}
}

// A runLength decodes RunLengthDecode (7.4.5).
type runLength struct {
	r   *bufio.Reader
	run [128]byte
}

// next reads a run. It returns io.EOF after the last one.
func (l *runLength) next() ([]byte, error) {
	const end = 128
	length, err := l.r.ReadByte()
	switch {
	case err != nil:
		return nil, unexpected(err)
	case length == end:
		return nil, io.EOF
	case length < end:
		n, err := io.ReadFull(l.r, l.run[:length+1])
		return l.run[:n], unexpected(err)
	}
	c, err := l.r.ReadByte()
	if err != nil {
		return nil, unexpected(err)
	}
	run := l.run[:257-int(length)]
	for i := range run {
		run[i] = c
	}
	return run, nil
}

// A predictor reverses a predictor function, row by row (7.4.4.4).
type predictor struct {
	r          io.Reader
	png        bool
	row, above []byte // without the byte that names the PNG function
	pixel      int    // bytes per pixel
}

// maxRow is the maximum number of samples in a row: two rows are in memory.
const maxRow = 1 << 20

func newPredictor(r io.Reader, parms map[string]int) (io.Reader, error) {
	function, colors := parms["Predictor"], parms["Colors"]
	bits, columns := parms["BitsPerComponent"], parms["Columns"]
	switch {
	case function != 2 && (function < 10 || function > 15):
		return nil, fmt.Errorf("predictor %d is not defined", function)
	case function == 2 && bits != 8:
		return nil, fmt.Errorf("predictor 2 with %d bits is not supported", bits)
	case colors < 1 || columns < 1 || bits < 1 || bits > 16:
		return nil, fmt.Errorf("rows of %d columns, %d colours and %d bits are invalid", columns, colors, bits)
	case int64(colors)*int64(columns) > maxRow:
		return nil, fmt.Errorf("rows of %d × %d samples are longer than webcap accepts", columns, colors)
	}
	row := make([]byte, (colors*columns*bits+7)/8)
	p := &predictor{r: r, png: function != 2, row: row, above: make([]byte, len(row)), pixel: (colors*bits + 7) / 8}
	return &pieceReader{next: p.next}, nil
}

// next reads a row.
func (p *predictor) next() ([]byte, error) {
	p.row, p.above = p.above, p.row
	function := []byte{1}
	if p.png {
		if _, err := io.ReadFull(p.r, function); err != nil {
			return nil, err
		}
	}
	if _, err := io.ReadFull(p.r, p.row); err != nil {
		if p.png {
			err = unexpected(err)
		}
		return nil, err
	}
	if err := p.undo(function[0]); err != nil {
		return nil, err
	}
	return p.row, nil
}

// undo reverses a predictor function, numbered as in PNG. The TIFF predictor is function 1.
func (p *predictor) undo(function byte) error {
	row, above := p.row, p.above
	if function > 4 {
		return errors.New("a row has a predictor that is not defined")
	}
	for i := range row {
		var left, corner int
		if i >= p.pixel {
			left, corner = int(row[i-p.pixel]), int(above[i-p.pixel])
		}
		up := int(above[i])
		switch function {
		case 0:
			return nil
		case 1:
			row[i] += byte(left)
		case 2:
			row[i] += byte(up)
		case 3:
			row[i] += byte((left + up) / 2)
		case 4:
			row[i] += byte(paeth(left, up, corner))
		}
	}
	return nil
}

// paeth returns the neighbor that is nearest to the predicted value (PNG, 9.4).
func paeth(left, up, corner int) int {
	abs := func(n int) int { return max(n, -n) }
	p := left + up - corner
	l, u, c := abs(p-left), abs(p-up), abs(p-corner)
	switch {
	case l <= u && l <= c:
		return left
	case u <= c:
		return up
	}
	return corner
}
