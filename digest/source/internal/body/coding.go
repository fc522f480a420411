package body

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
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

// codingError describes a problem of data in a coding.
type codingError string

func (e codingError) Error() string { return string(e) }

// explain describes the problem of data in a coding in words, given the error of its decoder.
func explain(err error) string {
	if own, ok := errors.AsType[codingError](err); ok {
		return string(own)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return "the data end early"
	}
	return "the data cannot be decoded"
}

// HeadSize is the number of bytes by which codings are recognized.
const HeadSize = 512

// sent returns a reader of the data as they were sent, and the codings that the decoded data do not have. The reader
// is in if the data are stored as they were sent.
func (p *pass) sent(in *bufio.Reader) (io.Reader, []string) {
	codings := p.body.Codings
	declared := len(codings) > 0 && codings[0] == chunked
	if declared {
		codings = codings[1:]
	}
	head, _ := in.Peek(HeadSize)
	switch {
	case inFirstChunk(head) != nil || declared && isLastChunk(head):
		p.chunked = true
		if !declared {
			p.note("the body is in chunks, which its header does not declare")
		}
		return p.layer(chunked, in), codings
	case declared:
		p.noteCoding(chunked, errShown)
	}
	return in, codings
}

// decoded returns a reader of the data without codings. Codings are removed as the data show them, because servers
// and programs declare codings that the data do not have, and omit others. The reader is in if there are no codings.
//
// Brotli and deflate without a zlib header have no signature. They are removed only if they are declared, and the
// type of the data is unknown.
func (p *pass) decoded(in *bufio.Reader, codings []string) *bufio.Reader {
	for removed := 0; ; {
		head, _ := in.Peek(HeadSize)
		shown, name := recognize(head), ""
		if len(codings) > 0 {
			name = strings.Trim(codings[0], `"'`)
			if name != codings[0] {
				p.noteCoding(codings[0], errQuoted)
			}
		}
		switch {
		case shown == "" && name == "":
			return in
		case removed == maxCodings:
			p.note(fmt.Sprintf("the body has more than %d codings", maxCodings))
			return in
		case shown != "" && shown == strings.TrimPrefix(name, "x-"):
			codings = codings[1:]
		case shown != "":
			p.note("the data are in the coding " + shown + ", which is not the next one in the header")
		case name == "br" && http.DetectContentType(head) == unknownType:
			shown, codings = name, codings[1:]
		case name == "deflate" && http.DetectContentType(head) == unknownType:
			p.noteCoding(name, errOther)
			shown, codings = rawDeflate, codings[1:]
		default:
			p.noteCoding(codings[0], errShown)
			codings = codings[1:]
			continue
		}
		removed++
		in = bufio.NewReader(p.layer(shown, in))
	}
}

// layer returns a reader that removes a coding.
func (p *pass) layer(name string, in *bufio.Reader) io.Reader {
	l := &layer{p: p, name: name, in: in}
	p.layers = append(p.layers, l)
	return l
}

// note records a doubt about the codings, unless there was one before.
func (p *pass) note(doubt string) { p.flaw = cmp.Or(p.flaw, doubt) }

// noteCoding records a problem of data in a coding.
func (p *pass) noteCoding(coding string, err error) {
	coding = strings.ToValidUTF8(coding[:min(len(coding), 40)], "?") // it comes from a file
	p.note("the body does not match the coding " + coding + " in its header: " + explain(err))
}

// layer removes one coding. It always ends with io.EOF. If the data are damaged, or end too early or too late, it
// records a doubt.
type layer struct {
	p    *pass
	name string
	in   *bufio.Reader
	out  io.Reader // nil before the first read
	done bool
}

func (l *layer) Read(b []byte) (n int, err error) {
	if l.done || l.p.failed != nil {
		return 0, io.EOF
	}
	if l.out == nil {
		out, err := l.begin()
		if err != nil { // out may now be an interface with a nil pointer
			return 0, l.end(err)
		}
		l.out = out
	}
	n, err = l.out.Read(b)
	if failed := l.p.spend(int64(n)); failed != nil {
		l.p.failed, l.done = failed, true
		return n, io.EOF
	}
	if err != nil {
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
		l.p.noteCoding(l.name, err)
	}
	return io.EOF
}

var (
	errTrailing = codingError("extra bytes follow the data")
	errQuoted   = codingError("the name is in quotation marks")
	errShown    = codingError("the data are not in this coding")
	errOther    = codingError("the data are in another coding")
)

// begin returns a reader that removes the coding.
func (l *layer) begin() (io.Reader, error) {
	switch l.name {
	case "gzip":
		return gzip.NewReader(l.in)
	case "deflate":
		return zlib.NewReader(l.in)
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
	}
	return &chunkReader{in: l.in, note: func(err error) { l.p.noteCoding(l.name, err) }}, nil
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

// rawDeflate is deflate without a zlib header, which servers send under the name deflate.
const rawDeflate = "raw deflate"

// recognize returns the coding that the first bytes of data show; empty if none is recognized.
func recognize(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b\x08")):
		return "gzip"
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return "zstd"
	case IsZlib(head):
		return "deflate"
	case inFirstChunk(head) != nil:
		return chunked
	}
	return ""
}

// IsZlib reports whether data begin with a usual zlib header.
func IsZlib(head []byte) bool {
	return len(head) > 1 && head[0] == 0x78 && strings.IndexByte("\x01\x5e\x9c\xda", head[1]) >= 0
}
