//go:build !linux

package tempfile

import (
	"errors"
	"os"
)

// unnamed always fails.
func unnamed(string) (*os.File, error) { return nil, errors.ErrUnsupported }
