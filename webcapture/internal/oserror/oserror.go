// Package oserror takes the names of files off errors of package os, for messages
// that name the file themselves. Where package os names another file, such as a
// temporary one, its name would mislead; where it names the same, it is there twice.
package oserror

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// Reason returns what err says besides operations and names of files. Only err itself
// is looked at: one that is wrapped says more, and stays. The frequent reasons have the
// same words on all systems.
func Reason(err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		return inWords(e.Err, runtime.GOOS)
	case *os.LinkError:
		return inWords(e.Err, runtime.GOOS)
	}
	return err
}

// ReasonOf is Reason for an error that names path; any other is returned as it is.
func ReasonOf(err error, path string) error {
	if e, ok := err.(*fs.PathError); ok && e.Path == path {
		return inWords(e.Err, runtime.GOOS)
	}
	return err
}

// IsMissing reports whether an error says that there is no such file. On Windows a name with a
// character such as * is an error of its own: no file has such a name.
func IsMissing(err error) bool { return isMissing(err, runtime.GOOS) }

func isMissing(err error, system string) bool {
	return errors.Is(err, fs.ErrNotExist) || system == "windows" && errors.Is(err, invalidName)
}

// Errors of Windows.
const (
	fileNotFound     = syscall.Errno(2)
	pathNotFound     = syscall.Errno(3)
	accessDenied     = syscall.Errno(5)
	sharingViolation = syscall.Errno(32)
	lockViolation    = syscall.Errno(33)
	diskFull         = syscall.Errno(112)
	invalidName      = syscall.Errno(123)
	userMappedFile   = syscall.Errno(1224)
)

// windowsWords are the words of frequent errors of Windows, whose own depend on its language.
var windowsWords = map[syscall.Errno]string{
	fileNotFound:     "no such file or directory",
	pathNotFound:     "no such file or directory",
	accessDenied:     "permission denied",
	sharingViolation: "in use by another program",
	lockViolation:    "in use by another program",
	diskFull:         "no space left on device",
	invalidName:      "not a valid file name",
	userMappedFile:   "in use by another program",
}

// inWords returns an error of a system in words that are the same on all systems.
func inWords(err error, system string) error {
	if no, ok := errors.AsType[syscall.Errno](err); ok && system == "windows" && windowsWords[no] != "" {
		return wordedError{windowsWords[no], err}
	}
	return err
}

// wordedError is an error in other words.
type wordedError struct {
	words string
	error error
}

func (e wordedError) Error() string { return e.words }
func (e wordedError) Unwrap() error { return e.error }
