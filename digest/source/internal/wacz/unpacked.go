package wacz

import (
	"archive/zip"
	"io"

	"github.com/webcap-tools/webcap/digest/source/internal/zipfile"
	"github.com/webcap-tools/webcap/digest/tempfile"
)

// unpackedFolder is a temporary file with the decompressed data of archive files in a zip file. So each archive file
// is decompressed only once, instead of for each look-up of a record.
type unpackedFolder struct {
	file *tempfile.File // nil if there are no data
	size int64
	most int64 // maximum of size
}

// Close removes the file.
func (u *unpackedFolder) Close() error {
	if u.file == nil {
		return nil
	}
	return u.file.Close()
}

// add decompresses an entry into the file, and returns its position in the file. The error is zipfile.ErrEntry, or an
// error of the disk.
func (u *unpackedFolder) add(f *zip.File) (at int64, err error) {
	if u.file == nil {
		if u.file, err = tempfile.New(); err != nil {
			return 0, err
		}
	}
	r, err := zipfile.OpenEntry(f)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	size := int64(f.UncompressedSize64)
	n, err := io.Copy(io.NewOffsetWriter(u.file, u.size), io.LimitReader(r, size+1))
	if err == nil && n > size {
		err = zipfile.ErrEntry
	}
	if err != nil {
		return 0, err
	}
	at = u.size
	u.size += n
	return at, nil
}
