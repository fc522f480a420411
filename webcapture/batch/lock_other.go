//go:build !unix && !windows

package batch

import "os"

// Lock does nothing on these systems.
func Lock(*os.File) error { return nil }
