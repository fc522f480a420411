//go:build !linux

package tempfile

import (
	"errors"
	"os"
)

// unnamed fails.
func unnamed(string) (*os.File, error) { return nil, errors.ErrUnsupported }
