package archive

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// zip yields what is in a zip file, in the order of its directory.
func (w *walk) zip(at place, r io.ReaderAt, size int64) error {
	dir := &directory{ReaderAt: r}
	z, err := zip.NewReader(dir, size)
	if err != nil {
		return err
	}
	z.RegisterDecompressor(zip.Deflate, inflate)
	z.RegisterDecompressor(zstd.ZipMethodWinZip,
		zstd.ZipDecompressor(zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow)))
	dir.known.Store(true)
	stored := uint64(size)
	var closed unreadableEntries
	for i, f := range z.File {
		if w.ended {
			return nil
		}
		z.File[i] = nil // what is passed is not held
		if f.CompressedSize64 > stored {
			return errTwice
		}
		stored -= f.CompressedSize64
		w.zipEntry(at, r, f, &closed)
	}
	return closed.err()
}

// unreadableEntries counts the entries that cannot be opened, which may be PDF files.
type unreadableEntries struct {
	n     int
	first error
}

func (c *unreadableEntries) add(name string, err error) {
	if c.n++; c.n == 1 {
		c.first = fmt.Errorf("%s: %w", name, err)
	}
}

func (c *unreadableEntries) err() error {
	switch c.n {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("an entry cannot be looked into: %w", c.first)
	}
	return fmt.Errorf("%d entries cannot be looked into, the first: %w", c.n, c.first)
}

// inflaters holds unused inflaters: one is larger than most members.
var inflaters sync.Pool

// inflate returns a reader of deflated data. Closing it gives the inflater back.
func inflate(r io.Reader) io.ReadCloser {
	f, ok := inflaters.Get().(io.ReadCloser)
	if !ok {
		f = flate.NewReader(r)
	} else if err := f.(flate.Resetter).Reset(r, nil); err != nil {
		f = flate.NewReader(r)
	}
	return &inflatedEntry{f}
}

type inflatedEntry struct{ io.ReadCloser }

func (i *inflatedEntry) Read(p []byte) (int, error) {
	if i.ReadCloser == nil {
		return 0, os.ErrClosed
	}
	return i.ReadCloser.Read(p)
}

func (i *inflatedEntry) Close() error {
	if i.ReadCloser == nil {
		return nil
	}
	err := i.ReadCloser.Close()
	inflaters.Put(i.ReadCloser)
	i.ReadCloser = nil
	return err
}

// zipEntry yields an entry of a zip file, if it is wanted.
func (w *walk) zipEntry(at place, r io.ReaderAt, f *zip.File, closed *unreadableEntries) {
	if !f.Mode().IsRegular() {
		return
	}
	kind, err := w.kindOfEntry(f)
	if kind == Other {
		if err != nil {
			closed.add(f.Name, err)
		}
		return
	}
	m := at.member(f.Name, int64(f.UncompressedSize64))
	switch {
	case err != nil:
		m.Err = err
	case kind.IsArchive():
		w.nested(at, m, func() (File, int64, error) { return w.openEntry(r, f) })
		return
	default:
		m.data = func() (*Data, error) { return w.entryData(f) }
	}
	w.give(m)
}

// kindOfEntry tells what an entry is. One with the name of a PDF is one, and not looked at yet.
func (w *walk) kindOfEntry(f *zip.File) (Kind, error) {
	kind := Other
	if isPDFName(f.Name) {
		kind = PDF
	}
	if f.Flags&1 != 0 {
		return kind, errEncrypted
	}
	if kind == PDF {
		return kind, nil
	}
	in, err := f.Open()
	if err != nil {
		return kind, err
	}
	defer in.Close()
	if w.peek == nil {
		w.peek = bufio.NewReaderSize(nil, lookAhead)
	}
	w.peek.Reset(in)
	kind, err = kindOf(w.peek)
	if kind != Other {
		err = nil // whether it is whole shows when it is read
	}
	return kind, err
}

func (w *walk) entryData(f *zip.File) (*Data, error) {
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return dataOf(w.bounded(in), int64(f.UncompressedSize64))
}

// openEntry opens an archive that is in a zip file: where it stands if it is stored there as
// it is, as it is in WACZ files.
func (w *walk) openEntry(r io.ReaderAt, f *zip.File) (File, int64, error) {
	if f.Method == zip.Store && f.CompressedSize64 == f.UncompressedSize64 {
		start, err := f.DataOffset()
		if err != nil {
			return nil, 0, err
		}
		size := int64(f.UncompressedSize64)
		return section{io.NewSectionReader(r, start, size)}, size, nil
	}
	d, err := w.entryData(f)
	if err != nil {
		return nil, 0, err
	}
	return d, d.Size(), nil
}

// section is a part of a file that another owner closes.
type section struct{ *io.SectionReader }

func (section) Close() error { return nil }

var errDirectory = fmt.Errorf("its directory has more than %d bytes", maxDirectory)

// directory reads a zip file, at most maxDirectory bytes of it before its directory is known.
type directory struct {
	io.ReaderAt
	read  atomic.Int64
	known atomic.Bool
}

func (d *directory) ReadAt(p []byte, at int64) (int, error) {
	if !d.known.Load() && d.read.Add(int64(len(p))) > maxDirectory {
		return 0, errDirectory
	}
	return d.ReaderAt.ReadAt(p, at)
}
