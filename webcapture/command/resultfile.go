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

// resultFile is an output file that is written under a temporary name, and renamed when it is
// complete. What has the name until then stays as it is.
//
// Package rewrite replaces files in a way of its own: it has the new file checked
// before it gets its name, keeps a backup, and takes over owner and times. Of all that
// results need nothing, and they are written over the length of a run, not in one go.
type resultFile struct {
	path string
	temp string // "" if the file is written where it is
	f    *os.File
	buf  *bufio.Writer
}

// createResult makes a file for results. It is written in place if a reader may
// watch it grow, or if path leads to something that is not a file, such as a
// pipe or a symbolic link, and is to stay that.
func createResult(path string, grows bool) (*resultFile, error) {
	r := &resultFile{path: path}
	was, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	exists := err == nil
	if grows || exists && !was.Mode().IsRegular() {
		r.f, err = os.Create(path)
	} else {
		// os.CreateTemp would keep the file from everybody else.
		r.temp = filepath.Join(filepath.Dir(path), fmt.Sprintf(".webcap-%016x.tmp", rand.Uint64()))
		r.f, err = tempfile.Create(func() (*os.File,
			error) {
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

// install gives the file its name.
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

// drop removes what has not been installed. Of a file that is written where it
// is, what was written stays.
func (r *resultFile) drop() {
	r.f.Close()
	if r.temp != "" {
		tempfile.Remove(r.temp)
	}
}
