package source

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A wacz is a zip file that is open. Its directory is read once.
type wacz struct {
	*zip.Reader
	data     io.ReaderAt
	size     int64
	file     *os.File // that data is; nil for one in another
	unpacked *unpacked
	depth    int  // in others
	nested   bool // there are others in it
	damaged  bool // not all archive files in it can be read, of which its index may speak
}

// openWACZFile opens a zip file.
func openWACZFile(name string) (*wacz, error) { return openZip(name, maxZipDirectory) }

// openZip opens a zip file whose directory has at most so many bytes.
func openZip(name string, maxDirectory int64) (*wacz, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	z, err := newWACZ(file, info.Size(), maxDirectory)
	if err != nil {
		file.Close()
		return nil, err
	}
	z.file = file
	return z, nil
}

// newWACZ reads the directory of a zip file, which may have at most so many bytes: for
// each entry in it a program needs ten times as much memory as there may be on disk.
func newWACZ(data io.ReaderAt, size, maxDirectory int64) (*wacz, error) {
	dir := &directoryReader{ReaderAt: data}
	dir.left.Store(maxDirectory)
	z, err := zip.NewReader(dir, size)
	if err != nil {
		return nil, err
	}
	dir.read.Store(true)
	return &wacz{Reader: z, data: data, size: size, unpacked: &unpacked{most: MaxBody + maxRatio*size}}, nil
}

// Close closes the file.
func (z *wacz) Close() error { return errors.Join(z.unpacked.Close(), z.file.Close()) }

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

// isWACZ says whether a file is a zip with archive files where WACZ has them, or a list of such
// files.
func isWACZ(name string) bool {
	if regular(name) != nil {
		return false
	}
	if readMultiWACZ(name) != nil {
		return true
	}
	z, err := openWACZFile(name)
	if err != nil {
		return errors.Is(err, errZipDirectory) // openWACZ says so
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

// scanned returns the index of all that the archive files have, whatever their own index lists, but for
// what that says is useless. It notes how much more that is.
func (a *archive) scanned(useless map[entry]bool, o Options) *index {
	parts := slices.Clone(a.parts)
	for i := range parts {
		parts[i].indexed = nil
	}
	all, err := openParts(parts, o)
	if err != nil {
		return newIndex(entries{})
	}
	all.index.entries.keep(func(e *entry) bool { return !useless[place(e)] })
	x := newIndex(all.index.entries)
	a.unlisted.Store(int64(x.lacking(a.index)))
	return x
}

// lacking returns how many entries of x are of records that other has not.
func (x *index) lacking(other *index) (n int) {
	there := other.inPlace()
	for _, i := range x.inPlace() {
		e := x.entries.at(int(i))
		for len(there) > 0 && byPlace(other.entries.at(int(there[0])), e) < 0 {
			there = there[1:]
		}
		if len(there) == 0 || byPlace(other.entries.at(int(there[0])), e) > 0 {
			n++
		}
	}
	return n
}

// place returns an entry with nothing but the place of its record.
func place(e *entry) entry { return entry{part: e.part, position: e.position} }

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
	inner, err := newWACZ(io.NewSectionReader(p.zip, p.base, p.size), p.size, maxZipDirectory)
	if err != nil {
		t.skip(where, "a WACZ file that is not a zip file, or has too many entries")
		return nil, nil
	}
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

var (
	errNoCDX = errors.New("there is no index")
	errCDX   = errors.New("the index does not fit")
)

// openCDX opens archive files by the indexes that are with them in the zip. The
// error is errNoCDX, or says that the indexes are of no use.
func (z *wacz) openCDX(parts []part, o Options) (*archive, error) {
	if z.nested || z.damaged {
		return nil, errNoCDX // each WACZ file has its own, and names of files may be the same in all of them
	}
	x := &cdxReader{parts: parts, numbers: map[string]uint32{}, useless: map[entry]bool{}}
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
	if x.entries.len() == 0 {
		return nil, errNoCDX
	}
	x.entries.distinct()
	a := newArchive(parts, x.entries, Stats{})
	if err := a.fits(); err != nil {
		a.long.Close()
		return nil, err
	}
	a.rest = sync.OnceValue(func() *index { return a.scanned(x.useless, o) })
	x.Files, x.Kept = len(parts), a.index.entries.len()
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
// where each says. The error is errCDX.
func (a *archive) fits() error {
	const tries = 16
	n := a.index.entries.len()
	for i := range min(tries, n) {
		e := a.index.entries.at(i * n / min(tries, n))
		s, err := a.parts[e.part].read(e.position)
		if err != nil || hash(Alike(string(s.url))) != e.url {
			return errCDX
		}
	}
	return nil
}
