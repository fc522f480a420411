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
		if name = strings.TrimSpace(name); name == "x-gzip" {
			name = "gzip"
		}
		if name != "" && name != "identity" {
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

// removeCodings adds a stage for each coding that the data show, whatever the declared codings are: servers and programs
// declare codings that the data do not have, and omit others. Each difference is a doubt.
func (p *pass) removeCodings(declared []string) {
	var removed []string
	for len(removed) < maxCodings {
		in := p.last().data
		head, _ := in.Peek(headSize)
		name := recognize(head)
		switch {
		case name != "":
		case len(removed) == 0 && chunkLine.Match(head): // chunks are outside of all other codings
			name = chunked
		case slices.Contains(declared, "br") && !slices.Contains(removed, "br") &&
			http.DetectContentType(head) == unknownType: // Brotli has no signature
			name = "br"
		}
		if name == "" {
			break
		}
		removed = append(removed, name)
		p.add(name, in, p.decoder(name, in))
	}
	if !slices.Equal(removed, declared) || len(removed) == maxCodings { // another coding may follow
		p.note(fmt.Sprintf("the header declares the codings %.80q, but the data show %q",
			strings.Join(declared, ", "), strings.Join(removed, ", ")))
	}
}

// note records a doubt about the codings, unless there was one before.
func (p *pass) note(doubt string) { p.flaw = cmp.Or(p.flaw, doubt) }

// recognize returns the coding whose signature is at the beginning of data; empty if there is none.
func recognize(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b\x08")):
		return "gzip"
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return "zstd"
	case IsZlib(head):
		return "deflate"
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
		s.pass.note(invalidData(s.coding))
	}
}

// decoder returns a reader that removes a coding.
func (p *pass) decoder(name string, in *bufio.Reader) (r io.Reader) {
	var err error
	switch name {
	case "gzip":
		r, err = gzip.NewReader(in)
	case "deflate":
		r, err = zlib.NewReader(in)
	case "br":
		r = brotli.NewReader(in)
	case "zstd":
		var z *zstd.Decoder
		if z, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxWindow)); err == nil {
			r = z.IOReadCloser()
		}
	case chunked:
		r = httputil.NewChunkedReader(in)
	}
	if err != nil { // r may be an interface with a nil pointer
		p.note(invalidData(name))
		return bytes.NewReader(nil)
	}
	return r
}

func invalidData(coding string) string {
	return "the data are not valid " + coding + ", are cut off, or have extra bytes"
}
