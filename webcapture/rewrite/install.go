package rewrite

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/webcap-tools/webcap/digest/tempfile"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
)

// install writes a file next to the output, checks it, and renames it to the output: that of t, or the input in, which
// was read when it was as read describes; nil if it has not been read.
//
// The last step is one rename. Until then, an existing output is unchanged. Afterwards, it is the new file, which is
// complete, synced, and accepted by check. If install fails, it removes the temporary file if possible;
// tempfile.RemoveAll does the same when the process is interrupted. A killed process may leave the temporary file
// (.NAME.*.tmp) and a complete FILE.bak.
//
// An existing output is overwritten. It is an error if the output is not a regular file or has content other than a
// PDF, or if it is the input or a file to keep, under any name. If it is a symbolic link, its target is replaced.
// If it has several hard links, only the named one is replaced; the others keep the old file.
//
// The new file gets the permissions of in. It also gets the owner of in if the system allows it.
//
// In place, install keeps the original as FILE.bak, as a hard link. An existing FILE.bak is never changed. It serves as
// the backup if it is a hard link to the file, for example after a run that was killed before the last step. Otherwise
// install returns an error.
//
// in must not change after it was read. If it changes, install returns an error. On systems that cannot replace an open
// file, in must be closed when check returns.
//
// install returns errors of write and check unchanged. Its other errors name the failed operation and the file, on one
// line. An error means that nothing was installed, with one exception, which says so: the new file is in place, but its
// folder could not be synced, so a power failure may restore the old file.
func install(
	files fileSystem, in string, read fs.FileInfo, t Target, write func(io.Writer) error, check func(path string) error,
) error {
	i, err := newInstallation(files, in, read, t)
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
	if err := copyAttributes(files, temp, i.was); err != nil {
		return failed("write", i.target, err)
	}
	return i.finish(temp)
}

// installation is an install that has been checked, but has not written anything yet.
type installation struct {
	files   fileSystem
	in, out string
	was     fs.FileInfo // description of in
	target  string      // resolved path of out
	bak     string      // path of a backup to create; empty for none
	done    bool        // target has been replaced
}

// newInstallation checks whether a file can be installed.
func newInstallation(files fileSystem, in string, read fs.FileInfo, t Target) (*installation, error) {
	was, err := files.stat(in)
	if err != nil {
		return nil, failed("read", in, err)
	}
	out := t.Path
	if t.InPlace {
		out = in
	}
	if t.InPlace && was.Mode().Perm()&0o222 == 0 {
		return nil, fmt.Errorf("cannot write %s: it is read-only", out)
	}
	if read != nil && changed(was, read) {
		return nil, errChanged(in, out)
	}
	target, err := destination(files, out, was, t)
	if err != nil {
		return nil, failed("write", out, err)
	}
	i := &installation{files: files, in: in, out: out, was: was, target: target}
	if !t.InPlace || t.NoBackup {
		return i, nil
	}
	there, err := isBackup(files, target+bakSuffix, was)
	if err != nil {
		return nil, err
	}
	if !there {
		i.bak = target + bakSuffix
	}
	return i, nil
}

// finish makes the backup and renames the complete temporary file to the target. An interrupt prevents either all of
// finish or nothing.
func (i *installation) finish(temp string) error {
	defer tempfile.Begin()()
	if i.bak != "" {
		if err := backup(i.files, i.target, i.bak); err != nil {
			return err
		}
		defer i.removeNeedlessBackup()
		// The backup's name must be on the disk before its original is replaced.
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

// removeNeedlessBackup removes the backup if the original still exists. On a network file system, a rename may report
// failure although it succeeded. The backup is then the only copy of the original.
func (i *installation) removeNeedlessBackup() {
	if i.done {
		return
	}
	if now, err := i.files.stat(i.target); err == nil && os.SameFile(now, i.was) {
		i.files.remove(i.bak)
	}
}

// changed reports whether a file has changed.
func changed(now, was fs.FileInfo) bool {
	return !os.SameFile(now, was) || now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime())
}

func errChanged(in, out string) error {
	return fmt.Errorf("cannot write %s: %s changed while it was being rewritten", out, in)
}

// destination returns the path of the file to replace: out, or its target if out is a symbolic link. The file may not
// exist. It is an error if an existing file must not be replaced. was describes the input.
func destination(files fileSystem, out string, was fs.FileInfo, t Target) (string, error) {
	info, err := files.lstat(out)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if out, err = filepath.EvalSymlinks(out); errors.Is(err, fs.ErrNotExist) {
			return "", errors.New("a broken symbolic link; name another output")
		}
		if err == nil {
			info, err = files.stat(out)
		}
	}
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("not a regular file; name another output")
	case t.InPlace:
		return out, nil
	case os.SameFile(info, was):
		return "", errors.New("the output is the input; use --in-place or name another output")
	case slices.ContainsFunc(t.Keep, func(path string) bool {
		kept, err := files.stat(path)
		return err == nil && os.SameFile(kept, info)
	}):
		return "", errors.New("this repair reads the output; name another one")
	case info.Size() > 0:
		return out, mayBeOutput(out)
	}
	return out, nil
}

// mayBeOutput returns an error unless an existing file begins like a PDF. Other files must not be overwritten by
// mistake, such as a page in a folder of sources.
func mayBeOutput(path string) error {
	f, err := os.Open(path)
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
		return errors.New("the existing file is not a PDF; name another output")
	}
	return nil
}

func errInTheWay(bak string) error {
	return fmt.Errorf("cannot back up: %s exists; move it or use --no-backup", bak)
}

// isBackup reports whether bak is a hard link to the file that was describes. It is an error if bak is another file.
func isBackup(files fileSystem, bak string, was fs.FileInfo) (bool, error) {
	info, err := files.lstat(bak)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, failed("write", bak, err)
	case !os.SameFile(info, was):
		return false, errInTheWay(bak)
	}
	return true, nil
}

// backup creates bak as a hard link to the file at path.
func backup(files fileSystem, path, bak string) error {
	err := files.link(path, bak)
	if err == nil {
		return nil
	}
	if _, there := files.lstat(bak); there == nil { // it may just have been created
		return errInTheWay(bak)
	}
	return fmt.Errorf("cannot back up: no hard link %s: %w; use -o or --no-backup", bak, oserror.Reason(err))
}

// writeBeside writes a temporary file into the folder of target, and syncs it. Only its owner can read it. writeBeside
// returns the path. If it fails, or write panics, it removes the file.
func writeBeside(files fileSystem, target string, write func(io.Writer) error) (temp string, err error) {
	dir, base := filepath.Split(target)
	f, err := files.createTemp(filepath.Clean(dir), tempPattern(base))
	if err != nil {
		return "", fmt.Errorf("cannot write %s: cannot create a file in its folder: %w; use a folder that exists "+
			"and is writable",
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
	// An error of the disk takes precedence, because the error of write may hide it.
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

// copyAttributes copies permissions and, if allowed, the owner from the file described by was to the file at path.
func copyAttributes(files fileSystem, path string, was fs.FileInfo) error {
	files.chown(path, was) // before chmod, because chown may remove permissions
	return files.chmod(path, was.Mode().Perm())
}

// failed returns an error about reading or writing path, with the reason. It does not wrap errors of package os, which
// would name temporary files.
func failed(verb, path string, err error) error {
	return fmt.Errorf("cannot %s %s: %w", verb, path, oserror.Reason(err))
}

// fileSystem has the operations that install uses. Most are functions of packages os and filepath. chown gives path the
// owner of the file described by was. syncDir makes the names in a folder durable.
type fileSystem interface {
	stat(path string) (fs.FileInfo, error)
	lstat(path string) (fs.FileInfo, error)
	createTemp(dir, pattern string) (file, error)
	chown(path string, was fs.FileInfo) error
	chmod(path string, mode fs.FileMode) error
	link(path, name string) error
	rename(path, name string) error
	remove(path string) error
	syncDir(path string) error
}

// file is an open temporary file.
type file interface {
	io.WriteCloser
	Name() string
	Sync() error
}

// osFiles is the file system of the machine.
type osFiles struct{}

func (osFiles) stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	// On Windows, SameFile looks up the identity of a file at its first call. Later, the path may lead to another file.
	os.SameFile(info, info)
	return info, err
}

func (osFiles) lstat(path string) (fs.FileInfo, error)    { return os.Lstat(path) }
func (osFiles) chmod(path string, mode fs.FileMode) error { return os.Chmod(path, mode) }
func (osFiles) link(path, name string) error              { return os.Link(path, name) }
func (osFiles) rename(path, name string) error            { return tempfile.Rename(path, name) }
func (osFiles) remove(path string) error                  { return tempfile.Remove(path) }

func (osFiles) createTemp(dir, pattern string) (file, error) {
	return tempfile.Create(func() (*os.File, error) { return os.CreateTemp(dir, pattern) })
}
