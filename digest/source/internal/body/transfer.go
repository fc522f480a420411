package body

import (
	"bufio"
	"encoding/base64"
	"errors"
	"io"
	"mime/quotedprintable"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
)

// textCoding reads a body that a program has put into text (RFC 2045, 6.7 and 6.8). What is not in the coding
// ends it in a *Flaw: at once, or, where the decoder takes it for itself, at the end.
type textCoding struct {
	io.Reader
	name string
}

func (c textCoding) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err != nil && err != io.EOF && localfile.PathError(err) == nil {
		err = &capture.Flaw{Reason: "it is not in the coding " + c.name + " that it is said to be in: " + err.Error()}
	}
	return n, err
}

// FromBase64 returns what is in base64 in r.
func FromBase64(r io.Reader) io.Reader {
	return textCoding{base64.NewDecoder(base64.StdEncoding, r), "base64"}
}

// FromQuotedPrintable returns what is in quoted-printable in r.
func FromQuotedPrintable(r io.Reader) io.Reader {
	// Lines may be longer than they should be.
	in := bufio.NewReaderSize(&escapeChecker{Reader: r}, maxQuotedLine)
	return textCoding{quotedprintable.NewReader(in), "quoted-printable"}
}

// escapeChecker reads text in quoted-printable, and ends in errEscape if there is a "=" that no
// octet in hexadecimal and no end of a line follows: the decoder takes that for itself.
type escapeChecker struct {
	io.Reader
	after int // how many octets of an escape were read
	bad   bool
}

var errEscape = errors.New("an escape that is not one")

func (c *escapeChecker) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	for _, b := range p[:n] {
		c.next(b)
	}
	if err == io.EOF && c.bad {
		err = errEscape
	}
	return n, err
}

// next looks at an octet.
func (c *escapeChecker) next(b byte) {
	hex := b-'0' < 10 || b|0x20-'a' < 6
	switch {
	case c.after == 0 && b == '=':
		c.after = 1
	case c.after == 0:
	case hex:
		c.after = (c.after + 1) % 3
	default: // blanks may stand before the end of the line
		c.bad = c.bad || c.after == 2 || b != ' ' && b != '\t' && b != '\r' && b != '\n'
		c.after = 0
	}
}
