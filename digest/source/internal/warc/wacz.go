package warc

import (
	"archive/zip"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
)

// isPart reports whether an entry of a WACZ file has the name of an archive file.
func isPart(name string) bool {
	isEnd := func(end string) bool { return strings.HasSuffix(strings.ToLower(name), end) }
	return strings.HasPrefix(name, "archive/") && slices.ContainsFunc(Names, isEnd)
}

// errDirectory means that a zip file has no readable directory.
var errDirectory = errors.New("the zip file is cut off or damaged: it has no directory")

// openZip reads the directory of a zip file, which is paid into m. The error is errDirectory, meter.Over, or that of
// data.
func openZip(data io.ReaderAt, size int64, m *meter.Meter) (*zip.Reader, error) {
	z, err := zip.NewReader(directoryReader{data, m}, size)
	if errors.Is(err, zip.ErrFormat) || err == io.EOF || err == io.ErrUnexpectedEOF { // the last two: it is cut off
		err = errDirectory
	}
	return z, err
}

// directoryReader reads the directory of a zip file, and pays for its memory.
type directoryReader struct {
	io.ReaderAt
	meter *meter.Meter
}

// entryMemory is the memory of an entry in proportion to its size in the directory.
const entryMemory = 10

func (r directoryReader) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 { // without this error, the caller would get an error that looks like one of the disk
		return 0, zip.ErrFormat
	}
	if err := r.meter.Keep(entryMemory * int64(len(p))); err != nil {
		return 0, err
	}
	return r.ReaderAt.ReadAt(p, at)
}

// WACZ returns the archive files in a WACZ file. It does not use the index of the WACZ file, which may lack records. The
// parts share what is left of the budget of the file, in proportion to their sizes, so entries that share bytes of the
// zip file are harmless.
func WACZ(name string, t *capture.Stats) ([]capture.File, error) {
	file, err := localfile.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	whole := Part{Path: name, Size: localfile.OpenSize(file)}
	m := meter.New(whole.Size)
	parts, err := collect(file, whole, m, t)
	if err != nil {
		return nil, err
	}
	total := 1.0
	for _, p := range parts {
		total += float64(p.Size)
	}
	var files []capture.File
	for _, p := range parts {
		p.meter = m.Share(float64(p.Size) / total)
		files = append(files, p)
	}
	return files, nil
}

// partWork is the price of an archive file in a WACZ file, in addition to its data: it is opened and scanned by itself.
const partWork = 24 << 10

// collect returns the archive files in a WACZ file, and in the WACZ files nested in it, as in a multi-WACZ package.
// place is the place of the WACZ file in the file. The budget limits the nesting. The error is errDirectory,
// meter.Over, or a read error of the disk.
func collect(file io.ReaderAt, place Part, m *meter.Meter, t *capture.Stats) (parts []*Part, err error) {
	z, err := openZip(io.NewSectionReader(file, place.Base, place.Size), place.Size, m)
	if err != nil {
		return nil, err
	}
	for _, f := range z.File {
		if !isPart(f.Name) && !strings.HasSuffix(strings.ToLower(f.Name), ".wacz") {
			continue
		}
		p := place
		p.Name = strings.TrimPrefix(place.Name+", "+f.Name, ", ")
		if err := cmp.Or(m.Pay(partWork), m.Keep(int64(len(p.Name)))); err != nil {
			return nil, err
		}
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
		case isPart(f.Name):
			parts = append(parts, &p)
		default:
			inner, err := collect(file, p, m, t)
			if err == errDirectory {
				t.SkipLost(p.String(), "a WACZ file that is not a zip file")
			} else if err != nil {
				return nil, err
			}
			parts = append(parts, inner...)
		}
	}
	return parts, nil
}
