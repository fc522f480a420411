package archive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Kind is the type of a file, recognized by its first bytes. A file that is both a PDF and an archive is a PDF, unless
// it has the name of an archive.
type Kind uint8

// The kinds.
const (
	Other      Kind = iota
	zipped          // zip, including WACZ
	tarred          // tar, compressed or not
	warc            // WARC or ARC, compressed or not
	compressed      // a single compressed file
	undecided       // the first bytes are not enough: compressed data, or a file named .zip
	unread          // an archive of a format that webcap cannot read
	misnamed        // not an archive, but named like one

	// PDF is a file with a PDF header within the first kilobyte, at the start of a line or after filler. In a file
	// named .pdf, the header may be anywhere in that kilobyte.
	PDF
)

const (
	// headerEnd is the maximum position of the header of a PDF, as in Acrobat.
	headerEnd = 1024

	// startSize is the number of bytes of a file that are read to detect its kind. They hold the first kilobyte of data,
	// even if it is compressed.
	startSize = 4 * headerEnd
)

// IsArchive reports whether a file may contain other files.
func (k Kind) IsArchive() bool { return k != Other && k != PDF }

// KindOf returns the kind of a file with this size and name. The error is that of r.
func KindOf(r io.ReaderAt, size int64, name string) (Kind, error) {
	var start [startSize]byte
	n, err := r.ReadAt(start[:], 0)
	if err != nil && err != io.EOF {
		return Other, err
	}
	k := kindOfStart(start[:n], name, func() io.Reader { return io.NewSectionReader(r, 0, size) })
	if k != undecided {
		return k, nil
	}
	switch isZip, err := hasDirectory(r, size); {
	case err != nil:
		return Other, err
	case isZip:
		return zipped, nil
	case isNamedArchive(name):
		return misnamed, nil
	}
	return Other, nil
}

// kindOfStream returns the kind of the file in r, which is PDF if only the name is that of one. It only peeks, so r
// loses no bytes; the buffer of r must have lookAhead bytes.
func kindOfStream(r *bufio.Reader, name string) (Kind, error) {
	start, err := r.Peek(startSize)
	if err != nil && err != io.EOF {
		return Other, err
	}
	kind := kindOfStart(start, name, func() io.Reader { return &peekReader{in: r} })
	if isPDFName(name) && (kind == Other || kind == undecided) {
		kind = PDF
	}
	return kind, nil
}

// peekReader reads ahead in a buffer without consuming bytes, up to the size of the buffer.
type peekReader struct {
	in    *bufio.Reader
	at    int
	ended bool // a read was beyond the end of the buffer
}

func (p *peekReader) Read(b []byte) (int, error) {
	ahead, err := p.in.Peek(min(p.at+max(len(b), 1), p.in.Size()))
	n := copy(b, ahead[min(p.at, len(ahead)):])
	p.at += n
	switch {
	case n > 0:
		return n, nil
	case err == nil || err == bufio.ErrBufferFull:
		p.ended = true
		return 0, io.ErrUnexpectedEOF
	}
	return 0, err
}

// kindOfStart returns the kind of a file by its first bytes and its name. from opens the file from its beginning.
func kindOfStart(start []byte, name string, from func() io.Reader) Kind {
	k := archiveKind(start, name, from)
	at := pdfHeader(start)
	named := isPDFName(name) && bytes.Contains(start[:min(len(start), headerEnd)], []byte(pdfMark))
	switch {
	case at < 0 && !named:
		return k
	case k == Other || k == undecided || k == misnamed:
		return PDF
	case isArchiveName(name):
		return k
	case codecOf(start) == nil && (k == tarred && !hasTarSum(start) || k == warc && source.HeaderSize(start) < 0):
		return PDF // the apparent header of an archive is not one
	case at >= firstEntry(start, k) && !named:
		return k // the PDF header belongs to a PDF in the archive
	}
	return PDF
}

// archiveKind returns the kind of a file regardless of PDF headers in it.
func archiveKind(start []byte, name string, from func() io.Reader) Kind {
	switch {
	case hasPrefix(start, "PK\x03\x04"), hasPrefix(start, "PK\x05\x06"), hasPrefix(start, "PK00PK\x03\x04"):
		return zipped
	case isTar(start):
		return tarred
	case source.IsWARC(start):
		return warc
	case codecOf(start) != nil:
		return kindOfDecoded(start, name, from)
	case unreadName(start) != "":
		return unread
	case len(start) == 0 || !isNamedArchive(name):
		return Other
	case strings.EqualFold(path.Ext(name), ".zip"):
		return undecided
	}
	return misnamed
}

func hasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// pdfMark is the start of the header of a PDF.
const pdfMark = "%PDF-"

// pdfHeader returns the position of the PDF header (ISO 32000-2:2020, 7.5.2), or -1. The header must be at the
// start of a line or after filler, and have a version: program text may mention %PDF- anywhere.
func pdfHeader(start []byte) int {
	start = start[:min(len(start), headerEnd+len(pdfMark+"1"))]
	for at := 0; ; at++ {
		i := bytes.Index(start[at:], []byte(pdfMark))
		if i < 0 {
			return -1
		}
		at += i
		version := start[at+len(pdfMark):]
		if len(version) > 0 && isDigit(version[0]) && isFiller(start[:at]) {
			return at
		}
	}
}

// isFiller reports whether a PDF header may follow these bytes. It may follow the end of a line, only white space,
// a byte order mark, or data that are not text, such as NULs and the header of MacBinary.
func isFiller(before []byte) bool {
	rest := bytes.TrimSpace(bytes.TrimPrefix(before, []byte("\xef\xbb\xbf")))
	if len(rest) == 0 {
		return true
	}
	last := before[len(before)-1]
	return last < ' ' && last != '\t' || last >= utf8.RuneSelf && !utf8.Valid(before)
}

func isDigit(c byte) bool { return c-'0' < 10 }

// firstEntry returns the position of the data of the first entry of an archive. Bytes from there on do not belong
// to the header of the archive.
func firstEntry(start []byte, k Kind) int {
	const zipHeader, tarHeader = 30, 512
	switch {
	case k == zipped && hasPrefix(start, "PK\x03\x04") && len(start) >= zipHeader:
		return zipHeader + int(start[26]) + int(start[27])<<8 + int(start[28]) + int(start[29])<<8
	case k == tarred && codecOf(start) == nil:
		return tarHeader
	case k == warc && codecOf(start) == nil:
		return source.HeaderSize(start)
	case k == unread:
		return len(start)
	}
	return 0
}

// archiveNames are the name extensions of archives.
var archiveNames = []string{".zip", ".wacz", ".tar", ".tgz", ".gz", ".tbz2", ".bz2", ".txz", ".xz", ".tzst", ".zst",
	".warc", ".arc", ".open"}

// isArchiveName reports whether a name has the extension of an archive.
func isArchiveName(name string) bool {
	for _, end := range archiveNames {
		if strings.EqualFold(path.Ext(name), end) {
			return true
		}
	}
	return false
}

// isNamedArchive reports whether the name is that of a zip, tar, WARC, or ARC file, or of a compressed PDF. It is
// false for URLs, whose ends prove nothing.
func isNamedArchive(name string) bool {
	if strings.Contains(name[strings.LastIndex(name, Separator)+1:], "://") {
		return false
	}
	inner := innerName(strings.TrimSuffix(name, ".open"))
	switch strings.ToLower(path.Ext(inner)) {
	case ".zip", ".wacz", ".tar", ".warc", ".arc":
		return true
	}
	return isPDFName(inner) && !isPDFName(name)
}

// isPDFName reports whether a name has the extension of a PDF.
func isPDFName(name string) bool { return strings.EqualFold(path.Ext(name), ".pdf") }

var errDepth = &report.SkippedError{
	Reason: fmt.Sprintf("nested too deep: webcap reads at most %d archives inside each other", maxDepth)}

var (
	errEncrypted = errors.New("encrypted in the archive")
	errBomb      = errors.New("the archive expands too much; webcap skips the rest")
	errTooLarge  = errors.New("the archive expands too much; webcap skips this member")
)
