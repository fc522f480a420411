package body

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"regexp"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// codingsOf returns the codings in the value of a field, in lower case, in the order of removal: the coding that was
// applied last comes first.
func codingsOf(value string) []string {
	var list []string
	for _, name := range strings.Split(strings.ToLower(value), ",") {
		switch name = strings.TrimSpace(name); name {
		case "", "identity":
		case "x-gzip":
			list = append(list, "gzip")
		default:
			list = append(list, name)
		}
	}
	slices.Reverse(list)
	return list
}

// UnknownCoding returns a content coding of the response that this package does not decode; empty if there is none.
func (h *Header) UnknownCoding() string {
	for _, name := range codingsOf(h.List("Content-Encoding")) {
		if !slices.Contains([]string{"gzip", "deflate", "br", "zstd"}, name) {
			return name
		}
	}
	return ""
}

// headSize is the number of bytes by which codings are recognized.
const headSize = 512

// chunked is the chunked transfer coding (RFC 9112, 7.1).
const chunked = "chunked"

// chunkLine matches the line before a chunk. Data that show none are not in chunks, whatever the header says: many
// programs remove chunks, and keep the header.
var chunkLine = regexp.MustCompile(`^[0-9A-Fa-f]{1,16}[ \t]*(;[^\r\n]*)?\r\n`)

// removeCodings adds a stage for each coding of the stored data. Codings are removed as the data show them, because
// servers and programs declare codings that the data do not have, and omit others. Each difference is a doubt.
func (p *pass) removeCodings(declared []string) {
	for {
		in, next := p.last().data, ""
		if len(declared) > 0 {
			next = declared[0]
		}
		shown := p.recognize(in, next)
		switch {
		case shown == "" && next == "":
			return
		case len(p.stages) > maxCodings:
			p.note(fmt.Sprintf("the body has more than %d codings", maxCodings))
			return
		case shown != next:
			p.note(fmt.Sprintf("the data and their header differ in the coding %.40s",
				cmp.Or(strings.ToValidUTF8(next, "?"), shown)))
		}
		if shown == next || shown == "" {
			declared = declared[1:]
		}
		if shown != "" {
			p.add(shown, in, newDecoder(shown, in))
		}
	}
}

// note records a doubt about the codings, unless there was one before.
func (p *pass) note(doubt string) { p.flaw = cmp.Or(p.flaw, doubt) }

// recognize returns the coding that the data show, given the next declared one; empty if none is recognized. Chunks are
// outside of all other codings. Brotli has no signature, so it must be declared, and the type of the data unknown.
func (p *pass) recognize(in *bufio.Reader, declared string) string {
	head, _ := in.Peek(headSize)
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b\x08")):
		return "gzip"
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return "zstd"
	case IsZlib(head):
		return "deflate"
	case len(p.stages) == 1 && chunkLine.Match(head):
		return chunked
	case declared == "br" && http.DetectContentType(head) == unknownType:
		return declared
	}
	return ""
}

// IsZlib reports whether data begin with a usual zlib header.
func IsZlib(head []byte) bool {
	return len(head) > 1 && head[0] == 0x78 && strings.IndexByte("\x01\x5e\x9c\xda", head[1]) >= 0
}

// endCoding records a doubt if the data are damaged, or end too early or too late. err is the error of the decoder.
func (s *stage) endCoding(err error) {
	if err == io.EOF && s.coding == chunked {
		ReadHeader(s.in) // the trailer, whose end many programs omit
	}
	if _, more := s.in.Peek(1); err != io.EOF || more == nil {
		s.pass.note("the data are not valid " + s.coding + ", are cut off, or have extra bytes")
	}
}

// newDecoder returns a reader that removes a coding.
func newDecoder(name string, in *bufio.Reader) io.Reader {
	var decoder io.Reader
	var err error
	switch name {
	case "gzip":
		decoder, err = gzip.NewReader(in)
	case "deflate":
		decoder, err = zlib.NewReader(in)
	case "br":
		decoder = brotli.NewReader(in)
	case "zstd":
		var z *zstd.Decoder
		if z, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxWindow)); err == nil {
			decoder = z.IOReadCloser()
		}
	case chunked:
		decoder = httputil.NewChunkedReader(in)
	}
	if err != nil {
		return invalid{err}
	}
	return decoder
}

// invalid is the decoder of data whose beginning is invalid.
type invalid struct{ err error }

func (r invalid) Read([]byte) (int, error) { return 0, r.err }
