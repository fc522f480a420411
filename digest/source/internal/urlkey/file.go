package urlkey

import (
	"net/url"
	"path/filepath"
	"strings"
)

// FileURL returns the file: URL of a file on disk.
func FileURL(file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	path := "/" + strings.TrimPrefix(filepath.ToSlash(file), "/") // on Windows, it may begin with C:
	return "file://" + (&url.URL{Path: path}).EscapedPath()
}
