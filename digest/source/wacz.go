package source

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"sync/atomic"
)

// A wacz is a zip file that is open. Its directory is read once.
type wacz struct {
	*zip.Reader
	file *os.File
	size int64
}

// openWACZFile opens a zip file whose directory has at most maxZipDirectory bytes: for each
// entry in it a program needs ten times as much memory as there may be on disk.
func openWACZFile(name string) (*wacz, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	dir := &directoryReader{ReaderAt: file}
	dir.left.Store(maxZipDirectory)
	z, err := zip.NewReader(dir, info.Size())
	if err != nil {
		file.Close()
		return nil, err
	}
	dir.read.Store(true)
	return &wacz{z, file, info.Size()}, nil
}

// Close closes the file.
func (z *wacz) Close() error { return z.file.Close() }

var errZipDirectory = fmt.Errorf("its directory has more than %d bytes", maxZipDirectory)

// A directoryReader reads a zip file, and at most so many bytes before its directory
// is known.
type directoryReader struct {
	io.ReaderAt
	left atomic.Int64
	read atomic.Bool // the directory
}

func (r *directoryReader) ReadAt(p []byte, at int64) (int, error) {
	if !r.read.Load() && r.left.Add(-int64(len(p))) < 0 {
		return 0, errZipDirectory
	}
	return r.ReaderAt.ReadAt(p, at)
}

// isWACZ says whether a file is a zip with archive files where WACZ has them.
func isWACZ(name string) bool {
	if regular(name) != nil {
		return false
	}
	z, err := openWACZFile(name)
	if err != nil {
		return errors.Is(err, errZipDirectory) // openWACZ says so
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
	z, err := openWACZFile(name)
	if err != nil {
		return nil, err
	}
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
	parts := z.parts(name, &t)
	if len(parts) == 0 {
		return nil, fmt.Errorf("no archive file in it can be read%s", firstSkip(t.stats()))
	}
	a, err := z.openCDX(parts)
	if err != nil {
		switch {
		case pathError(err) != nil:
			return nil, err
		case err == errEntry:
			t.skip(name, "an index that cannot be read")
		case err != errNoCDX && err != errDamaged:
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

// parts returns the archive files in a WACZ file of a name. No two of them may have the
// same bytes.
func (z *wacz) parts(name string, t *tally) (parts []part) {
	free := z.size
	for _, f := range z.File {
		if !isWACZPart(f.Name) {
			continue
		}
		free -= int64(f.CompressedSize64)
		p, reason := z.part(f, name)
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

// part returns an archive file in the WACZ file of a name, or the reason why it is of
// no use.
func (z *wacz) part(f *zip.File, name string) (p part, reason string) {
	p = part{path: name, name: f.Name, zip: z.file, size: int64(f.UncompressedSize64)}
	if f.Method != zip.Store {
		p.packed = f
	}
	if p.size < 0 || p.packed == nil && f.UncompressedSize64 != f.CompressedSize64 ||
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

	// errDamaged says that archive files are damaged. Which, is found when they are read.
	errDamaged = errors.New("what the index leads to is damaged")
)

// openCDX opens archive files by the indexes that are with them in the zip. The
// error is errNoCDX or errDamaged, or says that the indexes are of no use.
func (z *wacz) openCDX(parts []part) (*archive, error) {
	x := &cdxReader{parts: parts, numbers: map[string]uint32{}}
	for i, p := range parts {
		x.Bytes += p.size
		if err := parts[i].sniff(); err != nil {
			return nil, err
		}
		x.numbers[path.Base(p.name)] = uint32(i)
		x.limit += p.size/minRecord + 1
	}
	if err := x.readAll(z.File); err != nil {
		return nil, err
	}
	if len(x.entries) == 0 {
		return nil, errNoCDX
	}
	a := newArchive(parts, x.entries, Stats{})
	if err := a.fits(); err != nil {
		a.long.Close()
		return nil, err
	}
	x.Files, x.Kept = len(parts), len(a.index.entries)
	a.stats = x.stats()
	return a, nil
}

// readAll reads all indexes in a WACZ file.
func (x *cdxReader) readAll(files []*zip.File) error {
	err := errNoCDX
	for _, f := range files {
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
// where each says. The error is errCDX, or errDamaged, which says nothing about the index.
func (a *archive) fits() error {
	const tries = 16
	list := a.index.entries
	for i := range min(tries, len(list)) {
		e := &list[i*len(list)/min(tries, len(list))]
		s, err := a.parts[e.part].read(e.position)
		switch {
		case errors.Is(err, errEntry):
			return errDamaged
		case err != nil || hash(Alike(string(s.url))) != e.url:
			return errCDX
		}
	}
	return nil
}
