package suppress

import (
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/bmatcuk/doublestar/v4"

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

// neverSeen matches patterns that match no clean path.
var neverSeen = regexp.MustCompile(`(^|/)\.{1,2}(/|$)|/$`)

// CheckPattern returns an error if a pattern of paths is not valid, or cannot match.
func CheckPattern(pattern string) error {
	switch {
	case !doublestar.ValidatePattern(pattern):
		return fmt.Errorf("%q is not a pattern", pattern)
	case neverSeen.MatchString(pattern):
		return fmt.Errorf("%q matches no file; remove ., .. and a slash at the end", pattern)
	}
	return nil
}

// Paths are patterns of files and folders, relative to Root. CheckPattern accepts all of them.
type Paths struct {
	Root     string // absolute
	Patterns []string
}

// Match reports whether a pattern matches a path, or a folder that contains it.
func (p *Paths) Match(path string) bool {
	path = relative(p.Root, path)
	for _, pattern := range p.Patterns {
		if doublestar.MatchUnvalidated(pattern, path) || doublestar.MatchUnvalidated(pattern+"/**", path) {
			return true
		}
	}
	return false
}
