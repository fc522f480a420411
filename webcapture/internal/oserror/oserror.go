// Package oserror removes file names from errors of package os, for messages that name the file themselves. The
// name in the error is redundant if it is the same, and misleading if it is another, such as that of a temporary
// file.
package oserror

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// Reason returns err without operations and file names. It does not unwrap other errors: a wrapping error adds
// information, so it is returned unchanged. Frequent errors have the same text on all systems.
func Reason(err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		return inWords(e.Err, runtime.GOOS)
	case *os.LinkError:
		return inWords(e.Err, runtime.GOOS)
	}
	return err
}

// ReasonOf returns Reason(err) if err names path. It returns any other error unchanged.
func ReasonOf(err error, path string) error {
	if e, ok := err.(*fs.PathError); ok && e.Path == path {
		return inWords(e.Err, runtime.GOOS)
	}
	return err
}

// IsMissing reports whether an error means that there is no such file. Windows has a separate error for names with
// a character that no file name can have, such as *.
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

// windowsWords are texts of frequent Windows errors. The texts of Windows depend on its language.
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

// inWords returns an error with the text that is the same on all systems.
func inWords(err error, system string) error {
	if no, ok := errors.AsType[syscall.Errno](err); ok && system == "windows" && windowsWords[no] != "" {
		return wordedError{windowsWords[no], err}
	}
	return err
}

// wordedError is an error with a replaced text.
type wordedError struct {
	words string
	error error
}

func (e wordedError) Error() string { return e.words }
func (e wordedError) Unwrap() error { return e.error }
