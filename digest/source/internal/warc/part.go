package warc

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/tempfile"
)

// codec is the compression of an archive file.
type codec uint8

const (
	plain       codec = iota
	gzipMembers       // members of gzip (RFC 1952)
	zstdFrames        // frames of Zstandard (RFC 8878)
)

// magics are the first bytes of each member or frame.
var magics = [...]string{gzipMembers: "\x1f\x8b\x08", zstdFrames: "\x28\xb5\x2f\xfd"}

// Part is one archive file of a source: a file, or an entry of a zip file. It is opened for each read.
type Part struct {
	Path  string
	Name  string // name of the zip entry; empty if the part is a file of its own
	Base  int64  // position in the data
	Size  int64
	data  io.ReaderAt // the data; nil if they are in the file at Path
	codec codec
	dict  []byte       // dictionary of the zstd frames; nil if there is none
	meter *meter.Meter // share of the budget of a WACZ file; nil if the part is a file of its own

	// rest is the decoded data in a temporary file, from the first member on that has more than one record. It is nil if
	// each member has one record.
	rest   *Part
	file   *tempfile.File // of the data, if the part is the rest of another one
	member int64          // offset in the other one of the member that begins the rest
	broken bool           // a member of the rest is damaged, so any of its records may be wrong
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

// sniff sets the codec of the part, which its first bytes show.
func (p *Part) sniff() error {
	r, err := p.open()
	if err != nil {
		return err
	}
	defer r.Close()
	b := make([]byte, len(dictMagic))
	if _, err := io.ReadFull(r, b); err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	p.codec = plain
	switch start := string(b); {
	case start == dictMagic:
		p.codec = zstdFrames
		p.dict, err = dictionary(r)
	case start == magics[zstdFrames], start[1:] == dictMagic[1:]: // or another frame to skip, as pzstd writes it
		p.codec = zstdFrames
	case strings.HasPrefix(start, magics[gzipMembers]):
		p.codec = gzipMembers
	}
	return err
}

// Detect reports whether a decompressed file begins with a WARC or ARC record. Line ends may precede it, and
// an ARC file may lack the record about itself.
func Detect(start []byte) bool {
	b := bytes.TrimLeft(start, "\r\n")
	_, err := parseRecord(b)
	return err == nil || isFiledesc(b) || err == errNoEnd && isVersion(b)
}
