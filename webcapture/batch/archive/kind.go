package archive

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// Kind is the type of a file, recognized by its first bytes.
type Kind uint8

// The kinds.
const (
	Other  Kind = iota
	PDF         // it has the header of a PDF where Acrobat looks for it
	zipped      // zip, and so WACZ
	tarred      // tar, compressed or not
	warc        // WARC or ARC, compressed or not
	unread      // an archive of a kind that is not read
)

// IsArchive reports whether a file may have others in it.
func (k Kind) IsArchive() bool { return k > PDF }

// starts are for KindOf, which is asked of every file.
var starts = sync.Pool{New: func() any { return new([startSize]byte) }}

// KindOf tells what a file is by how it begins. The error is that of r.
func KindOf(r io.ReaderAt) (Kind, error) {
	start := starts.Get().(*[startSize]byte)
	defer starts.Put(start)
	b := start[:]
	n, err := r.ReadAt(b, 0)
	if err != nil && err != io.EOF {
		return Other, err
	}
	if hasPrefix(b[:n], zstdMagic) {
		return kindOf(bufio.NewReaderSize(io.NewSectionReader(r, 0, lookAhead), lookAhead))
	}
	return kindOfStart(b[:n]), nil
}

// kindOf tells what r is, whose buffer has lookAhead bytes, and takes nothing of it.
func kindOf(r *bufio.Reader) (Kind, error) {
	start, err := r.Peek(startSize)
	if err == io.EOF {
		err = nil
	}
	if err == nil && hasPrefix(start, zstdMagic) {
		if start, err = r.Peek(lookAhead); err == io.EOF {
			err = nil
		}
	}
	return kindOfStart(start), err
}

func kindOfStart(start []byte) Kind {
	switch {
	case hasPrefix(start, "PK\x03\x04"), hasPrefix(start, "PK\x05\x06"):
		return zipped
	case isTar(start):
		return tarred
	case isWARC(start):
		return warc
	case isCompressed(start):
		return kindOfDecoded(start)
	}
	for _, magic := range unreadKinds {
		if hasPrefix(start, magic.start) {
			return unread
		}
	}
	if bytes.Contains(start[:min(len(start), headerEnd)], []byte("%PDF-")) {
		return PDF
	}
	return Other
}

func hasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// isTar reports whether a tar header begins here: one that says so, or one of the seventh
// edition, which has nothing but the sum of its bytes.
func isTar(start []byte) bool {
	const size, sumAt, sumEnd = 512, 148, 156
	if len(start) < size {
		return false
	}
	if string(start[257:262]) == "ustar" {
		return true
	}
	want, err := strconv.ParseInt(strings.Trim(string(start[sumAt:sumEnd]), " \x00"), 8, 32)
	sum := int64(0)
	for i, c := range start[:size] {
		if i >= sumAt && i < sumEnd {
			c = ' '
		}
		sum += int64(c)
	}
	return err == nil && sum == want && start[0] != 0
}

// unreadKinds are archives that are known, and not read.
var unreadKinds = []struct{ start, name string }{
	{"7z\xbc\xaf\x27\x1c", "7z"}, {"Rar!\x1a\x07", "RAR"}, {"\xfd7zXZ\x00", "xz"},
}

// errUnread says that an archive is of a kind that is not read.
func errUnread(r io.ReaderAt) error {
	start := make([]byte, 8)
	r.ReadAt(start, 0)
	for _, k := range unreadKinds {
		if hasPrefix(start, k.start) {
			return &report.SkippedError{Reason: "a " + k.name +
				" archive, which is not read: unpack it, or make it a zip or tar file"}
		}
	}
	return &report.SkippedError{Reason: "an archive of a kind that is not read"}
}

func isWARC(start []byte) bool {
	return hasPrefix(start, "WARC/") || hasPrefix(start, "filedesc://")
}

const (
	gzipMagic  = "\x1f\x8b\x08"
	zstdMagic  = "\x28\xb5\x2f\xfd"
	zstdDict   = "\x5d\x2a\x4d\x18" // a frame with the dictionary of the others, as WARC files have
	bzip2Magic = "BZh"
)

func isCompressed(start []byte) bool {
	for _, magic := range []string{gzipMagic, zstdMagic, zstdDict, bzip2Magic} {
		if hasPrefix(start, magic) {
			return true
		}
	}
	return false
}

// kindOfDecoded tells what a compressed file is. One that cannot be decoded is nothing that
// is known, unless it has a dictionary, which only WARC files have.
func kindOfDecoded(start []byte) Kind {
	if hasPrefix(start, zstdDict) {
		return warc
	}
	r, err := decoder(bytes.NewReader(start))
	if err != nil {
		return Other
	}
	defer r.Close()
	b := make([]byte, headerEnd)
	n, _ := io.ReadFull(r, b)
	if k := kindOfStart(b[:n]); k == tarred || k == warc {
		return k
	}
	return Other
}

// decoder returns what is compressed in r, by its first bytes; r itself if it is not.
func decoder(r io.Reader) (io.ReadCloser, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	start, err := in.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case hasPrefix(start, gzipMagic):
		return gzip.NewReader(in)
	case hasPrefix(start, zstdMagic):
		d, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	case hasPrefix(start, bzip2Magic):
		return io.NopCloser(bzip2.NewReader(in)), nil
	}
	return io.NopCloser(in), nil
}

// isPDFName reports whether a name says that a file is a PDF.
func isPDFName(name string) bool { return strings.EqualFold(path.Ext(name), ".pdf") }

var errDepth = &report.SkippedError{Reason: "an archive in an archive in an archive: what is deeper is not read"}

var (
	errEncrypted = errors.New("encrypted in the archive")
	errTwice     = errors.New("the archive names its bytes twice")
	errBomb      = errors.New("the archive decodes to far more than it stores, and what follows is not read")
)
