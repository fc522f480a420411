package body

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

// codingsOf returns the codings in the value of a field, in lower case, in the order of removal: the coding that was
// applied last comes first.
func codingsOf(value string) []string {
	var list []string
	for _, name := range strings.Split(strings.ToLower(value), ",") {
		if name = strings.TrimSpace(name); name != "" && name != "identity" {
			list = append(list, name)
		}
	}
	slices.Reverse(list)
	return list
}

// UnknownCoding returns a content coding of the response that this package does not decode; empty if there is none.
func (h *Header) UnknownCoding() string {
	for _, name := range codingsOf(h.List("Content-Encoding")) {
		switch strings.Trim(name, `"'`) {
		case "gzip", "x-gzip", "deflate", "br", "zstd":
		default:
			return name
		}
	}
	return ""
}

type Opener = func() (io.ReadCloser, error)

// decoded returns an opener that removes codings, in this order, from the data of open. If the data are not in one of
// the codings, they end in a *Flaw at the point of failure.
func decoded(open Opener, codings []string) Opener {
	return func() (io.ReadCloser, error) {
		stored, err := open()
		if err != nil {
			return nil, err
		}
		d := &decodedBody{stored: stored}
		d.Reader = storedReader{d}
		for _, name := range codings {
			d.layers = append(d.layers, &layer{d: d, name: name, in: bufio.NewReader(d.Reader)})
			d.Reader = d.layers[len(d.layers)-1]
		}
		return d, nil
	}
}

// decodedBody is a body from which codings are removed.
type decodedBody struct {
	io.Reader // reader of the decoded data
	stored    io.ReadCloser
	layers    []*layer
	failed    error         // error of reading the stored data
	damaged   *capture.Flaw // flaw of the stored data
	flaw      *capture.Flaw // first flaw in the codings
}

func (d *decodedBody) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if err == nil {
		return n, nil
	}
	if d.flaw != nil && d.damaged == nil && d.failed == nil {
		// Read the rest: if the stored data are damaged, this is the better explanation.
		_, err = io.Copy(io.Discard, storedReader{d})
	}
	switch {
	case d.failed != nil:
		err = d.failed
	case d.damaged != nil:
		err = d.damaged
	case d.flaw != nil:
		err = d.flaw
	}
	return n, err
}

func (d *decodedBody) Close() error {
	for _, l := range d.layers {
		if c, ok := l.out.(io.Closer); ok {
			c.Close()
		}
	}
	return d.stored.Close()
}

// note records a flaw in a coding, unless there was one before.
func (d *decodedBody) note(coding string, err error) {
	if d.flaw == nil {
		d.flaw = &capture.Flaw{Reason: "the body does not match the coding " + quoteCoding(coding) + " in its header: " +
			explain(err)}
	}
}

// codingError describes a problem of data in a coding.
type codingError string

func (e codingError) Error() string { return string(e) }

// explain describes the problem of data in a coding in words, given the error of its decoder.
func explain(err error) string {
	own, isOwn := errors.AsType[codingError](err)
	is := func(list ...error) bool {
		return slices.ContainsFunc(list, func(e error) bool { return errors.Is(err, e) })
	}
	switch {
	case isOwn:
		return string(own)
	case is(io.ErrUnexpectedEOF):
		return "the data end early"
	case is(gzip.ErrHeader, zlib.ErrHeader, zstd.ErrMagicMismatch):
		return "the first bytes are wrong"
	case is(zlib.ErrDictionary):
		return "the data need a dictionary"
	case is(gzip.ErrChecksum, zlib.ErrChecksum, zstd.ErrCRCMismatch):
		return "the checksum is wrong"
	case is(zstd.ErrWindowSizeExceeded, zstd.ErrDecoderSizeExceeded):
		return fmt.Sprintf("decoding needs more than %d bytes of memory", MaxWindow)
	}
	return "the data cannot be decoded"
}

// quoteCoding returns the name of a coding, which comes from a file, in printable form.
func quoteCoding(name string) string {
	const most = 40
	return strings.ToValidUTF8(name[:min(len(name), most)], "?")
}

// storedReader reads the stored data, and records why they end.
type storedReader struct{ d *decodedBody }

func (r storedReader) Read(p []byte) (int, error) {
	n, err := r.d.stored.Read(p)
	if flaw, ok := errors.AsType[*capture.Flaw](err); ok {
		r.d.damaged, err = flaw, io.EOF
	} else if err != io.EOF {
		r.d.failed = cmp.Or(r.d.failed, err)
	}
	return n, err
}

// layer removes one coding. It always ends with io.EOF. If the data are damaged, or end too early or too late, it
// records a flaw.
type layer struct {
	d    *decodedBody
	name string
	in   *bufio.Reader
	out  io.Reader // nil before the first read
	done bool
}

func (l *layer) Read(p []byte) (n int, err error) {
	if l.done {
		return 0, io.EOF
	}
	if l.out == nil {
		out, err := l.begin()
		if err != nil { // out may now be an interface with a nil pointer
			return 0, l.end(err)
		}
		l.out = out
	}
	if n, err = l.out.Read(p); err != nil {
		err = l.end(err)
	}
	return n, err
}

// end records the reason for the end of the layer, and returns io.EOF.
func (l *layer) end(err error) error {
	l.done = true
	if l.out != nil && errors.Is(err, gzip.ErrHeader) { // the data after the last member are not a member
		err = errTrailing
	}
	if err == io.EOF {
		if _, more := l.in.Peek(1); more == nil {
			err = errTrailing
		}
	}
	if err != io.EOF {
		l.d.note(l.name, err)
	}
	return io.EOF
}

var (
	errTrailing = codingError("extra bytes follow the data")
	errQuoted   = codingError("the name is in quotation marks")
	errCoding   = codingError("unknown coding")
	errOther    = codingError("the data are in another coding")
)

// begin returns a reader that removes the coding.
func (l *layer) begin() (io.Reader, error) {
	name := strings.Trim(l.name, `"'`)
	if name != l.name {
		l.d.note(l.name, errQuoted)
	}
	if _, err := l.in.Peek(1); err != nil {
		return nil, io.ErrUnexpectedEOF // empty data are invalid, even if a decoder accepts them
	}
	switch name {
	case "gzip", "x-gzip", "deflate":
		return l.inflater(name)
	case rawDeflate:
		return flate.NewReader(l.in), nil
	case "br":
		return brotliReader{brotli.NewReader(l.in)}, nil
	case "zstd":
		z, err := zstd.NewReader(l.in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxWindow))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	case chunked:
		return &chunkReader{in: l.in, note: func(err error) { l.d.note(l.name, err) }}, nil
	}
	return nil, errCoding
}

// brotliReader reads Brotli. It returns errTrailing if bytes follow the data. The library reads ahead, so only the
// library can detect this, and it does not export its error.
type brotliReader struct{ *brotli.Reader }

func (r brotliReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err.Error() == "brotli: excessive input" {
		err = errTrailing
	}
	return n, err
}

// inflater returns a decoder of gzip or deflate. It does not trust the name, because servers send each of them under
// the name of the other. Deflate data may have a zlib header, which is correct, or none.
func (l *layer) inflater(name string) (r io.Reader, err error) {
	first, err := l.in.Peek(2)
	if err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	really := "gzip"
	switch {
	case string(first) == "\x1f\x8b":
		r, err = gzip.NewReader(l.in)
	case first[0]&15 == 8 && (int(first[0])<<8|int(first[1]))%31 == 0:
		really = "deflate"
		r, err = zlib.NewReader(l.in)
	case name == "deflate":
		really = "raw"
		r = flate.NewReader(l.in)
	default:
		err = gzip.ErrHeader
	}
	if err == nil && really != strings.TrimPrefix(name, "x-") {
		l.d.note(name, errOther)
	}
	return r, err
}

// Wrap calls open and returns the reader that over makes from the result. Closing the reader closes both.
func Wrap(open Opener, over func(io.Reader) (io.Reader, error)) (io.ReadCloser, error) {
	inner, err := open()
	if err != nil {
		return nil, err
	}
	r, err := over(inner)
	if err != nil {
		inner.Close()
		return nil, err
	}
	return &wrappedReader{r, inner}, nil
}

type wrappedReader struct {
	io.Reader
	inner io.Closer
}

func (w *wrappedReader) Close() error {
	if c, ok := w.Reader.(io.Closer); ok {
		c.Close()
	}
	return w.inner.Close()
}
