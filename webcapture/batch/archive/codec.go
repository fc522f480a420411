package archive

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// codec is a compression format for a single file.
type codec struct {
	name   string
	magics []string
	ends   map[string]string // name extensions of compressed files, and the extensions of their content
	open   func(io.Reader) (io.ReadCloser, error)

	zipMethod uint16 // compression method of entries of zip files (APPNOTE.TXT, 4.4.5); 0 for none
}

const (
	zstdMagic = "\x28\xb5\x2f\xfd"

	// zstdDict begins a frame with a dictionary for the other frames. Only WARC files have such a frame.
	zstdDict = "\x5d\x2a\x4d\x18"
)

// codecs are the codecs that webcap reads.
var codecs = []*codec{
	{"gzip", []string{"\x1f\x8b\x08"}, map[string]string{".gz": "", ".tgz": ".tar"}, openGzip, 0},
	{"zstd", []string{zstdMagic, zstdDict}, map[string]string{".zst": "", ".tzst": ".tar"}, openZstd,
		zstd.ZipMethodWinZip},
	{"bzip2", []string{"BZh"}, map[string]string{".bz2": "", ".tbz2": ".tar", ".tbz": ".tar"}, openBzip2, 12},
	{"xz", []string{xzMagic}, map[string]string{".xz": "", ".txz": ".tar"}, openXZ, 95},
}

func openGzip(r io.Reader) (io.ReadCloser, error) {
	in := bufio.NewReaderSize(r, 64<<10) // r itself if it is such a reader
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &gzipReader{z, in}, nil
}

// gzipReader reads all members of a gzip file. It accepts zeros after the last member, as other programs do.
type gzipReader struct {
	*gzip.Reader
	in *bufio.Reader
}

func (g *gzipReader) Read(p []byte) (int, error) {
	for {
		n, err := g.Reader.Read(p)
		switch {
		case err != io.EOF:
			return n, err
		case n > 0:
			return n, nil
		}
		padded := false
		next, err := g.in.ReadByte()
		for ; err == nil && next == 0; next, err = g.in.ReadByte() {
			padded = true
		}
		switch {
		case err != nil: // usually the end
			return 0, err
		case padded:
			return 0, gzip.ErrHeader
		}
		g.in.UnreadByte()
		if err := g.Reset(g.in); err != nil {
			return 0, err
		}
		g.Multistream(false)
	}
}

func openZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

func openBzip2(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(bzip2.NewReader(r)), nil }

// xzMagic begins a stream of an xz file.
const xzMagic = "\xfd7zXZ\x00"

// magicSize is the number of bytes needed to detect a codec.
const magicSize = 16

// codecOf returns the codec of a file with these first bytes, or nil.
func codecOf(start []byte) *codec {
	for _, c := range codecs {
		for _, magic := range c.magics {
			if hasPrefix(start, magic) && (c.name != "bzip2" || isBzip2(start)) {
				return c
			}
		}
	}
	return nil
}

// isBzip2 reports whether a level and a block follow the three letters with which every bzip2 file begins.
func isBzip2(start []byte) bool {
	const block, end = "\x31\x41\x59\x26\x53\x59", "\x17\x72\x45\x38\x50\x90"
	return len(start) > 4 && start[3] >= '1' && start[3] <= '9' &&
		(hasPrefix(start[4:], block) || hasPrefix(start[4:], end))
}

// kindOfDecoded returns the kind of a compressed file. A compressed tar or WARC file has the kind of its content;
// most other files are compressed.
func kindOfDecoded(start []byte, name string, from func() io.Reader) Kind {
	inner := innerName(name)
	switch {
	case hasPrefix(start, zstdDict):
		return warc
	case isPDFName(inner):
		return compressed
	}
	stored := from()
	b, err := decodedStart(stored)
	if codecOf(b) != nil { // the content is compressed again, perhaps without end
		return compressed
	}
	k := kindOfStart(b, inner, func() io.Reader { return bytes.NewReader(b) })
	short, isShort := stored.(*peekReader)
	switch {
	case k == tarred, k == warc && readsWARC(codecOf(start)):
		return k
	case k != Other:
		return compressed
	case isShort && short.ended:
		return undecided
	case err != nil:
		return compressed // reading the file will report why it cannot be decompressed
	}
	return Other
}

// readsWARC reports whether package source can read WARC files compressed with c.
func readsWARC(c *codec) bool { return c.name == "gzip" || c.name == "zstd" }

// decodedStart returns the first bytes of the decompressed data of r.
func decodedStart(r io.Reader) ([]byte, error) {
	in, err := decoder(r)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, startSize))
	return b, err
}

// decoder returns the decompressed data of r; the data of r if they are not compressed. The first bytes decide.
func decoder(r io.Reader) (io.ReadCloser, error) {
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

// unpack returns a reader of the data of an entry in a zip file that is compressed with c.
func (c *codec) unpack(r io.Reader) io.ReadCloser {
	d, err := c.open(r)
	if err != nil {
		return io.NopCloser(failedReader{c.damage(err)})
	}
	return &decodedReader{d, c}
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

func (c *codec) damage(err error) error {
	if _, ok := errors.AsType[*report.SkippedError](err); ok {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return &damageError{fmt.Sprintf("the %s data are cut off", c.name), io.ErrUnexpectedEOF}
	}
	return &damageError{fmt.Sprintf("the %s data are damaged", c.name), err}
}

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
	err = w.streamed(at, buf, entry{name: innerName(at.name), size: -1, stored: size,
		read: func() (*Data, error) { return dataOf(buf) }})
	if len(at.names) > 0 { // a member was yielded, and its record has the error
		return nil
	}
	return err
}
