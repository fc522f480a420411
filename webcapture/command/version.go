package command

import (
	"runtime/debug"
	"strings"
)

// buildInfo returns the version of the program as the Go toolchain recorded it:
// that of the module, the revision if it was built in a checkout, and the
// toolchain's own.
func buildInfo() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown version)"
	}
	parts := []string{info.Main.Version}
	if info.Main.Version == "" {
		parts[0] = "(devel)"
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = " with changes"
		}
	}
	if revision != "" {
		parts = append(parts, "revision "+revision+modified)
	}
	return strings.Join(append(parts, info.GoVersion), ", ")
}

// moduleVersion returns the version alone, as it stands in results.
func moduleVersion() string {
	v, _, _ := strings.Cut(buildInfo(), ",")
	return v
}
