package archive

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

var (
	errDirectory = fmt.Errorf("its directory has more than %d bytes", maxDirectory)
	errZip       = errors.New("the zip file is cut off or damaged: its directory is missing or wrong")
	errEncrypted = errors.New("encrypted in the archive")
)

// zip yields the members of a zip file, in the order of its directory.
func (w *walk) zip(at *place, r io.ReaderAt, size int64) error {
	dir := &directory{ReaderAt: r}
	z, err := zip.NewReader(dir, size)
	switch {
	case err == zip.ErrFormat, err == io.EOF, err == io.ErrUnexpectedEOF:
		return errZip
	case err != nil:
		return err
	}
	dir.known = true
	for i, f := range z.File {
		if w.ended {
			return nil
		}
		z.File[i] = nil // release entries that are done
		w.zipEntry(at, r, f)
	}
	return nil
}

// openZipEntry opens an entry.
func openZipEntry(f *zip.File) (io.ReadCloser, error) {
	if f.Flags&1 != 0 {
		return nil, errEncrypted
	}
	in, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		err = fmt.Errorf("compressed with method %d, which webcap cannot read; unpack the zip file", f.Method)
	}
	return in, err
}

// zipEntry yields an entry of a zip file if it is a PDF, or cannot be read, and visits it if it is an archive.
func (w *walk) zipEntry(at *place, r io.ReaderAt, f *zip.File) {
	e := entry{name: f.Name, size: int64(f.UncompressedSize64), stored: int64(f.CompressedSize64)}
	switch {
	case strings.HasSuffix(f.Name, "/") && e.size == 0: // a folder
		return
	case f.Mode()&fs.ModeSymlink != 0:
		w.other(at, e.name, InnerLink)
		return
	}
	if data, err := f.DataOffset(); err == nil && f.Method == zip.Store && f.Flags&1 == 0 && e.stored == e.size {
		stored := io.NewSectionReader(r, data, e.size)
		if kind, err := KindOf(stored, e.size, e.name); err == nil && kind.IsArchive() {
			e.kind, e.inPlace, e.sum = kind, stored, f.CRC32
			w.file(at, e)
			return
		}
	}
	in, err := openZipEntry(f)
	if err == nil {
		defer in.Close()
		buf := lookAheads.Get().(*bufio.Reader)
		defer lookAheads.Put(buf)
		buf.Reset(w.bounded(at, in, e.stored))
		e.read = func() (*Data, error) { return dataOf(buf) }
		e.kind, err = kindOfStream(buf, e.name)
	}
	switch {
	case err != nil: // it may be a PDF
		e.kind, e.read = PDF, func() (*Data, error) { return nil, err }
	case e.kind == Other:
		w.other(at, e.name, NotPDF)
		return
	}
	w.file(at, e)
}

// directory reads a zip file. Until the directory is parsed, it reads at most maxDirectory bytes.
type directory struct {
	io.ReaderAt
	read  int64
	known bool
}

func (d *directory) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 { // otherwise, the caller would take it for an I/O error
		return 0, zip.ErrFormat
	}
	if d.read += int64(len(p)); !d.known && d.read > maxDirectory {
		return 0, errDirectory
	}
	return d.ReaderAt.ReadAt(p, at)
}
