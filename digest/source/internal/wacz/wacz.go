// Package wacz opens WACZ files, which are zip files of WARC files with an index, and collections of WACZ files.
package wacz

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/warc"
	"github.com/webcap-tools/webcap/digest/source/internal/zipfile"
)

// wacz is an open WACZ file.
type wacz struct {
	*zipfile.Archive
	unpacked *unpackedFolder
	depth    int // nesting depth
}

func newWACZ(z *zipfile.Archive) *wacz {
	return &wacz{Archive: z, unpacked: &unpackedFolder{most: body.MaxBody + warc.MaxRatio*z.Size}}
}

// Close closes the file.
func (z *wacz) Close() error { return errors.Join(z.unpacked.Close(), z.Archive.Close()) }

// Is reports whether a file is a zip file with archive files in the folders that WACZ defines, or a list of WACZ files.
func Is(name string) bool {
	if localfile.Regular(name) != nil {
		return false
	}
	if readMultiWACZ(name) != nil {
		return true
	}
	z, err := zipfile.Open(name)
	if err != nil {
		return errors.Is(err, zipfile.ErrLargeDirectory) // openOneWACZ reports the error
	}
	defer z.Close()
	return slices.ContainsFunc(z.File, func(f *zip.File) bool { return IsPart(f.Name) || isNestedWACZ(f.Name) })
}

func IsPart(name string) bool {
	return strings.HasPrefix(name, "archive/") && warc.IsName(name)
}

// isNestedWACZ reports whether an entry has the name of a WACZ file, as in a multi-WACZ package.
func isNestedWACZ(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".wacz") }

// Open opens a WACZ file, or all WACZ files of a list.
func Open(name string) (capture.Source, error) {
	if m := readMultiWACZ(name); m != nil {
		return m.open(name)
	}
	return openOneWACZ(name)
}

// openOneWACZ opens a WACZ file. It reads the archive files in it, and not their index, which may lack records.
func openOneWACZ(name string) (capture.Source, error) {
	file, err := zipfile.Open(name)
	if err != nil {
		return nil, err
	}
	z := newWACZ(file)
	a, err := z.archive(name)
	if err != nil {
		z.Close()
		return nil, err
	}
	a.Zip = z
	return a, nil
}

func (z *wacz) archive(name string) (*warc.Archive, error) {
	var t capture.Tally
	parts, err := z.parts(name, &t)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("no archive file in it can be read%s", capture.FirstSkip(t.Total()))
	}
	a, err := warc.OpenParts(parts)
	if err != nil {
		return nil, err
	}
	t.Add(a.Counts)
	a.Counts = t.Total()
	return a, nil
}

// parts returns the archive files in a WACZ file, and in the WACZ files nested in it. name is the name of the WACZ
// file. Entries that share bytes of the zip file are not accepted. The error is a read error of the disk.
func (z *wacz) parts(name string, t *capture.Tally) (parts []warc.Part, err error) {
	free := z.Size
	for _, f := range z.File {
		if !IsPart(f.Name) && !isNestedWACZ(f.Name) {
			continue
		}
		free -= int64(f.CompressedSize64)
		p, reason, err := z.part(f, name)
		if err != nil {
			return nil, err
		}
		if free < 0 || int64(f.CompressedSize64) < 0 {
			reason = "a zip entry that shares bytes with another entry"
		}
		switch {
		case reason != "":
			t.Lost = true
			t.Note(name+", "+f.Name, reason, 1, reason == warc.ReasonBomb)
		case isNestedWACZ(f.Name):
			inner, err := z.nestedParts(p, t)
			if err != nil {
				return nil, err
			}
			parts = append(parts, inner...)
		default:
			parts = append(parts, p)
		}
	}
	z.countMissing(name, t)
	return parts, nil
}

// countMissing counts the archive files that datapackage.json lists, but that are not in the WACZ file.
func (z *wacz) countMissing(name string, t *capture.Tally) {
	var list dataPackage
	has := map[string]bool{}
	for _, f := range z.File {
		has[f.Name] = true
		if f.Name != "datapackage.json" {
			continue
		}
		if r, err := zipfile.OpenEntry(f); err == nil {
			json.NewDecoder(io.LimitReader(r, maxDataPackage)).Decode(&list) // without a list, nothing is missing
			r.Close()
		}
	}
	for _, r := range list.Resources {
		if IsPart(r.Path) && !has[r.Path] {
			t.SkipLost(name+", "+r.Path, "an archive file that datapackage.json lists, but that is missing")
		}
	}
}

// nestedParts returns the archive files in a nested WACZ file.
func (z *wacz) nestedParts(p warc.Part, t *capture.Tally) ([]warc.Part, error) {
	where := p.Path + ", " + p.Name
	if z.depth == maxNestedWACZ {
		t.SkipCapped(where, fmt.Sprintf("WACZ files nested more than %d deep", maxNestedWACZ))
		return nil, nil
	}
	file, err := zipfile.New(io.NewSectionReader(p.Zip, p.Base, p.Size), p.Size)
	if err != nil {
		t.SkipLost(where, "a WACZ file that is not a zip file, or has too many entries")
		return nil, nil
	}
	inner := newWACZ(file)
	inner.depth, inner.unpacked = z.depth+1, z.unpacked
	return inner.parts(where, t)
}

// part returns an archive file in a WACZ file, or the reason why it is unusable. name is the name of the WACZ file. The
// error is a read error of the disk.
func (z *wacz) part(f *zip.File, name string) (p warc.Part, reason string, err error) {
	p = warc.Part{Path: name, Name: f.Name, Zip: z.Data, Size: int64(f.UncompressedSize64)}
	if p.Size < 0 || f.Method == zip.Store && f.UncompressedSize64 != f.CompressedSize64 ||
		float64(f.UncompressedSize64) > body.MaxBody+warc.MaxRatio*float64(f.CompressedSize64) {
		return p, "a wrong size in the zip", nil
	}
	base, err := f.DataOffset()
	if err != nil || f.Method != zip.Store && f.Method != zip.Deflate {
		return p, "an unreadable entry of the zip file", nil
	}
	p.Base = base
	if f.Method == zip.Store {
		return p, "", nil
	}
	if p.Size > z.unpacked.most-z.unpacked.size {
		return p, warc.ReasonBomb, nil
	}
	p.Base, err = z.unpacked.add(f)
	if err == zipfile.ErrEntry {
		return p, err.Error(), nil
	}
	p.Zip = z.unpacked.file
	return p, "", err
}
