package source

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A wacz is a WACZ file that is open.
type wacz struct {
	*openedZip
	unpacked *unpacked
	depth    int  // in others
	nested   bool // there are others in it
	damaged  bool // not all archive files in it can be read, of which its index may speak
}

func newWACZ(z *openedZip) *wacz {
	return &wacz{openedZip: z, unpacked: &unpacked{most: MaxBody + maxRatio*z.size}}
}

// Close closes the file.
func (z *wacz) Close() error { return errors.Join(z.unpacked.Close(), z.openedZip.Close()) }

// isWACZ says whether a file is a zip with archive files where WACZ has them, or a list of such
// files.
func isWACZ(name string) bool {
	if regular(name) != nil {
		return false
	}
	if readMultiWACZ(name) != nil {
		return true
	}
	z, err := openZip(name, maxZipDirectory)
	if err != nil {
		_, tooLarge := errors.AsType[*directoryError](err)
		return tooLarge // openWACZ says so
	}
	defer z.Close()
	return slices.ContainsFunc(z.File, func(f *zip.File) bool { return isWACZPart(f.Name) || isNestedWACZ(f.Name) })
}

func isWACZPart(name string) bool {
	return strings.HasPrefix(name, "archive/") && isArchiveName(name)
}

// isNestedWACZ says whether an entry is a WACZ file by its name, as in a package of several.
func isNestedWACZ(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".wacz") }

// openWACZ opens a WACZ file, or those of a list.
func openWACZ(name string, o Options) (Source, error) {
	if m := readMultiWACZ(name); m != nil {
		return m.open(name, o)
	}
	return openOneWACZ(name, o)
}

// openOneWACZ opens a WACZ file. Its own index says where the records are; if that
// is missing, or leads to what is not there, the archive files are read instead.
func openOneWACZ(name string, o Options) (Source, error) {
	file, err := openZip(name, maxZipDirectory)
	if err != nil {
		return nil, err
	}
	z := newWACZ(file)
	a, err := z.archive(name, o)
	if err != nil {
		z.Close()
		return nil, err
	}
	a.zip = z
	return a, nil
}

func (z *wacz) archive(name string, o Options) (*archive, error) {
	var t tally
	parts, err := z.parts(name, &t)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("no archive file in it can be read%s", firstSkip(t.stats()))
	}
	a, err := z.openCDX(parts, o)
	switch {
	case err == nil:
		// the index serves
	case pathError(err) != nil:
		return nil, err
	default:
		if err == errEntry {
			t.skip(name, "an index that cannot be read")
		} else if err != errNoCDX {
			t.skip(name, "an index that does not fit")
		}
		if a, err = openParts(parts, o); err != nil {
			return nil, err
		}
	}
	t.add(a.stats)
	a.stats = t.stats()
	return a, nil
}

// parts returns the archive files in a WACZ file of a name, and in those that are in it. No two of
// them may have the same bytes. The error is that of the disk.
func (z *wacz) parts(name string, t *tally) (parts []part, err error) {
	free := z.size
	for _, f := range z.File {
		if !isWACZPart(f.Name) && !isNestedWACZ(f.Name) {
			continue
		}
		free -= int64(f.CompressedSize64)
		p, reason, err := z.part(f, name)
		if err != nil {
			return nil, err
		}
		if free < 0 || int64(f.CompressedSize64) < 0 {
			reason = "bytes that the zip names twice"
		}
		switch {
		case reason != "":
			t.note(name+", "+f.Name, reason, 1, reason == reasonBomb)
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
	return parts, nil
}

// nestedParts returns the archive files in a WACZ file that is an entry of this one.
func (z *wacz) nestedParts(p part, t *tally) ([]part, error) {
	where := p.path + ", " + p.name
	if z.depth == maxNestedWACZ {
		t.skipCapped(where, fmt.Sprintf("more than %d WACZ files in one another", maxNestedWACZ))
		return nil, nil
	}
	file, err := newZip(io.NewSectionReader(p.zip, p.base, p.size), p.size, maxZipDirectory)
	if err != nil {
		t.skip(where, "a WACZ file that is not a zip file, or has too many entries")
		return nil, nil
	}
	inner := newWACZ(file)
	inner.depth, inner.unpacked = z.depth+1, z.unpacked
	z.nested = true
	return inner.parts(where, t)
}

// part returns an archive file in the WACZ file of a name, or the reason why it is of
// no use. The error is that of the disk.
func (z *wacz) part(f *zip.File, name string) (p part, reason string, err error) {
	p = part{path: name, name: f.Name, zip: z.data, size: int64(f.UncompressedSize64)}
	if p.size < 0 || f.Method == zip.Store && f.UncompressedSize64 != f.CompressedSize64 ||
		float64(f.UncompressedSize64) > MaxBody+maxRatio*float64(f.CompressedSize64) {
		return p, "a size in the zip that is wrong", nil
	}
	base, err := f.DataOffset()
	if err != nil || f.Method != zip.Store && f.Method != zip.Deflate {
		return p, "an entry of the zip that cannot be read", nil
	}
	p.base = base
	if f.Method == zip.Store {
		return p, "", nil
	}
	if p.size > z.unpacked.most-z.unpacked.size {
		z.damaged = true
		return p, reasonBomb, nil
	}
	p.base, err = z.unpacked.add(f)
	if err == errEntry {
		z.damaged = true
		return p, err.Error(), nil
	}
	p.zip = z.unpacked.file
	return p, "", err
}

// openCDX opens archive files by the indexes that are with them in the zip. The
// error is errNoCDX, or says that the indexes are of no use.
func (z *wacz) openCDX(parts []part, o Options) (*archive, error) {
	if z.nested || z.damaged {
		return nil, errNoCDX // each WACZ file has its own, and names of files may be the same in all of them
	}
	return openListed(parts, z.indexes(), o)
}

// indexes returns all indexes in a WACZ file. Of index.cdx.gz, which has blocks, a file index.idx says which one
// to read. All are read here.
func (z *wacz) indexes() (list []cdxFile) {
	for _, f := range z.File {
		name, packed := strings.CutSuffix(strings.ToLower(f.Name), ".gz")
		if strings.HasPrefix(name, "indexes/") && (strings.HasSuffix(name, ".cdx") || strings.HasSuffix(name, ".cdxj")) {
			list = append(list, cdxFile{open: func() (io.ReadCloser, error) { return openInflated(f) }, packed: packed})
		}
	}
	return list
}
