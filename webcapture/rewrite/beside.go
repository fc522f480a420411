package rewrite

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// This file handles files next to a rewritten file NAME. NAME.bak is the old version. .NAME.*.tmp is a temporary file
// that becomes NAME or NAME.bak; a killed run may leave it.

const (
	bakSuffix  = ".bak"
	tempSuffix = ".tmp"

	// maxTempBase is the maximum number of bytes of a file's name in the name of its temporary file.
	maxTempBase = 128
)

// tempName matches names of temporary files, and captures the base. os.CreateTemp makes them from tempPattern.
var tempName = regexp.MustCompile(`^\.(.+)\.[0-9]+\` + tempSuffix + `$`)

// tempPattern returns the pattern of temporary names for a file whose final name is base.
func tempPattern(base string) string { return "." + tempBase(base) + ".*" + tempSuffix }

// tempBase returns the part of base that is used in temporary names: file names have at most 255 bytes.
func tempBase(base string) string { return base[:min(len(base), maxTempBase)] }

// MadeBeside reports whether the file at path is the backup of an existing file, or a temporary file of a rewrite.
func MadeBeside(path string) bool {
	of, isBak := strings.CutSuffix(path, bakSuffix)
	if isBak {
		_, err := os.Lstat(of)
		return err == nil
	}
	return tempName.MatchString(filepath.Base(path))
}

// RemoveLeftovers removes the temporary files of killed runs in a folder, and returns their paths. If name is not
// empty, it removes only those for the file with this name. Those of running rewrites, and those with a truncated
// name, stay. Callers that rewrite files call it first, once for each folder.
func RemoveLeftovers(folder, name string) (removed []string) {
	entries, _ := os.ReadDir(folder) // an unreadable folder is not writable either
	for _, e := range entries {
		parts := tempName.FindStringSubmatch(e.Name())
		if parts == nil || !e.Type().IsRegular() || len(parts[1]) >= maxTempBase { // the name may be truncated
			continue
		}
		of := strings.TrimSuffix(parts[1], bakSuffix)
		if name != "" && name != of && name != parts[1] {
			continue
		}
		left := filepath.Join(folder, e.Name())
		if unlock, ok := lock(filepath.Join(folder, of)); ok {
			if os.Remove(left) == nil {
				removed = append(removed, left)
			}
			unlock()
		}
	}
	return removed
}
