package canon

import "bytes"

// hasDots reports whether removeDots would change path.
func (r rfc) hasDots(path []byte) bool {
	if len(path) == 0 || path[0] != '.' && !hasSlashDot(path) {
		return false
	}
	if path[0] == '/' {
		path = path[1:]
	}
	ordinary := false // whether there was a segment that ".." can remove
	for len(path) > 0 {
		n := segmentLen(path)
		switch segment := path[:n]; {
		case isDot(segment):
			return true
		case !isDotDot(segment):
			ordinary = true
		case ordinary || r == rfc3986:
			return true
		}
		path = path[min(n+1, len(path)):]
	}
	return false
}

// removeDots removes the dot segments from path in place and returns the remainder.
//
// For rfc1808, it follows section 4, step 6 a to d: a ".." stays if no other segment precedes it. For rfc3986, it
// follows 5.2.4: no dot segment stays. Both treat an empty segment like any other segment, and "%2e" is not a dot.
//
// Without an authority, a remainder that begins with two slashes would be read as an authority. In this case removeDots
// writes an empty authority before the remainder. There is room for it: path did not begin with two slashes, so at
// least "./" was removed.
func (r rfc) removeDots(path []byte, hasAuthority bool) []byte {
	root := 0 // length of the leading slash, which no ".." removes
	if len(path) > 0 && path[0] == '/' {
		root = 1
	}
	next, w := root, root // path[next:] is not read yet
	for next < len(path) {
		// Invariant: path[:w] is the result so far, and path[root:w] consists of whole segments, each with its slash.
		end := next + segmentLen(path[next:])
		segment := path[next:end]
		from := next
		next = min(end+1, len(path))
		switch {
		case isDot(segment):
			continue
		case isDotDot(segment) && w > root:
			top := root + bytes.LastIndexByte(path[root:w-1], '/') + 1
			if r == rfc3986 || !isDotDot(path[top:w-1]) {
				w = top
				if r == rfc3986 && w == 0 {
					path[0], root, w = '/', 1, 1 // 5.2.4 removes "a" from "a/..", but not the slash
				}
				continue
			}
		case isDotDot(segment) && r == rfc3986:
			continue
		}
		w += copy(path[w:], path[from:next])
	}
	if !hasAuthority && bytes.HasPrefix(path[:w], slashes) {
		copy(path[2:w+2], path[:w])
		w += 2
	}
	return path[:w]
}

// segmentLen returns the length of the first segment of path.
func segmentLen(path []byte) int {
	if i := bytes.IndexByte(path, '/'); i >= 0 {
		return i
	}
	return len(path)
}

func isDot(segment []byte) bool { return len(segment) == 1 && segment[0] == '.' }
func isDotDot(segment []byte) bool {
	return len(segment) == 2 && segment[0] == '.' && segment[1] == '.'
}

var (
	slash      = []byte("/")
	slashes    = []byte("//")
	numberSign = []byte("#")
)
