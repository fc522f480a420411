//go:build !linux && !windows

package tempfile

import (
	"errors"
	"os"
)

// selfRemoving always fails.
func selfRemoving(string) (*os.File, error) { return nil, errors.ErrUnsupported }
