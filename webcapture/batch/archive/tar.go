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

// tar yields what is in a tar file. It is a stream, so what is wanted of it is read at once.
func (w *walk) tar(at place, r io.ReaderAt, size int64) error {
	in, err := decoder(io.NewSectionReader(r, 0, size))
	if err != nil {
		return err
	}
	defer in.Close()
	rest := bufio.NewReader(&boundedReader{in, at.allowance(size, &w.passed)})
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

// nextTar goes past the zeros after the end marker of a tar file, and reports whether another tar file follows, as in
// files that were put together. The error says that something else follows, or is that of the stream.
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

// tarFiles yields what is in one tar file, which is stored in so many bytes with those after it. The members that are
// read take their sizes from left.
func (w *walk) tarFiles(at place, in io.Reader, stored int64, left *allowance) error {
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
		e := streamEntry{name: h.Name, size: h.Size, left: left}
		if left.has(h.Size) {
			passed += h.Size
			e.stored = min(h.Size, int64(float64(stored)*float64(h.Size)/float64(max(passed, 1))))
		}
		buf.Reset(files)
		if err := w.streamed(at, buf, e); err != nil {
			return err
		}
	}
	return nil
}

// errNoTarEnd says that a tar file ends without the zeros of its end marker, where archive/tar sees no error.
var errNoTarEnd = &report.SkippedError{Reason: "the tar file has no end marker: it may be cut off, and members may be missing"}

// zeroCounter counts the zeros at the end of what was read.
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

// lookAheads are buffers for the beginnings of entries.
var lookAheads = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, lookAhead) }}

// streamEntry is an entry that comes in a stream.
type streamEntry struct {
	name   string
	size   int64      // -1 if it is not known
	stored int64      // in about how many bytes it is stored
	left   *allowance // for the entry if its size is known
}

// streamed yields an entry. What the caller wants is read at once. The error is that of the stream.
func (w *walk) streamed(at place, in *bufio.Reader, e streamEntry) error {
	kind, err := kindOfStream(in, e.name)
	if err != nil {
		return err
	}
	if isPDFName(e.name) && (kind == Other || kind == undecided) {
		kind = PDF
	}
	if kind == Other {
		w.other(at, e.name, OtherThanPDF(e.name))
		return nil
	}
	m := at.member(e.name, e.size)
	if !w.wanted(m.Name) {
		m.Close()
		return nil
	}
	if e.size >= 0 && !e.left.take(e.size) {
		m.Err = errTooLarge
		w.give(m)
		return nil
	}
	data, err := dataOf(in, e.size)
	if err != nil {
		m.Err = err
		w.give(m)
		return err
	}
	if !kind.IsArchive() {
		m.read = data
		w.give(m)
		return nil
	}
	if kind.IsPDF() {
		both := at.again(m)
		if both.read, err = dataOf(io.NewSectionReader(data, 0, data.Size()), data.Size()); err != nil {
			both.Err = err
		}
		w.give(both)
	}
	w.nested(at, m, e.stored, func() (File, int64, error) { return data, data.Size(), nil })
	return nil
}

// hasData reports whether an entry has bytes of its own.
func hasData(h *tar.Header) bool {
	switch h.Typeflag {
	case tar.TypeLink, tar.TypeSymlink, tar.TypeChar, tar.TypeBlock, tar.TypeDir, tar.TypeFifo, tar.TypeXGlobalHeader:
		return false
	}
	return true
}

// link counts an entry without data of its own. Folders are not counted.
func (w *walk) link(at place, h *tar.Header) {
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
	tarSumAt, tarSumEnd = 148, 156 // where a header has the sum of its bytes
)

// isTar reports whether a tar header begins here: one that says so, or one of the seventh edition, which has
// only the sum of its bytes.
func isTar(start []byte) bool {
	return len(start) >= tarBlock && (string(start[257:262]) == "ustar" || start[0] != 0 && hasTarSum(start))
}

// hasTarSum reports whether a block has the sum of its bytes where a tar header has it.
func hasTarSum(start []byte) bool {
	want, err := strconv.ParseInt(strings.Trim(string(start[tarSumAt:tarSumEnd]), " \x00"), 8, 32)
	if err != nil {
		return false
	}
	sum := int64(0)
	for i, c := range start[:tarBlock] {
		if i >= tarSumAt && i < tarSumEnd {
			c = ' '
		}
		sum += int64(c)
	}
	return sum == want
}
