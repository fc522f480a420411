package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest/tempfile"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/batch/archive"
)

// Open opens the only PDF that a path stands for: a file, a member of an archive, or standard input; see [Inputs].
// The error means that the PDF cannot be read, or that there are several. The caller calls done after using the
// file. The context applies to the file, as with [webcapture.Open].
func Open(ctx context.Context, path string, where PathOptions, opt webcapture.Options) (f *webcapture.File, done func(),
	err error) {
	in, err := single(path, where)
	if err != nil {
		return nil, nil, err
	}
	if f, err = in.open(ctx, opt); err != nil {
		in.close()
		return nil, nil, err
	}
	return f, func() { f.Close(); in.close() }, nil
}

// single returns the only input that a path stands for.
func single(path string, where PathOptions) (*Input, error) {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return &Input{Name: path, path: path}, nil // its error will say that it is a folder
	}
	var first *Input
	for in := range Inputs(slices.Values([]string{path}), where) {
		if first != nil {
			in.close()
			first.close()
			return nil, several(path, first.Name)
		}
		first = in
	}
	if first.Err != nil {
		first.close()
		return nil, first.Err
	}
	return first, nil
}

// several returns the error for a path with several files.
func several(path, first string) error {
	if strings.HasPrefix(first, path+archive.Separator) {
		return fmt.Errorf("the archive has several PDF files; name one, such as %s", first)
	}
	return errors.New("this path has several PDF files; name one")
}

// Local returns the path of a local file with the bytes of the only PDF that path stands for. It is a temporary copy
// for a member of an archive, and path itself for anything else. done removes the copy.
func Local(path string) (file string, done func(), err error) {
	if st, err := os.Stat(path); path == Stdin || err == nil && (!st.Mode().IsRegular() || !isArchiveFile(path)) {
		return path, func() {}, nil
	}
	in, err := single(path, PathOptions{})
	if err != nil {
		return "", nil, err
	}
	defer in.close()
	if in.member == nil {
		return in.path, func() {}, nil
	}
	return copied(io.NewSectionReader(in.member.Data, 0, in.member.Data.Size()))
}

func isArchiveFile(path string) bool {
	f, kind, err := openPDF(path)
	f.Close()
	return err == nil && kind.IsArchive()
}

// copied copies the bytes of r to a temporary file, and returns the path of the file.
func copied(r io.Reader) (file string, done func(), err error) {
	f, err := tempfile.Create(func() (*os.File, error) { return os.CreateTemp("", "webcap-*.pdf") })
	if err != nil {
		return "", nil, err
	}
	if _, err = io.Copy(f, r); err == nil {
		err = f.Close()
	}
	if err != nil {
		f.Close()
		tempfile.Remove(f.Name())
		return "", nil, err
	}
	return f.Name(), func() { tempfile.Remove(f.Name()) }, nil
}
