package suppress

import (
	"path/filepath"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// relative returns path relative to root, which is absolute, with slashes, so that it is the same for all
// spellings. Paths outside of root stay, or become, absolute. The name of standard input does not change.
func relative(root, path string) string {
	if path == "-" {
		return path
	}
	abs, err := filepath.Abs(path)
	if err != nil { // the working directory no longer exists
		abs = path
	}
	seen, _ := report.Relative(abs, root)
	return seen
}
