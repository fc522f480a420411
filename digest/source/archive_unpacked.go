package source

import (
	"archive/zip"
	"errors"
	"io"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// An unpacked has archive files that are deflated in a zip file, in a temporary file: each is
// inflated once, and not again for each record that is looked up.
type unpacked struct {
	file *tempfile.File // nil if there are none
	size int64
	most int64 // that size may be
}

// Close removes the file.
func (u *unpacked) Close() error {
	if u.file == nil {
		return nil
	}
	return u.file.Close()
}

// add inflates an entry into the file, and returns where it begins there. The error is errEntry, or
// that of the disk.
func (u *unpacked) add(f *zip.File) (at int64, err error) {
	if u.file == nil {
		if u.file, err = tempfile.New(); err != nil {
			return 0, err
		}
	}
	entry, err := f.Open()
	if err != nil {
		return 0, err
	}
	r := inflated{entry}
	defer r.Close()
	size := int64(f.UncompressedSize64)
	n, err := io.Copy(io.NewOffsetWriter(u.file, u.size), io.LimitReader(r, size+1))
	if err == nil && n > size {
		err = errEntry
	}
	if err != nil {
		return 0, err
	}
	at = u.size
	u.size += n
	return at, nil
}

// errEntry says that an entry of a zip file is damaged.
var errEntry = errors.New("an entry of the zip that is damaged")

// An inflated is a deflated entry of a zip file. Its errors are errEntry, or those of
// the disk.
type inflated struct{ io.ReadCloser }

func (r inflated) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if err != nil && err != io.EOF && pathError(err) == nil {
		err = errEntry
	}
	return n, err
}
