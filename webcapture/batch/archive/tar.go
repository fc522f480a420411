package archive

import (
	"archive/tar"
	"bufio"
	"bytes"
	"io"
	"sync"

	"github.com/webcap-tools/webcap/webcapture/report"
)

const tarBlock = 512

// isTar reports whether start begins with a tar header.
func isTar(start []byte) bool { return len(start) >= tarBlock && string(start[257:262]) == "ustar" }

// tar yields the members of a tar file.
func (w *walk) tar(at *place, r io.ReaderAt, size int64) error {
	in, err := decoder(io.NewSectionReader(r, 0, size))
	if err != nil {
		return err
	}
	defer in.Close()
	end := &zeroCounter{Reader: w.bounded(at, in, size)}
	files := tar.NewReader(end)
	passed := int64(0) // total size of the entries so far
	buf := lookAheads.Get().(*bufio.Reader)
	defer lookAheads.Put(buf)
	for !w.ended {
		h, err := files.Next()
		if err == io.EOF {
			return end.tarEnd()
		}
		if err != nil {
			return err
		}
		switch h.Typeflag {
		case tar.TypeDir, tar.TypeXGlobalHeader:
		case tar.TypeLink:
			w.other(at, h.Name, HardLink)
		case tar.TypeSymlink:
			w.other(at, h.Name, InnerLink)
		case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
			w.other(at, h.Name, NotPDF)
		default:
			passed += h.Size
			stored := int64(float64(size) * float64(h.Size) / float64(max(passed, 1)))
			buf.Reset(files)
			if err := w.streamed(at, buf, entry{name: h.Name, size: h.Size, stored: min(h.Size, stored)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// zeroCounter counts the zeros at the end of the data read so far.
type zeroCounter struct {
	io.Reader
	zeros int64
}

func (z *zeroCounter) Read(p []byte) (int, error) {
	n, err := z.Reader.Read(p)
	zeros := n - len(bytes.TrimRight(p[:n], "\x00"))
	if zeros < n {
		z.zeros = 0
	}
	z.zeros += int64(zeros)
	return n, err
}

var (
	errNoTarEnd = &report.SkippedError{
		Reason: "the tar file has no end marker: it may be cut off, and members may be missing"}
	errAfterTar = &report.SkippedError{Reason: "other data follow the end of the tar file"}
)

// tarEnd returns the error of a tar file that ends without the zeros of an end marker, or before other data, such as
// another tar file. Package tar does not report that.
func (z *zeroCounter) tarEnd() error {
	marker := z.zeros
	rest, err := io.Copy(io.Discard, z)
	switch {
	case err != nil:
		return err
	case marker < tarBlock:
		return errNoTarEnd
	case z.zeros != marker+rest:
		return errAfterTar
	}
	return nil
}

// lookAhead is the number of bytes read to detect the kind of a compressed entry in a stream: more than a block of zstd.
const lookAhead = 256 << 10

// lookAheads holds unused buffers for the first bytes of entries.
var lookAheads = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, lookAhead) }}

// streamed yields the entry in a stream after it has detected its kind. The error is that of the stream.
func (w *walk) streamed(at *place, in *bufio.Reader, e entry) (err error) {
	if e.kind, err = kindOfStream(in, e.name); err != nil {
		return err
	}
	if e.kind == Other {
		w.other(at, e.name, NotPDF)
		return nil
	}
	e.read = func() (*Data, error) { return dataOf(in) }
	return w.file(at, e)
}
