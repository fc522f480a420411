package rewrite

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Files next to those that are written: NAME.bak, which is NAME as it was, and
// .NAME.*.tmp, which becomes NAME or NAME.bak, or is left by a run that was killed.

const (
	bakSuffix  = ".bak"
	tempSuffix = ".tmp"

	// maxTempBase is how much of a file's name that of its temporary file has.
	maxTempBase = 128

	// backupEnd is in bytes: the end of a backup that its file has, too.
	backupEnd = 64 << 10
)

// tempName is what os.CreateTemp makes of a tempPattern, of which it has the base.
var tempName = regexp.MustCompile(`^\.(.+)\.[0-9]+\` + tempSuffix + `$`)

// tempPattern returns the pattern of names for a file that becomes the one called base.
func tempPattern(base string) string { return "." + tempBase(base) + ".*" + tempSuffix }

// tempBase is what such a name has of base: names have 255 bytes at most.
func tempBase(base string) string { return base[:min(len(base), maxTempBase)] }

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

// RepairedEarlier reports whether a rewrite in place has written the file at path before: it is a backup with an
// update after it. The end of the backup decides; no other file has its cross-reference data there. A file that was
// written anew has nothing of its backup, so it only has to have one.
func RepairedEarlier(path string, full bool) bool {
	bak, err := os.Open(path + bakSuffix)
	if err != nil {
		return false
	}
	defer bak.Close()
	info, err := bak.Stat()
	if err != nil || !info.Mode().IsRegular() || full {
		return err == nil && info.Mode().IsRegular()
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	now, err := file.Stat()
	if err != nil || now.Size() <= info.Size() {
		return false
	}
	at := max(0, info.Size()-backupEnd)
	was, is := make([]byte, info.Size()-at), make([]byte, info.Size()-at)
	if _, err := bak.ReadAt(was, at); err != nil && err != io.EOF {
		return false
	}
	_, err = file.ReadAt(is, at)
	return err == nil && bytes.Equal(was, is)
}

// RemoveLeftovers removes the temporary files in a folder that runs have left which were
// killed, and returns their paths: those for the file of a name, or for any file if name is
// empty. A file that another run is rewriting keeps its own. Whoever rewrites files calls it
// before, once for each folder.
func RemoveLeftovers(folder, name string) (removed []string) {
	entries, _ := os.ReadDir(folder) // what cannot be read cannot be written either
	for _, e := range entries {
		parts := tempName.FindStringSubmatch(e.Name())
		if parts == nil || !e.Type().IsRegular() || len(parts[1]) >= maxTempBase { // which is not all of a name
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
