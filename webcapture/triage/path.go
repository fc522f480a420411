package triage

import (
	"path/filepath"
	"strings"
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
	return below(filepath.ToSlash(root), filepath.ToSlash(abs))
}

// below returns path as seen from root, or path itself if it is not below it. Both
// are clean, absolute and have slashes; they may be of Windows, where C: and c: are
// the same drive.
func below(root, path string) string {
	path, root = drive(path), drive(root)
	switch rest, ok := strings.CutPrefix(path, strings.TrimSuffix(root, "/")); {
	case path == root:
		return "."
	case ok && strings.HasPrefix(rest, "/"):
		return rest[1:]
	}
	return path
}

func drive(path string) string {
	if len(path) >= 2 && path[1] == ':' {
		return strings.ToUpper(path[:1]) + path[1:]
	}
	return path
}
