package archive

import (
	"archive/tar"
	"archive/zip"
	"compress/bzip2"
	"compress/flate"
	"errors"
	"io"
)

// damages maps errors of packages that read archives to texts for users.
var damages = []struct {
	err  error
	text string
}{
	{zip.ErrFormat, "the zip file is cut off or damaged: it has no directory"},
	{zip.ErrChecksum, "the zip entry is damaged: wrong checksum"},
	{tar.ErrHeader, "the tar file is damaged: a header is wrong"},
	{io.ErrUnexpectedEOF, "the data are cut off"},
}

// damageError replaces the text of a library's error with one for users.
type damageError struct {
	text string
	err  error
}

func (d *damageError) Error() string { return d.text }

func (d *damageError) Unwrap() error { return d.err }

// damageOf returns err with a text for users if a package that reads archives returned it. Any other error stays
// unchanged.
func damageOf(err error) error {
	for _, d := range damages {
		if err == d.err {
			return &damageError{d.text, err}
		}
	}
	if d, ok := errors.AsType[flate.CorruptInputError](err); ok {
		return &damageError{"the deflated data are damaged", d}
	}
	if d, ok := errors.AsType[bzip2.StructuralError](err); ok {
		return &damageError{"the bzip2 data are damaged", d}
	}
	return err
}
