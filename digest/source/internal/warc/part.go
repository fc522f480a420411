package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/tempfile"
)

// gzipMagic begins a member of gzip (RFC 1952), zstdMagic a frame of Zstandard, and skipMagic, after its first byte, a
// frame to skip (RFC 8878), such as the one with the dictionary of a WARC file.
const (
	gzipMagic = "\x1f\x8b\x08"
	zstdMagic = "\x28\xb5\x2f\xfd"
	skipMagic = "\x2a\x4d\x18"
)

var errZstd = errors.New("webcap does not read WARC files in zstd; decompress the file first, e.g. with zstd -d")

// Part is one archive file of a source: a file, or an entry of a zip file. It is opened for each read.
type Part struct {
	Path  string
	Name  string // name of the zip entry; empty if the part is a file of its own
	Base  int64  // position in the data
	Size  int64
	data  io.ReaderAt  // the data; nil if they are in the file at Path
	gzip  bool         // the data are members of gzip
	meter *meter.Meter // share of the budget of a WACZ file; nil if the part is a file of its own

	// rest is the decoded data in a temporary file, from the first member on that has more than one record. It is nil if
	// each member has one record.
	rest   *Part
	file   *tempfile.File // of the data, if the part is the rest of another one
	member int64          // offset in the other one of the member that begins the rest
}

// Close removes the temporary file.
func (p *Part) Close() error {
	if p.rest == nil {
		return nil
	}
	return p.rest.file.Close()
}

// String returns the path of the part, and the name of the zip entry.
func (p *Part) String() string {
	if p.Name == "" {
		return p.Path
	}
	return p.Path + ", " + p.Name
}

// where describes the place of a record in the part, for messages.
func (p *Part) where(at int64) string {
	if p.file != nil {
		return fmt.Sprintf("%v, byte %d, inflated byte %d", p, p.member, at)
	}
	return fmt.Sprintf("%v, byte %d", p, at)
}

// open opens the stored bytes of the part.
func (p *Part) open() (*storedBytes, error) {
	if p.data != nil {
		return &storedBytes{io.NewSectionReader(p.data, p.Base, p.Size), io.NopCloser(nil)}, nil
	}
	f, err := os.Open(p.Path)
	if err != nil {
		return nil, err
	}
	return &storedBytes{io.NewSectionReader(f, p.Base, p.Size), f}, nil
}

// storedBytes are the bytes of an open part.
type storedBytes struct {
	*io.SectionReader
	io.Closer
}

// sniff finds out from the first bytes of the part whether it is compressed.
func (p *Part) sniff() error {
	r, err := p.open()
	if err != nil {
		return err
	}
	defer r.Close()
	b := make([]byte, len(zstdMagic))
	if _, err := io.ReadFull(r, b); err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	if string(b) == zstdMagic || string(b[1:]) == skipMagic {
		return errZstd
	}
	p.gzip = string(b[:len(gzipMagic)]) == gzipMagic
	return nil
}

// Detect reports whether a decompressed file begins with a WARC or ARC record. Line ends may precede it, and
// an ARC file may lack the record about itself.
func Detect(start []byte) bool {
	b := bytes.TrimLeft(start, "\r\n")
	_, err := parseRecord(b)
	return err == nil || isFiledesc(b) || err == errNoEnd && isVersion(b)
}
