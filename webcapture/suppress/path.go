package suppress

import (
	"path/filepath"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// relative returns path as seen from root, which is absolute, with slashes, so
// that it is the same however a file was named. Paths outside of root stay, or
// become, absolute. The name of standard input stays what it is.
func relative(root, path string) string {
	if path == "-" {
		return path
	}
	abs, err := filepath.Abs(path)
	if err != nil { // there is no working directory any more
		abs = path
	}
	seen, _ := report.Relative(abs, root)
	return seen
}
