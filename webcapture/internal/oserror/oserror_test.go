package oserror

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// The errors come from the system, so the test fails if package os names files in another way.
func TestReason(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none")
	_, open := os.Open(none)
	rename := os.Rename(none, filepath.Join(dir, "other"))
	for i, err := range []error{open, rename} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := Reason(err); got.Error() != "no such file or directory" || !errors.Is(got, fs.ErrNotExist) {
				t.Errorf("Reason(%v) = %v", err, got)
			}
		})
	}
	for i, err := range []error{nil, errors.New("x"), fmt.Errorf("an entry: %w", open)} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := Reason(err); got != err {
				t.Errorf("Reason(%v) = %v, want it as it is", err, got)
			}
		})
	}
	if got := ReasonOf(open, none); got.Error() != "no such file or directory" || !errors.Is(got, errors.Unwrap(open)) {
		t.Errorf("ReasonOf(%v) = %v", open, got)
	}
	for i, err := range []error{nil, errors.New("x"), rename, fmt.Errorf("an entry: %w", open)} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := ReasonOf(err, none); got != err {
				t.Errorf("ReasonOf(%v) = %v, want it as it is", err, got)
			}
		})
	}
	if got := ReasonOf(open, dir); got != open {
		t.Errorf("ReasonOf(%v) of another file = %v", open, got)
	}
}

// The texts for Windows errors do not depend on its language.
func TestReasonOnWindows(t *testing.T) {
	for no, want := range windowsWords {
		t.Run(want, func(t *testing.T) {
			got := inWords(no, "windows")
			if got.Error() != want || !errors.Is(got, no) {
				t.Errorf("%d: %v, want %s", no, got, want)
			}
			if got := inWords(no, "linux"); got != error(no) {
				t.Errorf("%d on Linux: %v", no, got)
			}
		})
	}
	if got := inWords(syscall.Errno(87), "windows"); got != error(syscall.Errno(87)) {
		t.Errorf("another error becomes %v", got)
	}
}

func TestIsMissing(t *testing.T) {
	for _, tt := range []struct {
		err     error
		system  string
		missing bool
	}{
		{fs.ErrNotExist, "linux", true},
		{fs.ErrNotExist, "windows", true},
		{&fs.PathError{Err: invalidName}, "windows", true},
		{&fs.PathError{Err: invalidName}, "linux", false},
		{fs.ErrPermission, "windows", false},
	} {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			if got := isMissing(tt.err, tt.system); got != tt.missing {
				t.Errorf("missing: %v", got)
			}
		})
	}
}
