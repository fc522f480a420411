// Package localfile has functions for files on disk that several kinds of sources need.
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

// Beginning returns the first bytes of a file, to detect its kind. It returns nil if path is not a file or cannot be
// read.
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

// Regular returns an error if path is not a regular file. Call it before opening a file, because opening a named pipe
// would block.
func Regular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	return nil
}

// Open opens a regular file.
func Open(path string) (*os.File, error) {
	if err := Regular(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// Missing reports whether an error for a name below a folder means that there is no such file. Either the name does not
// exist, or it is invalid, or it leaves the folder. Other errors are errors of the disk or of permissions.
func Missing(err error) bool {
	const invalidName, tooLongName, notFolder = syscall.Errno(123), syscall.Errno(206), syscall.Errno(267) // Windows
	no, isErrno := errors.AsType[syscall.Errno](err)
	switch {
	case errors.Is(err, fs.ErrNotExist) || !isErrno:
		return true
	case runtime.GOOS == "windows":
		return no == invalidName || no == tooLongName || no == notFolder || no == syscall.EINVAL // package os
	}
	return no == syscall.ENOTDIR || no == syscall.ENAMETOOLONG || no == syscall.EINVAL || no == syscall.ELOOP
}

// IsFile reports whether there is a regular file with this name below a folder.
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

// ToEnd is a section size that exceeds the size of any file.
const ToEnd = 1 << 62

// ByteOrderMark is the byte order mark that some programs write at the start of UTF-8 text.
const ByteOrderMark = "\uFEFF"

// Remote matches URLs on other machines.
var Remote = regexp.MustCompile(`(?i)^(https?|ftp|s3|gs|azblob)://`)
