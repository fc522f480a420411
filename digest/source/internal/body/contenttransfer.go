package body

import (
	"bufio"
	"encoding/base64"
	"io"
	"mime/quotedprintable"
	"strings"

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
	return textCoding{base64.NewDecoder(base64.RawStdEncoding, &digitReader{Reader: r}), "base64"}
}

var (
	errPadding = codingError("the padding at the end is missing")
	errPadded  = codingError("extra characters follow the padding")
)

// digitReader reads text in base64 without blanks and padding. At the end, it returns errPadding if the padding is not
// complete, because the text may be cut off.
type digitReader struct {
	io.Reader
	digits int // number of digits so far, including padding
	padded bool
}

func (d *digitReader) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	text := p[:0]
	for _, c := range p[:n] {
		switch {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			continue
		case c == '=':
			d.padded = true
		case d.padded:
			return len(text), errPadded
		default:
			text = append(text, c)
		}
		d.digits++
	}
	if err == io.EOF && d.digits%4 != 0 {
		err = errPadding
	}
	return len(text), err
}

// FromQuotedPrintable decodes quoted-printable from r. The decoder accepts invalid text, so the result is never
// certain.
func FromQuotedPrintable(r io.Reader) io.Reader {
	return textCoding{quotedprintable.NewReader(bufio.NewReaderSize(r, quotedLine)), "quoted-printable"}
}
