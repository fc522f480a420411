package archive

import (
	"archive/tar"
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// tar yields the members of a tar file.
func (w *walk) tar(at *place, r io.ReaderAt, size int64) error {
	in, err := decoder(io.NewSectionReader(r, 0, size))
	if err != nil {
		return err
	}
	defer in.Close()
	rest := bufio.NewReader(&boundedReader{in, at.allowance(size, &w.passed), errBomb})
	left := at.allowance(size, &w.free)
	for more := true; more && !w.ended; {
		if err = w.tarFiles(at, rest, size, left); err != nil || w.ended {
			return err
		}
		if more, err = nextTar(rest); err != nil {
			return err
		}
	}
	return nil
}

// nextTar skips the zeros after the end marker of a tar file, and reports whether another tar file follows, as in
// concatenated files. The error is that of the stream, or means that other data follow.
func nextTar(in *bufio.Reader) (bool, error) {
	for {
		block, err := in.Peek(tarBlock)
		switch {
		case isZero(block) && err == nil:
			if _, err := in.Discard(tarBlock); err != nil {
				return false, err
			}
		case isZero(block) && err == io.EOF:
			return false, nil
		case err != nil && err != io.EOF:
			return false, err
		case isTar(block):
			return true, nil
		default:
			return false, errAfterTar
		}
	}
}

var errAfterTar = &report.SkippedError{Reason: "other data follow the end of the tar file"}

func isZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

// tarFiles yields the members of one tar file. stored is the stored size of all concatenated tar files. Members
// that are read take their sizes from left.
func (w *walk) tarFiles(at *place, in io.Reader, stored int64, left *allowance) error {
	end := &zeroCounter{Reader: in}
	files := tar.NewReader(end)
	passed := int64(0) // total size of the accepted entries
	buf := lookAheads.Get().(*bufio.Reader)
	defer lookAheads.Put(buf)
	for !w.ended {
		h, err := files.Next()
		if err == io.EOF && end.zeros < tarBlock {
			return errNoTarEnd
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !hasData(h) {
			w.link(at, h)
			continue
		}
		e := entry{name: h.Name, size: h.Size}
		if h.Size <= left.own+*left.free {
			passed += h.Size
			e.stored = min(h.Size, int64(float64(stored)*float64(h.Size)/float64(max(passed, 1))))
		}
		buf.Reset(files)
		e.read = func() (*Data, error) {
			if !left.take(h.Size) {
				return nil, errTooLarge
			}
			return dataOf(buf)
		}
		if err := w.streamed(at, buf, e); err != nil && err != errTooLarge {
			return err
		}
	}
	return nil
}

// errNoTarEnd means that a tar file ends without the zeros of its end marker. archive/tar does not report that.
var errNoTarEnd = &report.SkippedError{Reason: "the tar file has no end marker: it may be cut off, and members may be missing"}

// zeroCounter counts the zeros at the end of the data read so far.
type zeroCounter struct {
	io.Reader
	zeros int
}

func (z *zeroCounter) Read(p []byte) (int, error) {
	n, err := z.Reader.Read(p)
	zeros := n - len(bytes.TrimRight(p[:n], "\x00"))
	if zeros == n {
		zeros += z.zeros
	}
	z.zeros = zeros
	return n, err
}

// lookAhead is the number of bytes read to detect the kind of a compressed entry in a stream. bzip2 decodes whole
// blocks of at most 900,000 bytes, which may be compressed.
const lookAhead = 1 << 20

// lookAheads holds unused buffers for the first bytes of entries.
var lookAheads = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, lookAhead) }}

// streamed yields an entry of a stream after it has detected its kind. The error is that of the stream.
func (w *walk) streamed(at *place, in *bufio.Reader, e entry) (err error) {
	if e.kind, err = kindOfStream(in, e.name); err != nil {
		return err
	}
	if e.kind == Other {
		w.other(at, e.name, OtherThanPDF(e.name))
		return nil
	}
	return w.file(at, e)
}

// hasData reports whether an entry has its own data.
func hasData(h *tar.Header) bool {
	switch h.Typeflag {
	case tar.TypeLink, tar.TypeSymlink, tar.TypeChar, tar.TypeBlock, tar.TypeDir, tar.TypeFifo, tar.TypeXGlobalHeader:
		return false
	}
	return true
}

// link reports an entry without its own data. Folders are not reported.
func (w *walk) link(at *place, h *tar.Header) {
	switch h.Typeflag {
	case tar.TypeDir, tar.TypeXGlobalHeader:
	case tar.TypeLink:
		w.other(at, h.Name, Repeated)
	case tar.TypeSymlink:
		w.other(at, h.Name, InnerLink)
	default:
		w.other(at, h.Name, NotPDF)
	}
}

const (
	tarBlock            = 512
	tarSumAt, tarSumEnd = 148, 156 // position of the checksum in a header
)

// isTar reports whether start begins with a tar header. A header has a magic number, or in the seventh edition of
// Unix only a checksum.
func isTar(start []byte) bool {
	return len(start) >= tarBlock && (string(start[257:262]) == "ustar" || start[0] != 0 && hasTarSum(start))
}

// hasTarSum reports whether a block has a valid tar checksum.
func hasTarSum(start []byte) bool {
	// want is 0 if it is not a number. No sum is 0, because of the spaces.
	want, _ := strconv.ParseInt(strings.Trim(string(start[tarSumAt:tarSumEnd]), " \x00"), 8, 32)
	sum := int64(0)
	for i, c := range start[:tarBlock] {
		if i >= tarSumAt && i < tarSumEnd {
			c = ' '
		}
		sum += int64(c)
	}
	return sum == want
}
