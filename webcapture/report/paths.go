package report

import (
	"path"
	"path/filepath"
	"strings"
)

// Relative returns the path of a file relative to base, with slashes and without . and .. elements; for base itself,
// it returns ".". A relative name is relative to base. base is an absolute path, or empty if unknown. If the file is
// not below base, or base is unknown and name absolute, ok is false and the result is the absolute path.
func Relative(name, base string) (relative string, ok bool) {
	windows := isOfWindows(name, base)
	if windows {
		name, base = strings.ReplaceAll(name, `\`, "/"), strings.ReplaceAll(base, `\`, "/")
	}
	absolute := strings.HasPrefix(name, "/") || windows && hasDrive(name)
	anywhere := base == ""
	base = strings.TrimSuffix(base, "/")
	if !absolute {
		name = base + "/" + name
	}
	share := windows && strings.HasPrefix(name, "//")
	switch name = path.Clean(name); {
	case share:
		name = "/" + name
	case windows && len(name) == len("C:"):
		name += "/" // the root of a drive ends with a slash
	}
	if absolute && anywhere || len(name) < len(base) {
		return name, false
	}
	start, rest := name[:len(base)], name[len(base):]
	switch {
	case start != base && !(windows && strings.EqualFold(start, base)):
	case rest == "" || rest == "/":
		return ".", true
	case rest[0] == '/':
		return rest[1:], true
	}
	return name, false
}

// inDirectory takes a name that is relative to directory, and returns it relative to base. An absolute name stays
// unchanged.
func inDirectory(name, directory, base string) string {
	if directory == "" || strings.HasPrefix(name, "/") || isOfWindows(name, base) && hasDrive(name) {
		return name
	}
	return directory + "/" + name
}

// isOfWindows reports whether a path is a Windows path. If there is a base, the base alone decides: on other
// systems, C: and backslashes may be parts of names.
func isOfWindows(name, base string) bool {
	return hasDrive(base) || base == "" && (filepath.Separator == '\\' || hasDrive(name))
}

// hasDrive reports whether a path is a Windows path that begins with a drive or a share.
func hasDrive(p string) bool {
	if strings.HasPrefix(p, `\\`) {
		return true
	}
	return len(p) >= 3 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z')
}
