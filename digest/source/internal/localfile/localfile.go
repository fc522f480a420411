// Package localfile has functions about files on disk for the kinds of sources.
package localfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"syscall"
)

// Beginning returns the first bytes of a file, for detecting its kind; none if not a file, or cannot be read.
func Beginning(path string) []byte {
	if Regular(path) != nil {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, BeginningSize))
	return data
}

// Regular fails unless path is a regular file: opening a named pipe would block.
func Regular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a file")
	}
	return nil
}

// Missing reports whether an error about a name below a folder means that there is no such file: the name does not
// exist, is invalid, or leads out of the folder. Other errors are those of the disk, or of permissions.
func Missing(err error) bool {
	const invalidName, tooLongName, notFolder = syscall.Errno(123), syscall.Errno(206), syscall.Errno(267) // of Windows
	no, isErrno := errors.AsType[syscall.Errno](err)
	switch {
	case errors.Is(err, fs.ErrNotExist) || !isErrno:
		return true
	case runtime.GOOS == "windows":
		return no == invalidName || no == tooLongName || no == notFolder || no == syscall.EINVAL // of package os
	}
	return no == syscall.ENOTDIR || no == syscall.ENAMETOOLONG || no == syscall.EINVAL || no == syscall.ELOOP
}

// IsFile reports whether a name below a folder is that of a regular file.
func IsFile(root *os.Root, name string) bool {
	info, err := root.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// OpenSize returns the size of an open file; 0 if unknown.
func OpenSize(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// PathError returns the error of the file system in an error chain; nil if there is none.
func PathError(err error) *fs.PathError {
	e, _ := errors.AsType[*fs.PathError](err)
	return e
}

// ToEnd is the size of a section up to the end of any file.
const ToEnd = 1 << 62

// ByteOrderMark is what some programs put before UTF-8.
const ByteOrderMark = "\uFEFF"

// Remote matches URLs on other machines.
var Remote = regexp.MustCompile(`(?i)^(https?|ftp|s3|gs|azblob)://`)

// Span is a range of a file.
type Span struct{ Start, End int64 }
