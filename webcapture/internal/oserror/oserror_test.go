package oserror

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// The errors are those of the system, so that the test knows if it names files in
// other ways.
func TestReason(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none")
	_, open := os.Open(none)
	rename := os.Rename(none, filepath.Join(dir, "other"))
	for i, err := range []error{open, rename} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := Reason(err); errors.Unwrap(err) != got || !errors.Is(got, fs.ErrNotExist) {
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
	if got := ReasonOf(open, none); got != errors.Unwrap(open) {
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
