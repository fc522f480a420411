package report

import "strings"

// fileURI returns the URI of a file in SARIF. It is relative if the file is below base, the root of the sources;
// otherwise it is absolute.
func fileURI(path, base string) sarifFile {
	seen, ok := Relative(path, base)
	if !ok {
		return sarifFile{URI: absoluteURI(seen)}
	}
	return sarifFile{percentEncoded(seen), sourceRoot}
}

// absoluteURI returns the URI of a file, given its absolute path (RFC 8089).
func absoluteURI(path string) string {
	encoded := percentEncoded(path)
	switch {
	case strings.HasPrefix(path, "//"): // a Windows share
		if host, _, _ := strings.Cut(encoded[2:], "/"); strings.Contains(host, "%") { // hosts have no escapes
			return "file://" + encoded
		}
		return "file:" + encoded
	case hasDrive(path):
		return "file:///" + path[:2] + percentEncoded(path[2:])
	}
	return "file://" + encoded
}

// percentEncoded returns a path in percent-encoding. Only slashes and the unreserved characters of URIs stay (RFC
// 3986, 2.3).
func percentEncoded(path string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}
