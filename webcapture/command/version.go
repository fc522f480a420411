package command

import (
	"cmp"
	"runtime/debug"
)

// version is the version, such as v1.2.3, that the linker sets with -X if the Go toolchain cannot know it: in releases,
// and in builds outside a checkout. No other code sets it.
var version string

// moduleVersion returns the version of the program, for messages and results.
func moduleVersion() string {
	known := version
	if info, ok := debug.ReadBuildInfo(); ok {
		known = cmp.Or(known, info.Main.Version)
	}
	return cmp.Or(known, "(devel)")
}
