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
	volume := filepath.ToSlash(filepath.VolumeName(file)) // such as C: or //server/share; empty except on Windows
	name := Escaped(filepath.ToSlash(file[len(volume):]))
	switch {
	case strings.HasPrefix(volume, "//"):
		return "file:" + Escaped(volume) + name
	case volume != "":
		volume = "/" + volume
	}
	return "file://" + volume + name
}

// Escaped returns the path of a file as the path of a URL, with escapes.
func Escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }
