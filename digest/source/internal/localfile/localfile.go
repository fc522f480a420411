// Package localfile has what the kinds of sources need to know of files on disk.
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

// Beginning returns the first bytes of a file, by which its kind can be told;
// none if it is not a file, or cannot be read.
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

// Regular fails unless path is that of a file with data: one must not open a
// named pipe, which would wait.
func Regular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is not a file")
	}
	return nil
}

// Missing reports whether an error of a look at a name below a folder says that there is
// no such file: the name is not there, cannot be one, or leads out of the folder. Others
// are those of the disk, or of what may not be read.
func Missing(err error) bool {
	const invalidName, tooLongName, notFolder = syscall.Errno(123), syscall.Errno(206), syscall.Errno(267) // of Windows
	no, isErrno := errors.AsType[syscall.Errno](err)
	switch {
	case errors.Is(err, fs.ErrNotExist) || !isErrno:
		return true
	case runtime.GOOS == "windows":
		return no == invalidName || no == tooLongName || no == notFolder
	}
	return no == syscall.ENOTDIR || no == syscall.ENAMETOOLONG || no == syscall.EINVAL || no == syscall.ELOOP
}

// IsFile says whether a name below a folder is that of a file with data.
func IsFile(root *os.Root, name string) bool {
	info, err := root.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// OpenSize returns the size of an open file; 0 if the disk does not say.
func OpenSize(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// PathError returns the error of the file system that is in an error; nil if there
// is none.
func PathError(err error) *fs.PathError {
	e, _ := errors.AsType[*fs.PathError](err)
	return e
}

// ToEnd is the size of a section that goes to the end of any file.
const ToEnd = 1 << 62

// ByteOrderMark is what some programs put before UTF-8.
const ByteOrderMark = "\uFEFF"

// Remote matches URLs of what is on other machines.
var Remote = regexp.MustCompile(`(?i)^(https?|ftp|s3|gs|azblob)://`)

// Span is where something stands in a file.
type Span struct{ Start, End int64 }
