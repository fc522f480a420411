package source

import (
	"archive/zip"
	"errors"
	"os"
	"path"
	"strings"
)

// isWACZ says whether a file is a zip with archive files where WACZ has them.
func isWACZ(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		return false
	}
	defer z.Close()
	for _, f := range z.File {
		if isWACZPart(f.Name) {
			return true
		}
	}
	return false
}

func isWACZPart(name string) bool {
	return strings.HasPrefix(name, "archive/") && isArchiveName(name)
}

// openWACZ opens a WACZ file. Its own index says where the records are; if that
// is missing, or leads to what is not there, the archive files are read instead.
func openWACZ(name string, o Options) (Source, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	var t tally
	parts := waczParts(z, name, info.Size(), &t)
	if len(parts) == 0 {
		return nil, errors.New("no archive file in it can be read")
	}
	a, err := openCDX(z, parts)
	if err != nil {
		if err != errNoCDX {
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

// waczParts returns the archive files in a WACZ file of a size. No two of them may
// have the same bytes.
func waczParts(z *zip.ReadCloser, name string, size int64, t *tally) (parts []part) {
	free := size
	for _, f := range z.File {
		if !isWACZPart(f.Name) {
			continue
		}
		free -= int64(f.CompressedSize64)
		p, reason := waczPart(f, name)
		if free < 0 || int64(f.CompressedSize64) < 0 {
			reason = "bytes that the zip names twice"
		}
		if reason != "" {
			t.skip(name+", "+f.Name, reason)
			continue
		}
		parts = append(parts, p)
	}
	return parts
}

// waczPart returns an archive file in the WACZ file of a name, or the reason why it
// is of no use.
func waczPart(f *zip.File, name string) (p part, reason string) {
	p = part{path: name, name: f.Name, size: int64(f.UncompressedSize64), packed: f.Method != zip.Store}
	if p.size < 0 || !p.packed && f.UncompressedSize64 != f.CompressedSize64 ||
		float64(f.UncompressedSize64) > MaxBody+maxRatio*float64(f.CompressedSize64) {
		return p, "a size in the zip that is wrong"
	}
	base, err := f.DataOffset()
	if err != nil || f.Method != zip.Store && f.Method != zip.Deflate {
		return p, "an entry of the zip that cannot be read"
	}
	p.base = base
	return p, ""
}

var (
	errNoCDX = errors.New("there is no index")
	errCDX   = errors.New("the index does not fit")
)

// openCDX opens archive files by the indexes that are with them in the zip. The
// error is errNoCDX, or says that these are of no use.
func openCDX(z *zip.ReadCloser, parts []part) (*archive, error) {
	x := &cdxReader{parts: parts, numbers: map[string]uint32{}}
	for i, p := range parts {
		if err := parts[i].sniff(); err != nil {
			return nil, err
		}
		x.numbers[path.Base(p.name)] = uint32(i)
		x.limit += p.size/minRecord + 1
	}
	if err := x.readAll(z); err != nil {
		return nil, err
	}
	if len(x.entries) == 0 {
		return nil, errNoCDX
	}
	a := &archive{parts: parts, index: newIndex(x.entries)}
	if !a.fits() {
		return nil, errCDX
	}
	x.Files, x.Kept = len(parts), len(a.index.entries)
	a.stats = x.stats()
	return a, nil
}

// readAll reads all indexes in a WACZ file.
func (x *cdxReader) readAll(z *zip.ReadCloser) error {
	err := errNoCDX
	for _, f := range z.File {
		// Of index.cdx.gz, which has blocks, a file index.idx says which one to
		// read. All are read here.
		name, packed := strings.CutSuffix(strings.ToLower(f.Name), ".gz")
		if !strings.HasPrefix(name, "indexes/") || !strings.HasSuffix(name, ".cdx") && !strings.HasSuffix(name, ".cdxj") {
			continue
		}
		if err = x.readFile(f, packed); err != nil {
			return err
		}
	}
	return err
}

// fits tries some entries, all over the index: whether there is a record of the URL
// where each says.
func (a *archive) fits() bool {
	const tries = 16
	list := a.index.entries
	for i := range min(tries, len(list)) {
		e := &list[i*len(list)/min(tries, len(list))]
		s, err := a.parts[e.part].read(e.position)
		if err != nil || hash(key(string(s.url))) != e.url {
			return false
		}
	}
	return true
}
