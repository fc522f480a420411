package archive

import (
	"bufio"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// codec is a compression format for a single file.
type codec struct {
	name   string
	magics []string
	ends   map[string]string // name extensions of compressed files, and the extensions of their content
	open   func(io.Reader) (io.ReadCloser, error)
}

const (
	zstdMagic = "\x28\xb5\x2f\xfd"

	// zstdDict begins a frame with a dictionary for the other frames. Only WARC files have such a frame.
	zstdDict = "\x5d\x2a\x4d\x18"
)

// codecs are the codecs that webcap reads.
var codecs = []*codec{
	{"gzip", []string{"\x1f\x8b\x08"}, map[string]string{".gz": "", ".tgz": ".tar"}, openGzip},
	{"zstd", []string{zstdMagic, zstdDict}, map[string]string{".zst": "", ".tzst": ".tar"}, openZstd},
}

func openGzip(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }

func openZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// codecOf returns the codec of a file with these first bytes, or nil.
func codecOf(start []byte) *codec {
	for _, c := range codecs {
		for _, magic := range c.magics {
			if hasPrefix(start, magic) {
				return c
			}
		}
	}
	return nil
}

// kindOfDecoded returns the kind of a compressed file. A compressed tar or WARC file has the kind of its content;
// most other files are compressed. whole is the file, of which the end may be missing.
func kindOfDecoded(start []byte, name string, whole io.Reader) Kind {
	inner := innerName(name)
	switch {
	case hasPrefix(start, zstdDict):
		return warc
	case isPDFName(inner):
		return compressed
	}
	b, err := decodedStart(whole)
	if codecOf(b) != nil { // the content is compressed again, perhaps without end
		return compressed
	}
	switch k := kindOfStart(b, inner, nil); {
	case k == tarred, k == warc:
		return k
	case k != Other, err != nil: // reading the file reports why it cannot be decompressed
		return compressed
	}
	return Other
}

// decodedStart returns the first bytes of the decompressed data of r.
func decodedStart(r io.Reader) ([]byte, error) {
	in, err := decoder(r)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, startSize))
}

// decoder returns the decompressed data of r; the data of r if they are not compressed. The first bytes decide.
func decoder(r io.Reader) (io.ReadCloser, error) {
	const magicSize = 4
	in := bufio.NewReaderSize(r, 64<<10)
	start, err := in.Peek(magicSize)
	if err != nil && err != io.EOF {
		return nil, err
	}
	c := codecOf(start)
	if c == nil {
		return io.NopCloser(in), nil
	}
	d, err := c.open(in)
	if err != nil {
		return nil, c.damage(err)
	}
	return &decodedReader{d, c}, nil
}

// decodedReader names the codec in its errors.
type decodedReader struct {
	io.ReadCloser
	codec *codec
}

func (d *decodedReader) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = d.codec.damage(err)
	}
	return n, err
}

func (c *codec) damage(err error) error { return damaged(c.name+" data", err) }

// innerName returns the name of the file that is compressed in a file with this name.
func innerName(name string) string {
	name = name[strings.LastIndex(name, Separator)+1:]
	name = path.Base(strings.ReplaceAll(name, "\\", "/"))
	end := path.Ext(name)
	for _, c := range codecs {
		if inner, ok := c.ends[strings.ToLower(end)]; ok && len(name) > len(end) {
			return name[:len(name)-len(end)] + inner
		}
	}
	return name
}

// compressed yields the file in a compressed file.
func (w *walk) compressed(at *place, r io.ReaderAt, size int64) error {
	in, err := decoder(io.NewSectionReader(r, 0, size))
	if err != nil {
		return err
	}
	defer in.Close()
	buf := lookAheads.Get().(*bufio.Reader)
	defer lookAheads.Put(buf)
	buf.Reset(w.bounded(at, in, size))
	err = w.streamed(at, buf, entry{name: innerName(at.name), size: -1, stored: size})
	if len(at.names) > 0 { // a member was yielded, and its record has the error
		return nil
	}
	return err
}
