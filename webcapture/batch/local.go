package batch

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// Local returns the path of a local file with the bytes of the only PDF that path stands for; see [Inputs]. It is a
// temporary copy for a member of an archive, and path itself for anything else. done removes the copy. The error means
// that the archive cannot be read, or that there are several PDF files.
func Local(path string) (file string, done func(), err error) {
	if st, err := os.Stat(path); path == Stdin || err == nil && !st.Mode().IsRegular() {
		return path, func() {}, nil
	}
	var only *Input
	for in := range Inputs(slices.Values([]string{path}), PathOptions{}) {
		in.load()
		defer in.Close()
		if only != nil {
			return "", nil, fmt.Errorf("it has several PDF files; name one, such as %s", only.Name)
		}
		only = in
	}
	switch {
	case only.Err != nil:
		return "", nil, only.Err
	case only.member == nil:
		return only.path, func() {}, nil
	}
	return copied(io.NewSectionReader(only.member.Data, 0, only.member.Data.Size()))
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
