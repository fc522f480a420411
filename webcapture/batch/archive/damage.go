package archive

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// damageOf returns the error of a package that reads archives in words for users. Any other error stays unchanged.
func damageOf(err error) error {
	if _, ok := errors.AsType[flate.CorruptInputError](err); ok {
		return damaged("data of the zip entry", err)
	}
	switch err {
	case zip.ErrFormat, zip.ErrChecksum, io.EOF:
		return damaged("data of the zip entry", err)
	case tar.ErrHeader:
		return damaged("headers of the tar file", err)
	case io.ErrUnexpectedEOF:
		return damaged("data", err)
	}
	return err
}

// damaged says in words for users how data are damaged, given the error of their decoder. An error of the disk stays
// unchanged.
func damaged(data string, err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return err
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("the %s are cut off", data)
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, gzip.ErrChecksum), errors.Is(err, zstd.ErrCRCMismatch):
		return fmt.Errorf("the %s are damaged: the checksum is wrong", data)
	}
	return fmt.Errorf("the %s are damaged", data)
}
