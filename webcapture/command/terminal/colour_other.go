//go:build !windows

package terminal

import "os"

// ShowsColours reports whether the terminal f can show colors.
func ShowsColours(*os.File) bool { return true }
