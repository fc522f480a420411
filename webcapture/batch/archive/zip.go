package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// zip yields the members of a zip file, in the order of its directory.
func (w *walk) zip(at *place, r io.ReaderAt, size int64) error {
	var start [startSize]byte
	if err := readAt(r, start[:], 0); err != nil {
		return err
	}
	base, err := zipBase(r, size)
	if err != nil {
		return err
	}
	r = io.NewSectionReader(r, base, size-base)
	dir := &directory{ReaderAt: r}
	z, err := zip.NewReader(dir, size-base)
	if err != nil {
		return directoryError(r, size-base, err)
	}
	for _, c := range codecs {
		if c.zipMethod != 0 {
			z.RegisterDecompressor(c.zipMethod, c.unpack)
		}
	}
	dir.known = true
	first := int64(firstEntry(start[:], zipped)) // position of data; 0 if an entry of the directory has it
	var closed EntriesError
	for i, f := range z.File {
		if w.ended {
			return nil
		}
		z.File[i] = nil // release entries that are done
		if first > 0 {
			if data, err := f.DataOffset(); err == nil && base+data == first {
				first = 0
			}
		}
		if err := w.zipEntry(at, r, f); err != nil {
			closed.add(f.Name, err)
		}
	}
	if first > 0 && closed.Count == 0 && !w.ended {
		return errUnlisted
	}
	return closed.err()
}

// errUnlisted means that a zip file begins with an entry that is not in its directory, as if two were put together.
var errUnlisted = errors.New("it begins with entries that its directory does not list; webcap skips them")

// methods are the names of compression methods that webcap cannot read, and that programs still write.
var methods = map[uint16]string{9: "deflate64", 14: "lzma", 98: "PPMd"}

// methodError returns an error that names the compression method, which webcap cannot read.
func methodError(method uint16) error {
	name, ok := methods[method]
	if !ok {
		name = fmt.Sprintf("method %d", method)
	}
	return fmt.Errorf("compressed with %s, which webcap cannot read", name)
}

// openZipEntry opens an entry.
func openZipEntry(f *zip.File) (io.ReadCloser, error) {
	if f.Flags&1 != 0 {
		return nil, errEncrypted
	}
	in, err := f.Open()
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		return nil, methodError(f.Method)
	case err == zip.ErrFormat, err == io.EOF, err == io.ErrUnexpectedEOF:
		return nil, &damageError{"the zip entry is damaged: it has no header", err}
	}
	return in, err
}

// failedReader returns its error from every Read.
type failedReader struct{ error }

func (f failedReader) Read([]byte) (int, error) { return 0, f.error }

// EntriesError means that some entries of an archive cannot be read to detect their kind. They may be PDF files.
type EntriesError struct {
	Count int
	First error
}

func (e *EntriesError) add(name string, err error) {
	if e.Count++; e.Count == 1 {
		e.First = fmt.Errorf("%s: %w", name, damageOf(err))
	}
}

func (e *EntriesError) err() error {
	if e.Count == 0 {
		return nil
	}
	return e
}

// Error returns the number of entries and the error of the first one.
func (e *EntriesError) Error() string {
	if e.Count == 1 {
		return fmt.Sprintf("cannot look into an entry: %v", e.First)
	}
	return fmt.Sprintf("cannot look into %d entries, the first: %v", e.Count, e.First)
}

// Unwrap returns the error of the first entry, for errors.Is and errors.As.
func (e *EntriesError) Unwrap() error { return e.First }

// zipEntry yields an entry of a zip file if it is a PDF, and visits it if it is an archive. The error means that the
// entry cannot be read to detect its kind.
func (w *walk) zipEntry(at *place, r io.ReaderAt, f *zip.File) error {
	e := entry{name: f.Name, size: int64(f.UncompressedSize64), stored: int64(f.CompressedSize64)}
	if strings.HasSuffix(f.Name, "/") {
		if f.UncompressedSize64 == 0 && f.CompressedSize64 == 0 {
			return nil
		}
		f.Name = strings.TrimRight(f.Name, "/") // package zip does not open a folder with data
	}
	if f.Mode()&fs.ModeSymlink != 0 {
		w.other(at, e.name, InnerLink)
		return nil
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
	case err != nil && isPDFName(f.Name):
		e.kind, e.read = PDF, func() (*Data, error) { return nil, err }
	case err != nil:
		return err
	case e.kind == Other:
		w.other(at, e.name, OtherThanPDF(e.name))
		return nil
	case e.kind.IsArchive() && f.Method == zip.Store && e.stored == e.size:
		if data, err := f.DataOffset(); err == nil {
			e.inPlace = io.NewSectionReader(r, data, e.size)
		}
	}
	w.file(at, e)
	return nil
}

const (
	zipEnd         = "PK\x05\x06" // begins the record at the end of a zip file (APPNOTE.TXT, 4.3.16)
	zipEndSize     = 22
	maxZipComment  = 1<<16 - 1
	zip64Locator   = "PK\x06\x07"
	zip64Size      = 20
	zipEntryHeader = "PK\x01\x02"
)

// zipBase returns the start of a zip file at the end of a file, if the offsets in its directory count from there.
// Other data, such as another zip file, may come before it. The error is that of r.
func zipBase(r io.ReaderAt, size int64) (int64, error) {
	tail := make([]byte, min(size, zipEndSize+maxZipComment))
	if err := readAt(r, tail, size-int64(len(tail))); err != nil {
		return 0, err
	}
	at := bytes.LastIndex(tail, []byte(zipEnd))
	if at < 0 || len(tail)-at < zipEndSize {
		return 0, nil
	}
	directory := size - int64(len(tail)-at) - int64(binary.LittleEndian.Uint32(tail[at+12:]))
	base := directory - int64(binary.LittleEndian.Uint32(tail[at+16:]))
	if base <= 0 {
		return 0, nil
	}
	var first [len(zipEntryHeader)]byte
	if err := readAt(r, first[:], directory); err != nil || string(first[:]) != zipEntryHeader {
		return 0, err
	}
	return base, nil
}

// directoryError returns the error for a zip file whose directory cannot be read.
func directoryError(r io.ReaderAt, size int64, err error) error {
	damaged := err == zip.ErrFormat || err == io.EOF || err == io.ErrUnexpectedEOF
	if has, _ := hasDirectory(r, size); has && damaged {
		return &damageError{"the directory of the zip file is damaged, or its number of entries is wrong", err}
	}
	return err
}

// hasDirectory reports whether a file has the directory of a zip file near its end. Other data may follow the
// directory, such as the signature of a program. The error is that of r.
func hasDirectory(r io.ReaderAt, size int64) (bool, error) {
	tail := make([]byte, min(size, zipEndSize+maxZipComment))
	if err := readAt(r, tail, size-int64(len(tail))); err != nil {
		return false, err
	}
	at := bytes.LastIndex(tail, []byte(zipEnd))
	if at < 0 || len(tail)-at < zipEndSize {
		return false, nil
	}
	if isZipEnd(tail[at:]) || bytes.HasPrefix(tail[max(at-zip64Size, 0):], []byte(zip64Locator)) {
		return true, nil
	}
	var first [len(zipEntryHeader)]byte
	directory := size - int64(len(tail)-at) - int64(binary.LittleEndian.Uint32(tail[at+12:]))
	if directory < 0 {
		return false, nil
	}
	err := readAt(r, first[:], directory)
	return string(first[:]) == zipEntryHeader, err
}

// readAt reads into buf from offset at. The end of the file is not an error.
func readAt(r io.ReaderAt, buf []byte, at int64) error {
	if _, err := r.ReadAt(buf, at); err != io.EOF {
		return err
	}
	return nil
}

// isZipEnd reports whether end is the end of a zip file, including its comment.
func isZipEnd(end []byte) bool {
	return zipEndSize+int(binary.LittleEndian.Uint16(end[zipEndSize-2:])) == len(end)
}

var errDirectory = fmt.Errorf("its directory has more than %d bytes", maxDirectory)

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
