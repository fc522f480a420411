package rewrite

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Files that stand beside those that are written: NAME.bak, which is NAME as it was, and
// .NAME.*.tmp, which becomes NAME or NAME.bak, or is left by a run that was killed.

const (
	bakSuffix  = ".bak"
	tempSuffix = ".tmp"
)

// tempName is the pattern of names that os.CreateTemp makes of tempPattern.
var tempName = regexp.MustCompile(`^\..+\.[0-9]+\` + tempSuffix + `$`)

// tempPattern returns the pattern of names for a file that becomes the one called base.
func tempPattern(base string) string {
	if len(base) > maxTempBase {
		base = base[:maxTempBase]
	}
	return "." + base + ".*" + tempSuffix
}

// MadeBeside reports whether the file at path is the backup of another that is there, or what
// has no name of its own yet.
func MadeBeside(path string) bool {
	of, isBak := strings.CutSuffix(path, bakSuffix)
	if isBak {
		_, err := os.Lstat(of)
		return err == nil
	}
	return tempName.MatchString(filepath.Base(path))
}
