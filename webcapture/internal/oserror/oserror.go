// Package oserror takes the names of files off errors of package os, for messages
// that name the file themselves. Where package os names another file, such as a
// temporary one, its name would mislead; where it names the same, it is there twice.
package oserror

import (
	"io/fs"
	"os"
)

// Reason returns what err says besides operations and names of files. Only err itself
// is looked at: one that is wrapped says more, and stays.
func Reason(err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		return e.Err
	case *os.LinkError:
		return e.Err
	}
	return err
}

// ReasonOf is Reason for an error that names path; any other is returned as it is.
func ReasonOf(err error, path string) error {
	if e, ok := err.(*fs.PathError); ok && e.Path == path {
		return e.Err
	}
	return err
}
