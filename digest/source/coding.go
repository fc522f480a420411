package source

import (
	"bufio"
	"compress/flate"
	"fmt"
	"io"
	"net/http/httputil"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// codingsOf returns the codings that a field names, in lower case, in the order
// in which they are taken off: the last one that was applied first.
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

type opener = func() (io.ReadCloser, error)

// decoded returns an opener of what open opens, with codings taken off in order.
func decoded(open opener, codings []string) opener {
	for _, name := range codings {
		inner := open
		open = func() (io.ReadCloser, error) {
			return wrap(inner, func(r io.Reader) (io.Reader, error) { return decoder(name, r) })
		}
	}
	return open
}

// decoder returns a reader that takes one coding off.
func decoder(name string, r io.Reader) (io.Reader, error) {
	switch name {
	case "gzip", "x-gzip":
		return gzip.NewReader(r)
	case "deflate":
		return inflater(r)
	case "br":
		return brotli.NewReader(r), nil
	case "zstd":
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxWindow))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return nil, fmt.Errorf("the coding %.40q is not known", name)
}

// inflater undoes deflate, which some servers send with the header of zlib, as
// is right, and some without.
func inflater(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	first, _ := b.Peek(2)
	if len(first) == 2 && first[0]&15 == 8 && (int(first[0])<<8|int(first[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}

func joinChunks(r io.Reader) (io.Reader, error) { return httputil.NewChunkedReader(r), nil }

// wrap opens with open and puts what over returns above that. Closing closes both.
func wrap(open opener, over func(io.Reader) (io.Reader, error)) (io.ReadCloser, error) {
	inner, err := open()
	if err != nil {
		return nil, err
	}
	r, err := over(inner)
	if err != nil {
		inner.Close()
		return nil, err
	}
	return &wrapped{r, inner}, nil
}

type wrapped struct {
	io.Reader
	inner io.Closer
}

func (w *wrapped) Close() error {
	if c, ok := w.Reader.(io.Closer); ok {
		c.Close()
	}
	return w.inner.Close()
}
