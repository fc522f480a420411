package warc

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/zipfile"
	"github.com/webcap-tools/webcap/digest/tempfile"
)

// IsWACZ reports whether a file is a zip file with archive files in the folders that WACZ defines, or a list of WACZ
// files.
func IsWACZ(name string) bool {
	if localfile.Regular(name) != nil {
		return false
	}
	if readMultiWACZ(name) != nil {
		return true
	}
	z, err := zipfile.Open(name)
	if err != nil {
		return errors.Is(err, meter.Over{}) // WACZ reports the error
	}
	defer z.Close()
	return slices.ContainsFunc(z.File, func(f *zip.File) bool { return IsPart(f.Name) || isNestedWACZ(f.Name) })
}

// IsPart reports whether an entry of a WACZ file has the name of an archive file.
func IsPart(name string) bool {
	return strings.HasPrefix(name, "archive/") && IsName(name)
}

// isNestedWACZ reports whether an entry has the name of a WACZ file, as in a multi-WACZ package.
func isNestedWACZ(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".wacz") }

// WACZ returns the archive files in a WACZ file, or in all WACZ files of a list. It does not use the index of a WACZ
// file, which may lack records.
func WACZ(name string, t *capture.Tally) ([]capture.File, error) {
	r := &waczReader{t: t}
	var err error
	if list := readMultiWACZ(name); list != nil {
		err = r.list(list, name)
	} else {
		err = r.file(name)
	}
	if err == nil && len(r.parts) == 0 {
		err = fmt.Errorf("no archive file in it can be read%s", capture.FirstSkip(t.Total()))
	}
	if r.unpacked != nil && err != nil {
		err = errors.Join(err, r.unpacked.Close())
	} else if r.unpacked != nil {
		p := r.parts[0].(*Part)
		p.temporary = append(p.temporary, r.unpacked)
	}
	return r.parts, err
}

// waczReader collects the archive files in WACZ files.
type waczReader struct {
	t        *capture.Tally
	unpacked *tempfile.File // decompressed entries; nil if there are none
	size     int64          // of unpacked
	parts    []capture.File
}

// container is an open zip file: a WACZ file, or one in another WACZ file.
type container struct {
	*zipfile.Archive
	part  Part // place of the data
	depth int
}

// file collects the archive files in a WACZ file. They share what is left of the budget of the file, in proportion to
// their sizes, so entries that share bytes of the zip file are harmless. The error is that of the zip file or of the
// disk.
func (r *waczReader) file(name string) error {
	z, err := zipfile.Open(name)
	if err != nil {
		return err
	}
	defer z.Close()
	before := len(r.parts)
	if err := r.collect(container{z, Part{Path: name, Size: z.Size}, 0}); err != nil {
		return err
	}
	total := 1.0
	for _, f := range r.parts[before:] {
		total += float64(f.(*Part).Size)
	}
	for _, f := range r.parts[before:] {
		p := f.(*Part)
		p.meter = z.Meter.Share(float64(p.Size) / total)
	}
	return nil
}

// partWork is the price of an archive file in a WACZ file, in addition to its data: it is opened and scanned by itself.
const partWork = 24 << 10

// collect collects the archive files in a container, and in the WACZ files nested in it. The error is a read error of
// the disk, or meter.Over.
func (r *waczReader) collect(z container) error {
	for _, f := range z.File {
		if !IsPart(f.Name) && !isNestedWACZ(f.Name) {
			continue
		}
		p, reason, err := r.part(z, f)
		if err != nil {
			return err
		}
		switch {
		case reason != "":
			r.t.SkipLost(p.String(), reason)
		case isNestedWACZ(f.Name):
			if err := r.nested(p, z); err != nil {
				return err
			}
		default:
			r.parts = append(r.parts, p)
		}
		if err := z.Meter.Pay(partWork); err != nil {
			return err
		}
	}
	return nil
}

// nested collects the archive files in a nested WACZ file.
func (r *waczReader) nested(p *Part, outer container) error {
	if outer.depth == maxNestedWACZ {
		r.t.SkipCapped(p.String(), fmt.Sprintf("WACZ files nested more than %d deep", maxNestedWACZ))
		return nil
	}
	data, err := p.open()
	if err != nil {
		return err
	}
	defer data.Close()
	z, err := zipfile.New(data, p.Size, outer.Meter)
	if errors.Is(err, meter.Over{}) {
		return err
	}
	if err != nil {
		r.t.SkipLost(p.String(), "a WACZ file that is not a zip file")
		return nil
	}
	return r.collect(container{z, *p, outer.depth + 1})
}

// part returns an archive file in a WACZ file. reason says why it is unusable. The error is a read error of the disk.
func (r *waczReader) part(z container, f *zip.File) (p *Part, reason string, err error) {
	inner := z.part
	p = &inner
	p.Name = strings.TrimPrefix(z.part.Name+", "+f.Name, ", ")
	p.Size = int64(f.UncompressedSize64)
	if p.Size < 0 || f.Method == zip.Store && f.UncompressedSize64 != f.CompressedSize64 {
		return p, "a wrong size in the zip", nil
	}
	base, err := f.DataOffset()
	if err != nil || f.Method != zip.Store && f.Method != zip.Deflate {
		return p, "an unreadable entry of the zip file", nil
	}
	p.Base += base
	if f.Method == zip.Store {
		return p, "", nil
	}
	if err := z.Meter.Pay(p.Size); err != nil {
		return p, "", err
	}
	p.Base, err = r.unpack(f)
	if err == errEntry {
		return p, err.Error(), nil
	}
	p.data = r.unpacked
	return p, "", err
}

// errEntry means that an entry of a zip file is damaged, or compressed with an unsupported method.
var errEntry = errors.New("a damaged or unsupported entry of the zip file")

// unpack decompresses an entry into the temporary file, and returns its position there. The error is errEntry, or an
// error of the disk.
func (r *waczReader) unpack(f *zip.File) (at int64, err error) {
	if r.unpacked == nil {
		if r.unpacked, err = tempfile.New(); err != nil {
			return 0, err
		}
	}
	in, err := f.Open()
	n, size := int64(0), int64(f.UncompressedSize64)
	if err == nil {
		defer in.Close()
		n, err = io.Copy(io.NewOffsetWriter(r.unpacked, r.size), io.LimitReader(in, size+1))
	}
	if n > size || err != nil && localfile.PathError(err) == nil {
		return 0, errEntry
	}
	if err != nil {
		return 0, err
	}
	at = r.size
	r.size += n
	return at, nil
}
