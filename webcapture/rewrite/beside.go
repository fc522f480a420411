package rewrite

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Files next to written files: NAME.bak, which is the old NAME, and .NAME.*.tmp, which becomes NAME or NAME.bak, or
// is left by a killed run.

const (
	bakSuffix  = ".bak"
	tempSuffix = ".tmp"

	// maxTempBase is the maximum length of a file's name within that of its temporary file.
	maxTempBase = 128

	// backupEnd is the number of bytes at the end of a backup that its file must also have.
	backupEnd = 64 << 10
)

// tempName matches results of os.CreateTemp for a tempPattern, and captures the base.
var tempName = regexp.MustCompile(`^\.(.+)\.[0-9]+\` + tempSuffix + `$`)

// tempPattern returns the pattern of temporary names for a file that becomes base.
func tempPattern(base string) string { return "." + tempBase(base) + ".*" + tempSuffix }

// tempBase returns the part of base in such a name: names have 255 bytes at most.
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

// RepairedEarlier reports whether an earlier rewrite in place has written the file at path: it is a backup with an
// update after it. The end of the backup decides; no other file has its cross-reference data there. A file written
// with Full shares no data with its backup, so the existence of the backup is enough.
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

// RemoveLeftovers removes the temporary files of killed runs in a folder, and returns their paths: those for the
// file name, or for any file if name is empty. Files of running rewrites stay. Callers that rewrite files call it
// first, once for each folder.
func RemoveLeftovers(folder, name string) (removed []string) {
	entries, _ := os.ReadDir(folder) // an unreadable folder is not writable either
	for _, e := range entries {
		parts := tempName.FindStringSubmatch(e.Name())
		if parts == nil || !e.Type().IsRegular() || len(parts[1]) >= maxTempBase { // which is a part of a name
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
