package archive

import (
	"bufio"
	"bytes"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/digest/source"
)

// Kind is the type of a file, recognized by its first bytes.
type Kind uint8

// The kinds.
const (
	Other      Kind = iota
	zipped          // zip, including WACZ
	tarred          // tar, compressed or not
	warc            // WARC or ARC, compressed or not
	compressed      // a single compressed file
	unread          // an archive of a format that webcap cannot read, or a file that is only named like an archive

	// PDF is a file that begins with a PDF header, or that is no archive and has the header within the first kilobyte,
	// at the start of a line or after filler. In a file named .pdf, the header may be anywhere in that kilobyte.
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
	return kindOfStart(start[:n], name, io.NewSectionReader(r, 0, size)), nil
}

// kindOfStream returns the kind of the file in r, which is PDF if only the name is that of one. It only peeks, so r
// loses no bytes; the buffer of r must have lookAhead bytes.
func kindOfStream(r *bufio.Reader, name string) (Kind, error) {
	start, err := r.Peek(startSize)
	if err == nil && codecOf(start) != nil {
		start, err = r.Peek(lookAhead)
	}
	if err != nil && err != io.EOF {
		return Other, err
	}
	kind := kindOfStart(start, name, bytes.NewReader(start))
	if isPDFName(name) && kind == Other {
		kind = PDF
	}
	return kind, nil
}

// kindOfStart returns the kind of a file by its first bytes and its name. whole is the file, of which the end may be
// missing. It is read only if the file is compressed.
func kindOfStart(start []byte, name string, whole io.Reader) Kind {
	header := pdfHeader(start)
	switch {
	case header == 0, isPDFName(name) && bytes.Contains(start[:min(len(start), headerEnd)], []byte(pdfMark)):
		return PDF
	case hasPrefix(start, "PK\x03\x04"), hasPrefix(start, "PK\x05\x06"):
		return zipped
	case isTar(start):
		return tarred
	case source.IsWARC(start):
		return warc
	case codecOf(start) != nil:
		return kindOfDecoded(start, name, whole)
	case slices.ContainsFunc(unreadStarts, func(s string) bool { return hasPrefix(start, s) }):
		return unread
	case header > 0:
		return PDF
	case len(start) == 0 || !isArchiveName(name):
		return Other
	case strings.EqualFold(path.Ext(name), ".zip"): // it may be after other data, such as a program
		return zipped
	}
	return unread
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

// isArchiveName reports whether the name is that of a zip, tar, WARC, or ARC file, or of a compressed PDF.
func isArchiveName(name string) bool {
	inner := innerName(name)
	switch strings.ToLower(path.Ext(inner)) {
	case ".zip", ".wacz", ".tar", ".warc", ".arc":
		return true
	}
	return isPDFName(inner) && !isPDFName(name)
}

// isPDFName reports whether a name has the extension of a PDF.
func isPDFName(name string) bool { return strings.EqualFold(path.Ext(name), ".pdf") }
