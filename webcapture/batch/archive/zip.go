package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/klauspost/compress/flate"
)

// zip yields the members of a zip file, in the order of its directory.
func (w *walk) zip(at place, r io.ReaderAt, size int64) error {
	base, err := zipBase(r, size)
	if err != nil {
		return err
	}
	whole := r
	r = io.NewSectionReader(r, base, size-base)
	dir := &directory{ReaderAt: r}
	z, err := zip.NewReader(dir, size-base)
	if err != nil {
		return directoryError(r, size-base, err)
	}
	z.RegisterDecompressor(zip.Deflate, inflate)
	for _, c := range codecs {
		if c.zipMethod != 0 {
			z.RegisterDecompressor(c.zipMethod, c.unpack)
		}
	}
	dir.known.Store(true)
	var closed EntriesError
	list := stretches(z.File)
	again := overlaps(list)
	for i, f := range z.File {
		if w.ended {
			return nil
		}
		z.File[i] = nil // release entries that are done
		if again[i] {
			w.overlapping(at, f, &closed)
		} else {
			w.zipEntry(at, r, f, &closed)
		}
	}
	if err := unlisted(whole, base, list, &closed); err != nil {
		return err
	}
	return closed.err()
}

// stretch is the range of a zip file with the data of an entry, and the index of the entry in the directory.
type stretch struct {
	from, to uint64
	place    int
}

// stretches returns the ranges of entries, in the order of the file.
func stretches(files []*zip.File) []stretch {
	list := make([]stretch, 0, len(files))
	for i, f := range files {
		if at, err := f.DataOffset(); err == nil {
			list = append(list, stretch{uint64(at), uint64(at) + f.CompressedSize64, i})
		}
	}
	slices.SortFunc(list, byStart)
	return list
}

func byStart(a, b stretch) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.place, b.place))
}

// unlisted adds entries that the directory of a zip file does not list to closed. It looks at the beginning of the
// file, and after each listed entry. Offsets in the directory count from base. The error is that of r.
func unlisted(r io.ReaderAt, base int64, list []stretch, closed *EntriesError) error {
	ends := []int64{0}
	for _, s := range list {
		ends = append(ends, base+int64(s.to))
	}
	slices.Sort(ends)
	for _, end := range slices.Compact(ends) { // entries may share their data
		var buf [maxDescriptor + zipLocalSize]byte
		if err := readAt(r, buf[:], end); err != nil {
			return err
		}
		i := bytes.Index(buf[:], []byte(zipLocal))
		if i < 0 || i > maxDescriptor {
			continue
		}
		header, at := buf[i:], end+int64(i)+zipLocalSize
		name := make([]byte, binary.LittleEndian.Uint16(header[26:]))
		data := at + int64(len(name)) + int64(binary.LittleEndian.Uint16(header[28:])) - base
		_, isListed := slices.BinarySearchFunc(list, uint64(data), func(s stretch, from uint64) int {
			return cmp.Compare(s.from, from)
		})
		if data >= 0 && isListed {
			continue
		}
		if err := readAt(r, name, at); err != nil {
			return err
		}
		if len(name) > 0 && bytes.IndexFunc(name, unicode.IsControl) < 0 { // otherwise it is not an entry
			closed.add(string(name), errUnlisted)
		}
	}
	return nil
}

var errUnlisted = errors.New("not listed in the directory of the zip file")

// overlaps returns the indexes of entries whose data overlap the data of an earlier entry in the file. It decodes
// nothing.
func overlaps(list []stretch) map[int]bool {
	again, end := map[int]bool{}, uint64(0)
	for _, s := range list {
		if s.from < end {
			again[s.place] = true
		}
		end = max(end, s.to)
	}
	return again
}

// overlapping yields an entry whose data overlap another entry as a member with an error. If it is not named as a PDF,
// overlapping adds it to closed instead.
func (w *walk) overlapping(at place, f *zip.File, closed *EntriesError) {
	if !isPDFName(f.Name) {
		closed.add(f.Name, errTwice)
		return
	}
	m := at.member(f.Name, int64(f.UncompressedSize64))
	m.Err = errTwice
	w.give(m)
}

// methods are the names of compression methods that webcap cannot read.
var methods = map[uint16]string{1: "shrink", 2: "reduce", 3: "reduce", 4: "reduce", 5: "reduce", 6: "implode",
	9: "deflate64", 10: "PKWARE DCL implode", 14: "lzma", 96: "JPEG", 97: "WavPack", 98: "PPMd"}

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

// inflaters holds unused inflaters: one inflater is larger than most members.
var inflaters sync.Pool

// inflate returns a reader of deflated data. Closing the reader returns its inflater to the pool.
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

// zipEntry yields an entry of a zip file if it is a PDF, and visits it if it is a wanted archive.
func (w *walk) zipEntry(at place, r io.ReaderAt, f *zip.File, closed *EntriesError) {
	name := f.Name
	if strings.HasSuffix(name, "/") {
		if f.UncompressedSize64 == 0 && f.CompressedSize64 == 0 {
			return
		}
		f.Name = strings.TrimRight(name, "/") // package zip does not open a folder with data
	}
	kind, err := w.kindOfEntry(f)
	if kind == Other {
		if err != nil {
			closed.add(name, err)
		} else {
			w.other(at, name, OtherThanPDF(name))
		}
		return
	}
	m := at.member(name, int64(f.UncompressedSize64))
	switch {
	case err != nil:
		m.Err = err
		w.give(m)
		return
	}
	w.both(at, m, kind, int64(f.CompressedSize64), func() (*Data, error) { return w.entryData(at, f) },
		func() (File, int64, error) { return w.openEntry(at, r, f) })
}

// kindOfEntry returns the kind of an entry. A file with the name of a PDF counts as a PDF without a look at its
// data.
func (w *walk) kindOfEntry(f *zip.File) (Kind, error) {
	kind := Other
	if isPDFName(f.Name) && f.Mode().IsRegular() {
		kind = PDF
	}
	if f.Flags&1 != 0 {
		return kind, errEncrypted
	}
	if kind == PDF && methods[f.Method] == "" {
		return kind, nil
	}
	in, err := openZipEntry(f)
	if err != nil {
		return kind, err
	}
	defer in.Close()
	buf := lookAheads.Get().(*bufio.Reader)
	defer lookAheads.Put(buf)
	buf.Reset(in)
	return kindOfStream(buf, f.Name) // an error only with Other
}

func (w *walk) entryData(at place, f *zip.File) (*Data, error) {
	in, err := openZipEntry(f)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := dataOf(w.bounded(at, in, int64(f.CompressedSize64)), int64(f.UncompressedSize64))
	if errors.Is(err, errBomb) {
		err = errTooLarge // webcap reads the later entries
	}
	return data, err
}

// openEntry opens an archive in a zip file. If it is stored without compression, as in WACZ files, it is read in
// place.
func (w *walk) openEntry(at place, r io.ReaderAt, f *zip.File) (File, int64, error) {
	if f.Method == zip.Store && f.CompressedSize64 == f.UncompressedSize64 {
		start, err := f.DataOffset()
		if err != nil {
			return nil, 0, err
		}
		size := int64(f.UncompressedSize64)
		return section{io.NewSectionReader(r, start, size)}, size, nil
	}
	d, err := w.entryData(at, f)
	if err != nil {
		return nil, 0, err
	}
	return d, d.Size(), nil
}

// section is a part of a file; its Close does nothing, because the file has another owner.
type section struct{ *io.SectionReader }

func (section) Close() error { return nil }

const (
	zipEnd         = "PK\x05\x06" // begins the record at the end of a zip file (APPNOTE.TXT, 4.3.16)
	zipEndSize     = 22
	maxZipComment  = 1<<16 - 1
	zip64Locator   = "PK\x06\x07"
	zip64Size      = 20
	zipEntryHeader = "PK\x01\x02"
	zipLocal       = "PK\x03\x04" // header of an entry, before its data
	zipLocalSize   = 30
	maxDescriptor  = 24 // maximum size of the data descriptor after an entry
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

// endsInZip reports whether a file ends like a zip file. It reads the end of the file into buf. The error is that
// of r.
func endsInZip(r io.ReaderAt, size int64, buf []byte) (bool, error) {
	tail := buf[:min(size, int64(len(buf)))]
	if err := readAt(r, tail, size-int64(len(tail))); err != nil {
		return false, err
	}
	at := bytes.LastIndex(tail, []byte(zipEnd))
	return at >= 0 && len(tail)-at >= zipEndSize && isZipEnd(tail[at:]), nil
}

var errDirectory = fmt.Errorf("its directory has more than %d bytes", maxDirectory)

// directory reads a zip file. Until the directory is parsed, it reads at most maxDirectory bytes.
type directory struct {
	io.ReaderAt
	read  atomic.Int64
	known atomic.Bool
}

func (d *directory) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 { // otherwise, the caller would take it for an I/O error
		return 0, zip.ErrFormat
	}
	if !d.known.Load() && d.read.Add(int64(len(p))) > maxDirectory {
		return 0, errDirectory
	}
	return d.ReaderAt.ReadAt(p, at)
}
