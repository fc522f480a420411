package body

import (
	"bufio"
	"encoding/base64"
	"io"
	"mime/quotedprintable"

	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
)

// textCoding decodes a body that is encoded as text (RFC 2045, 6.7 and 6.8). Data that are not in the coding give a
// *Flaw: at the end if the decoder accepts them, otherwise at once.
type textCoding struct {
	io.Reader
	name string
}

func (c textCoding) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err != nil && err != io.EOF && localfile.PathError(err) == nil {
		err = &Flaw{Reason: "the body is not valid " + c.name + ": " + explain(err)}
	}
	return n, err
}

// FromBase64 decodes base64 from r.
func FromBase64(r io.Reader) io.Reader {
	return textCoding{newPaddedReader(r), "base64"}
}

var (
	errPadding = codingError("the padding at the end is missing")
	errPadded  = codingError("extra characters follow the padding")
)

// padder reads text in base64 without blanks, and adds missing padding at its end. It returns errPadded if text follows
// the padding, because the decoder would accept this text if it came with another read.
type padder struct {
	io.Reader
	digits  int    // number of digits so far, including padding
	padded  bool   // the last digit was padding
	padding []byte // still to be read
	ended   bool
	added   bool
}

func (b *padder) Read(p []byte) (int, error) {
	if b.ended {
		n := copy(p, b.padding)
		if b.padding = b.padding[n:]; n == 0 {
			return 0, io.EOF
		}
		return n, nil
	}
	n, err := b.Reader.Read(p)
	text := p[:0]
	for _, c := range p[:n] {
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		case b.padded && c != '=':
			return len(text), errPadded
		}
		text = append(text, c)
		b.padded = c == '='
		b.digits++
	}
	n = len(text)
	if err == io.EOF {
		b.ended, err = true, nil
		if rest := b.digits % 4; rest > 1 {
			b.padding, b.added = []byte("==")[:4-rest], true
		}
	}
	return n, err
}

// paddedReader decodes base64. It returns errPadding at the end if padding was missing.
type paddedReader struct {
	io.Reader
	padder *padder
}

func newPaddedReader(r io.Reader) *paddedReader {
	b := &padder{Reader: r}
	return &paddedReader{base64.NewDecoder(base64.StdEncoding, b), b}
}

func (r *paddedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err == io.EOF && r.padder.added {
		err = errPadding
	}
	return n, err
}

// FromQuotedPrintable decodes quoted-printable from r.
func FromQuotedPrintable(r io.Reader) io.Reader {
	// Lines may be longer than the standard allows.
	in := bufio.NewReaderSize(&escapeChecker{Reader: r}, quotedLine)
	return textCoding{quotedprintable.NewReader(in), "quoted-printable"}
}

// escapeChecker reads text in quoted-printable and checks it, because the decoder accepts invalid text. At the end, it
// returns errEscape if a "=" was not followed by two hexadecimal digits or a line end. It returns errLongLine if a line
// was longer than the coding permits: line ends may be lost, and with them the meaning of a "=".
type escapeChecker struct {
	io.Reader
	after int  // number of octets read of the current escape
	line  int  // number of octets read of the current line
	blank bool // a blank follows the "=" of the current escape
	bad   bool
	long  bool
}

var (
	errEscape   = codingError("an escape is invalid")
	errLongLine = codingError("a line is longer than 76 characters")
)

func (c *escapeChecker) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	for _, b := range p[:n] {
		c.next(b)
	}
	switch {
	case err == io.EOF && (c.bad || c.after == 2):
		err = errEscape
	case err == io.EOF && c.long:
		err = errLongLine
	}
	return n, err
}

// next checks an octet.
func (c *escapeChecker) next(b byte) {
	if c.line++; b == '\r' || b == '\n' {
		c.line = 0
	}
	c.long = c.long || c.line > 76
	hex := b-'0' < 10 || b|0x20-'a' < 6
	switch {
	case c.after == 0 && b == '=':
		c.after = 1
	case c.after == 0:
	case hex && !c.blank:
		c.after = (c.after + 1) % 3
	case c.after == 1 && (b == ' ' || b == '\t'): // blanks may precede the end of the line
		c.blank = true
	default:
		c.bad = c.bad || c.after == 2 || b != '\r' && b != '\n'
		c.after, c.blank = 0, false
	}
}
