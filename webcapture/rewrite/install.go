package rewrite

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/webcap-tools/webcap/digest/tempfile"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
)

// installOptions says where a new file goes. The zero value is for an output
// that is not the input.
type installOptions struct {
	InPlace  bool // replace the input; out is not looked at
	NoBackup bool // keep no FILE.bak of an input that is replaced

	Keep []string    // files that are not overwritten
	Read os.FileInfo // the input as it was when it was read; nil if it was not yet
}

// install writes a file next to out, has it checked, and gives it out's name.
//
// Until the last step, one rename, whatever has the name out keeps it and keeps
// its bytes; afterwards the name means the new file, which is complete, was
// synced, and has passed check. When install fails, the temporary file is removed
// as far as that can be done; so it is by tempfile.RemoveAll when the process is
// interrupted. One that is killed may leave it behind (.NAME.*.tmp), and with it a whole
// FILE.bak: see beside.go.
//
// Another output that exists is overwritten. It is refused if it is the input, or one of those
// to keep, under any name, or not a regular file. A symbolic link stays one: what it leads to
// is replaced. Of several hard links, only the one that is named is replaced; the
// others keep the old file.
//
// The new file gets the permissions of in, and in's owner where the system allows
// it.
//
// In place, the original stays as FILE.bak next to the file itself, as a hard link
// or, where there are none, as a copy, which keeps the time of modification. A FILE.bak
// that is there already is never touched: if it is the file, or has its bytes, as after a
// run that was killed before the last step, it is the backup; else install refuses to begin.
//
// In must not change from the moment that it was read, or that install is called;
// if it does, nothing is installed. On systems where an open file cannot be replaced, in must be closed
// when check returns.
//
// Errors of write and check are returned as they are; the others say on one line
// what could not be done, and to which file. Every error means that nothing was
// installed, with one exception, which says so: the new file is in place, but its
// folder could not be synced, so that a power failure may bring the old one back.
func install(
	files fileSystem, in, out string, opt installOptions, write func(io.Writer) error, check func(path string) error,
) error {
	i, err := newInstallation(files, in, out, opt)
	if err != nil {
		return err
	}
	temp, err := writeBeside(files, i.target, write)
	if err != nil {
		return err
	}
	defer func() {
		if !i.done {
			files.remove(temp)
		}
	}()
	if err := check(temp); err != nil {
		return err
	}
	if err := copyAttributes(files, temp, i.was, false); err != nil {
		return failed("write", i.target, err)
	}
	return i.finish(temp)
}

// installation is an install for which nothing has been written yet.
type installation struct {
	files   fileSystem
	in, out string
	was     fs.FileInfo // of in
	target  string      // the file that out leads to
	bak     string      // the backup that is to be made; empty for none
	done    bool        // target is the new file
}

// newInstallation makes sure that a file can be installed.
func newInstallation(files fileSystem, in, out string, opt installOptions) (*installation, error) {
	was, err := files.stat(in)
	if err != nil {
		return nil, failed("read", in, err)
	}
	if opt.InPlace {
		out = in
	}
	if opt.InPlace && was.Mode().Perm()&0o222 == 0 {
		return nil, fmt.Errorf("cannot write %s: it is read-only", out)
	}
	if opt.Read != nil && changed(was, opt.Read) {
		return nil, errChanged(in, out)
	}
	target, err := destination(files, out, was, opt)
	if err != nil {
		return nil, failed("write", out, err)
	}
	i := &installation{files: files, in: in, out: out, was: was, target: target}
	if !opt.InPlace || opt.NoBackup {
		return i, nil
	}
	there, err := isBackup(files, target, target+bakSuffix, was)
	if err != nil {
		return nil, err
	}
	if !there {
		i.bak = target + bakSuffix
	}
	return i, nil
}

// finish gives a temporary file the name of the target. That file is what target shall be, and nothing else
// has been touched. An interrupt leaves all of what finish does undone, or none.
func (i *installation) finish(temp string) error {
	defer tempfile.Begin()()
	if i.bak != "" {
		if err := backup(i.files, i.target, i.bak, i.was); err != nil {
			return err
		}
		defer i.removeNeedlessBackup()
		// The backup's name must not be on its way to the disk when the
		// original's is given away.
		if err := i.files.syncDir(filepath.Dir(i.bak)); err != nil {
			return failed("write", i.bak, err)
		}
	}
	now, err := i.files.stat(i.in)
	if err != nil {
		return failed("read", i.in, err)
	}
	if changed(now, i.was) {
		return errChanged(i.in, i.out)
	}
	if err := i.files.rename(temp, i.target); err != nil {
		return failed("write", i.target, err)
	}
	i.done = true
	if err := i.files.syncDir(filepath.Dir(i.target)); err != nil {
		return fmt.Errorf("%s is written, but its folder could not be synced: %w", i.target, oserror.Reason(err))
	}
	return nil
}

// removeNeedlessBackup removes the backup if the original is still there. On a network, a rename that
// failed may have happened, and then the backup is all that is left of the original.
func (i *installation) removeNeedlessBackup() {
	if i.done {
		return
	}
	if now, err := i.files.stat(i.target); err == nil && os.SameFile(now, i.was) {
		i.files.remove(i.bak)
	}
}

// changed reports whether a file is not what it was.
func changed(now, was fs.FileInfo) bool {
	return !os.SameFile(now, was) || now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime())
}

func errChanged(in, out string) error {
	return fmt.Errorf("cannot write %s: %s changed while it was being rewritten", out, in)
}

// destination returns the path of the file that out leads to: out itself, unless
// it is a symbolic link. The file may not be there yet; if it is, it may be
// replaced. What was is about is the input.
func destination(files fileSystem, out string, was fs.FileInfo, opt installOptions) (string, error) {
	info, err := files.lstat(out)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if out, err = files.evalSymlinks(out); errors.Is(err, fs.ErrNotExist) {
			return "", errors.New("it is a symbolic link that leads nowhere")
		}
		if err == nil {
			info, err = files.stat(out)
		}
	}
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("it is not a regular file")
	case !opt.InPlace && os.SameFile(info, was):
		return "", errors.New("it is the input; use --in-place or name another output")
	case !opt.InPlace && slices.ContainsFunc(opt.Keep, func(path string) bool { return isFile(files, path, info) }):
		return "", errors.New("it is what the database is repaired with; name another output")
	case !opt.InPlace && info.Size() > 0:
		return out, mayBeOutput(files, out)
	}
	return out, nil
}

// mayBeOutput returns an error unless a file begins as those do that a rewrite writes. Any other would be lost: a
// page in a folder of sources, or the archive that the input is in.
func mayBeOutput(files fileSystem, path string) error {
	f, err := files.open(path)
	if err != nil {
		return oserror.Reason(err)
	}
	defer f.Close()
	const header = "%PDF-" // ISO 32000-2:2020, 7.5.2
	start := make([]byte, len(header))
	switch _, err := io.ReadFull(f, start); {
	case err != nil && err != io.ErrUnexpectedEOF:
		return oserror.Reason(err)
	case string(start) != header:
		return errors.New("it does not begin as a PDF file does, and would be lost; name another output")
	}
	return nil
}

// isFile reports whether a path leads to a file.
func isFile(files fileSystem, path string, file os.FileInfo) bool {
	info, err := files.stat(path)
	return err == nil && os.SameFile(info, file)
}

// requireAbsent returns an error unless nothing has the name bak.
func requireAbsent(files fileSystem, bak string) error {
	_, err := files.lstat(bak)
	switch {
	case err == nil:
		return errInTheWay(bak)
	case !errors.Is(err, fs.ErrNotExist):
		return failed("write", bak, err)
	}
	return nil
}

func errInTheWay(bak string) error {
	return fmt.Errorf("cannot back up: %s exists; move it or use --no-backup", bak)
}

// isBackup reports whether bak is the file at path, which was is about, under another
// name, or a copy of it. The error says that it is something else.
func isBackup(files fileSystem, path, bak string, was fs.FileInfo) (bool, error) {
	info, err := files.lstat(bak)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, failed("write", bak, err)
	case os.SameFile(info, was):
		return true, nil
	case !info.Mode().IsRegular() || info.Size() != was.Size():
		return false, errInTheWay(bak)
	}
	a, err := files.open(path)
	if err != nil {
		return false, failed("read", path, err)
	}
	defer a.Close()
	b, err := files.open(bak)
	if err != nil {
		return false, failed("read", bak, err)
	}
	defer b.Close()
	pieceA, pieceB := make([]byte, bufferSize), make([]byte, bufferSize)
	for {
		n, errA := io.ReadFull(a, pieceA)
		m, errB := io.ReadFull(b, pieceB)
		switch ended := errA == io.EOF || errA == io.ErrUnexpectedEOF; {
		case !bytes.Equal(pieceA[:n], pieceB[:m]):
			return false, errInTheWay(bak)
		case ended:
			return true, nil
		case errA != nil:
			return false, failed("read", path, errA)
		case errB != nil:
			return false, failed("read", bak, errB)
		}
	}
}

// backup gives the file at path, which was is about, the name bak as well. Only a
// whole file ever has that name.
func backup(files fileSystem, path, bak string, was fs.FileInfo) error {
	err := files.link(path, bak)
	if err == nil {
		return nil
	}
	// There may be no hard links here, or bak since a moment ago.
	if err := requireAbsent(files, bak); err != nil {
		return err
	}
	temp, err := writeBeside(files, bak, func(w io.Writer) error {
		r, err := files.open(path)
		if err != nil {
			return failed("read", path, err)
		}
		defer r.Close()
		if _, err := io.Copy(w, r); err != nil {
			return failed("read", path, err) // writing is judged by writeBeside
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err = copyAttributes(files, temp, was, true); err == nil {
		err = files.rename(temp, bak)
	}
	if err != nil {
		files.remove(temp)
		return failed("write", bak, err)
	}
	return nil
}

// writeBeside writes a temporary file into the folder of target, for its owner
// only, and syncs it. It returns the path; there is no file if it fails, or write
// panics.
func writeBeside(files fileSystem, target string, write func(io.Writer) error) (temp string, err error) {
	dir, base := filepath.Split(target)
	f, err := files.createTemp(filepath.Clean(dir), tempPattern(base))
	if err != nil {
		return "", fmt.Errorf("cannot write %s: no file can be made in its folder: %w; use a folder that exists and is writable",
			target, oserror.Reason(err))
	}
	complete := false
	defer func() {
		if !complete {
			f.Close()
			files.remove(f.Name())
		}
	}()
	w := bufio.NewWriterSize(f, bufferSize)
	err = write(w)
	// What the disk said comes first: write may know it at second hand, or not at all.
	if err := w.Flush(); err != nil {
		return "", failed("write", target, err)
	}
	if err != nil {
		return "", err
	}
	if err := f.Sync(); err != nil {
		return "", failed("write", target, err)
	}
	if err := f.Close(); err != nil {
		return "", failed("write", target, err)
	}
	complete = true
	return f.Name(), nil
}

// bufferSize is large because files are written from end to end.
const bufferSize = 1 << 20

// copyAttributes gives the file at path the permissions of the file that was is about,
// its owner if that is allowed, and, if it is a copy, its time.
func copyAttributes(files fileSystem, path string, was fs.FileInfo, isCopy bool) error {
	files.chown(path, was) // before chmod: it may take permissions away
	if err := files.chmod(path, was.Mode().Perm()); err != nil {
		return err
	}
	if !isCopy {
		return nil
	}
	return files.chtimes(path, time.Time{}, was.ModTime())
}

// failed says that path could not be read or written, and why. The errors of package
// os name temporary files.
func failed(verb, path string, err error) error {
	return fmt.Errorf("cannot %s %s: %w", verb, path, oserror.Reason(err))
}

// fileSystem has the operations that install needs. The methods are the functions
// of packages os and filepath, except for chown, which gives path the owner of the
// file that was is about, and syncDir, which makes the names in a folder durable.
type fileSystem interface {
	stat(path string) (fs.FileInfo, error)
	lstat(path string) (fs.FileInfo, error)
	evalSymlinks(path string) (string, error)
	open(path string) (io.ReadCloser, error)
	createTemp(dir, pattern string) (file, error)
	chown(path string, was fs.FileInfo) error
	chmod(path string, mode fs.FileMode) error
	chtimes(path string, atime, mtime time.Time) error
	link(path, name string) error
	rename(path, name string) error
	remove(path string) error
	syncDir(path string) error
}

// file is a temporary file.
type file interface {
	io.WriteCloser
	Name() string
	Sync() error
}

// osFiles is the file system of the machine.
type osFiles struct{}

func (osFiles) stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	// On Windows, the identity of a file is looked up when SameFile first asks for it,
	// and by then the path may lead to another.
	os.SameFile(info, info)
	return info, err
}

func (osFiles) lstat(path string) (fs.FileInfo, error)      { return os.Lstat(path) }
func (osFiles) evalSymlinks(path string) (string, error)    { return filepath.EvalSymlinks(path) }
func (osFiles) open(path string) (io.ReadCloser, error)     { return os.Open(path) }
func (osFiles) chmod(path string, mode fs.FileMode) error   { return os.Chmod(path, mode) }
func (osFiles) chtimes(path string, at, mt time.Time) error { return os.Chtimes(path, at, mt) }
func (osFiles) link(path, name string) error                { return os.Link(path, name) }
func (osFiles) rename(path, name string) error              { return tempfile.Rename(path, name) }
func (osFiles) remove(path string) error                    { return tempfile.Remove(path) }

func (osFiles) createTemp(dir, pattern string) (file, error) {
	return tempfile.Create(func() (*os.File, error) { return os.CreateTemp(dir, pattern) })
}
