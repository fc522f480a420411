package body

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

// HeadSize is the number of bytes at the start of a body that BodiesOf uses to recognize codings.
const HeadSize = 512

// Stored is a body as a source stores it.
type Stored struct {
	Open Opener
	Head []byte // first bytes, up to HeadSize; nil if unknown
	Size int64  // negative if unknown
}

// Part returns the part of the body that begins at an offset and has at most size bytes.
func (s Stored) Part(from, size int64) Stored {
	return Stored{Head: s.Head[min(from, int64(len(s.Head))):min(from+size, int64(len(s.Head)))], Size: size,
		Open: func() (io.ReadCloser, error) {
			return Wrap(s.Open, func(r io.Reader) (io.Reader, error) {
				_, err := io.CopyN(io.Discard, r, from)
				return io.LimitReader(r, size), err
			})
		}}
}

// Undeclared marks each Body in list as Undeclared and not Coded, because its source does not declare this form. It
// adds form to the Form of each Body.
func Undeclared(list []capture.Body, form string) []capture.Body {
	for i := range list {
		list[i].Undeclared = true
		list[i].Coded = false
		if list[i].Form == capture.AsStored {
			list[i].Form = form
		} else {
			list[i].Form = form + ", " + list[i].Form
		}
	}
	return list
}

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

// inFirstChunk returns the data of the first chunk, as far as head has them; nil if head does not begin with a chunk.
func inFirstChunk(head []byte) []byte {
	line, data, ok := bytes.Cut(head, []byte("\n"))
	size, _, _ := bytes.Cut(line, []byte(";"))
	n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 31)
	if !ok || err != nil || n == 0 {
		return nil
	}
	if uint64(len(data)) < n+2 { // the chunk does not end in head
		if !bytes.HasSuffix(line, []byte("\r")) {
			return nil
		}
		return data
	}
	if end := data[n:]; end[0] != '\n' && string(end[:2]) != "\r\n" {
		return nil
	}
	return data[:n]
}

// leastCoded is the minimum size of a body that may be in a coding without a magic number.
const leastCoded = 8

// rawDeflate is the name of deflate without a zlib header, for bodies whose HTTP header does not declare it.
const rawDeflate = "raw deflate"

// undeclared returns forms of a body in which codings are removed that the first bytes show or allow, but the header
// does not declare. Reading a wrong form ends in an error.
func undeclared(s Stored, mediaType string, declared []string) (list []capture.Body) {
	head, seen := s.Head, []string(nil)
	declared = slices.Clone(declared)
	for i := range declared {
		declared[i] = strings.TrimPrefix(declared[i], "x-")
	}
	for name := recognize(head); name != ""; name = recognize(head) {
		seen = append(seen, name)
		if name != chunked || len(seen) == maxCodings {
			head = nil // a nested coding is visible only in the decoded data
			break
		}
		head = inFirstChunk(head)
	}
	add := func(form string, last string) {
		b := capture.NewBody(form, recognized(s.Open, last))
		b.Undeclared = true
		if last != "" {
			b = b.Strict()
		}
		list = append(list, b)
	}
	isType := func(coding string) bool { return strings.Contains(mediaType, coding) } // application/gzip
	if n := len(seen); n > 0 && !slices.Equal(seen, declared[:min(n, len(declared))]) && !isType(seen[0]) {
		add("undeclared codings decoded", "")
		if seen[0] == chunked && len(declared) > 0 {
			b := capture.NewBody("undeclared chunks joined, "+strings.Join(declared, ", ")+" decoded",
				decoded(s.Open, append([]string{chunked}, declared...)))
			b.Undeclared = true
			list = append(list, b)
		}
	}
	outer := slices.DeleteFunc(declared, func(name string) bool { return name == chunked })
	isBrotli := len(outer) > 0 && outer[0] == "br"
	if !isBrotli && len(head) >= leastCoded && http.DetectContentType(head) == "application/octet-stream" {
		add("undeclared br decoded", "br")
		add("undeclared raw deflate decoded", rawDeflate)
	}
	return list
}

var errNotCoded = codingError("no coding is recognized")

// recognized returns an opener that removes from the data of open the codings that are recognized, and then the coding
// last, which cannot be recognized; "" for none. Data in another form end in an error.
func recognized(open Opener, last string) Opener {
	return func() (io.ReadCloser, error) {
		stored, err := open()
		if err != nil {
			return nil, err
		}
		d := &decodedBody{stored: stored}
		d.Reader = storedReader{d}
		for range maxCodings {
			in := bufio.NewReader(d.Reader)
			head, _ := in.Peek(HeadSize)
			name := recognize(head)
			if d.Reader = in; name == "" {
				break
			}
			d.take(name, in)
		}
		if last != "" {
			return lastOff(d, last), nil
		}
		if len(d.layers) == 0 {
			d.Close()
			return nil, errNotCoded
		}
		return d, nil
	}
}

// lastOff removes one more coding from d. It ignores flaws in the codings that were removed before.
func lastOff(d *decodedBody, name string) *decodedBody {
	outer := &decodedBody{stored: WithoutFlaw{d}}
	outer.Reader = storedReader{outer}
	outer.take(name, bufio.NewReader(outer.Reader))
	return outer
}

// WithoutFlaw reads a body and replaces a Flaw at the end by io.EOF, because the data may be a complete file.
type WithoutFlaw struct{ io.ReadCloser }

func (r WithoutFlaw) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if _, ok := errors.AsType[*capture.Flaw](err); ok {
		err = io.EOF
	}
	return n, err
}

// take adds a layer that removes a coding.
func (d *decodedBody) take(name string, in *bufio.Reader) {
	l := &layer{d: d, name: name, in: in}
	d.layers = append(d.layers, l)
	d.Reader = l
}
