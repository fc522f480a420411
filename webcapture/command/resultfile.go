package command

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// resultFile is an output file. Unless it is written in place, it has a temporary name until it is complete. Until
// then, an existing file with its final name stays.
//
// Package rewrite replaces files differently: it checks the new file before renaming it, keeps a backup, and copies
// owner and times. Results need none of that, and are written during a long run.
type resultFile struct {
	path string
	temp string // "" if the file is written in place
	f    *os.File
	buf  *bufio.Writer
}

// createResult creates a file for results. The file is written in place if path is a pipe, a symbolic link, or another
// special file, which must stay.
func createResult(path string) (*resultFile, error) {
	r := &resultFile{path: path}
	was, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	exists := err == nil
	if exists && !was.Mode().IsRegular() {
		r.f, err = os.Create(path)
	} else {
		// A file made by os.CreateTemp would be unreadable for other users.
		r.temp = filepath.Join(filepath.Dir(path), fmt.Sprintf(".webcap-%016x.tmp", rand.Uint64()))
		r.f, err = tempfile.Create(func() (*os.File, error) {
			return os.OpenFile(r.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		})
	}
	if err != nil {
		return nil, err
	}
	r.buf = bufio.NewWriterSize(r.f, 1<<16)
	if r.temp != "" && exists {
		if err := r.f.Chmod(was.Mode().Perm()); err != nil {
			r.drop()
			return nil, err
		}
	}
	return r, nil
}

// install completes the file, and renames it to its final name unless it was written in place.
func (r *resultFile) install() error {
	if err := r.buf.Flush(); err != nil {
		return err
	}
	if r.temp == "" {
		return r.f.Close()
	}
	if err := r.f.Sync(); err != nil {
		return err
	}
	if err := r.f.Close(); err != nil {
		return err
	}
	if err := tempfile.Rename(r.temp, r.path); err != nil {
		return err
	}
	r.temp = ""
	return nil
}

// drop removes the file if it was not installed. A file written in place keeps its contents.
func (r *resultFile) drop() {
	r.f.Close()
	if r.temp != "" {
		tempfile.Remove(r.temp)
	}
}
