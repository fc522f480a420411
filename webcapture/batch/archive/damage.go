package archive

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"slices"
)

// damages are errors of packages that read archives, and what they mean to users.
var damages = []struct {
	errs []error
	text string
}{
	{[]error{zip.ErrFormat, zip.ErrChecksum, io.EOF}, "the zip entry is damaged"},
	{[]error{tar.ErrHeader}, "the tar file is damaged"},
	{[]error{io.ErrUnexpectedEOF}, "the data are cut off"},
}

// damageOf returns err with a text for users if a package that reads archives returned it. Any other error stays
// unchanged.
func damageOf(err error) error {
	for _, d := range damages {
		if slices.Contains(d.errs, err) {
			return fmt.Errorf("%s: %w", d.text, err)
		}
	}
	if _, ok := errors.AsType[flate.CorruptInputError](err); ok {
		return fmt.Errorf("the zip entry is damaged: %w", err)
	}
	return err
}
