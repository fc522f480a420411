package suppress

import (
	"path/filepath"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// relative returns path relative to root, with slashes. So the result is the same for all spellings of a path. root is
// absolute. A path outside of root becomes absolute. The name of standard input does not change.
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
