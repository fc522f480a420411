//go:build !windows

package terminal

import "os"

// ShowsColours reports whether the reader of f shows colours.
func ShowsColours(*os.File) bool { return true }
