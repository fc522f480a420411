package warc

import (
	"archive/zip"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/zipfile"
)

// IsWACZ reports whether a file is a zip file with archive files in the folders that WACZ defines.
func IsWACZ(name string) bool {
	if localfile.Regular(name) != nil {
		return false
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

// WACZ returns the archive files in a WACZ file. It does not use the index of the WACZ file, which may lack records. The
// parts share what is left of the budget of the file, in proportion to their sizes, so entries that share bytes of the
// zip file are harmless.
func WACZ(name string, t *capture.Tally) ([]capture.File, error) {
	z, err := zipfile.Open(name)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	parts, err := collect(z, Part{Path: name, Size: z.Size}, 0, t)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("no archive file in it can be read%s", capture.FirstSkip(t.Total()))
	}
	total := 1.0
	for _, p := range parts {
		total += float64(p.Size)
	}
	var files []capture.File
	for _, p := range parts {
		p.meter = z.Meter.Share(float64(p.Size) / total)
		files = append(files, p)
	}
	return files, nil
}

// partWork is the price of an archive file in a WACZ file, in addition to its data: it is opened and scanned by itself.
const partWork = 24 << 10

// collect returns the archive files in a WACZ file, and in the WACZ files nested in it, as in a multi-WACZ package.
// place is the place of the data. The error is a read error of the disk, or meter.Over.
func collect(z *zipfile.Archive, place Part, depth int, t *capture.Tally) (parts []*Part, err error) {
	for _, f := range z.File {
		if !IsPart(f.Name) && !isNestedWACZ(f.Name) {
			continue
		}
		if err := z.Meter.Pay(partWork); err != nil {
			return nil, err
		}
		p := place
		p.Name = strings.TrimPrefix(place.Name+", "+f.Name, ", ")
		p.Size = int64(f.UncompressedSize64)
		base, err := f.DataOffset()
		p.Base += base
		switch {
		case f.Method != zip.Store:
			t.SkipLost(p.String(), "an entry that the zip compresses; unpack the WACZ file and name the folder")
		case p.Size < 0 || f.UncompressedSize64 != f.CompressedSize64:
			t.SkipLost(p.String(), "a wrong size in the zip")
		case err != nil:
			t.SkipLost(p.String(), "an unreadable entry of the zip file")
		case isNestedWACZ(f.Name):
			inner, err := nested(&p, depth+1, z.Meter, t)
			if err != nil {
				return nil, err
			}
			parts = append(parts, inner...)
		default:
			parts = append(parts, &p)
		}
	}
	return parts, nil
}

// nested returns the archive files in a nested WACZ file.
func nested(p *Part, depth int, m *meter.Meter, t *capture.Tally) ([]*Part, error) {
	if depth > maxNestedWACZ {
		t.SkipCapped(p.String(), fmt.Sprintf("WACZ files nested more than %d deep", maxNestedWACZ))
		return nil, nil
	}
	data, err := p.open()
	if err != nil {
		return nil, err
	}
	defer data.Close()
	z, err := zipfile.New(data, p.Size, m)
	if errors.Is(err, meter.Over{}) {
		return nil, err
	}
	if err != nil {
		t.SkipLost(p.String(), "a WACZ file that is not a zip file")
		return nil, nil
	}
	return collect(z, *p, depth, t)
}
