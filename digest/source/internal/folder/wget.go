package folder

import (
	"net/netip"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// nameStyle says which characters wget replaces in the names of files.
type nameStyle struct {
	port, query string // separators before port and query
	unsafe      string // octets to escape
}

// style is the style of wget on this system.
var style = func() nameStyle {
	if runtime.GOOS == "windows" {
		return nameStyle{port: "+", query: "@", unsafe: `/\|<>?:"*`}
	}
	return nameStyle{port: ":", query: "?", unsafe: "/"}
}()

// wgetName returns the folder of the host, and the name in this folder, that wget -r uses for the file of a URL. It
// returns false for a URL without a host, or if there is no such name.
func wgetName(url string) (host, name string, ok bool) {
	_, rest, _ := strings.Cut(urlkey.Of(url), "://")
	authority, target, ok := strings.Cut(rest, "/")
	if !ok || authority == "" {
		return "", "", false
	}
	host, port := hostPort(authority)
	host = strings.Trim(host, "[]")
	if port != "" {
		host += style.port + port
	}
	file, query, hasQuery := strings.Cut(target, "?")
	segments := strings.Split(file, "/")
	last := &segments[len(segments)-1]
	if *last == "" {
		*last = "index.html"
	}
	for i := range segments {
		segments[i] = style.write(segments[i])
	}
	if hasQuery {
		*last += style.query + style.write(query)
	}
	name = path.Join(segments...)
	ok = filepath.IsLocal(host) && filepath.IsLocal(name) && !strings.Contains(host+name, "\x00")
	return host, name, ok
}

// hostPort returns the host and the port in an authority (RFC 3986, 3.2). It ignores userinfo.
func hostPort(authority string) (host, port string) {
	host = authority[strings.LastIndexByte(authority, '@')+1:]
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host, port = host[:i], host[i+1:]
	}
	return host, port
}

// write returns part of a URL as part of a name: wget decodes escapes, and then escapes unsafe octets and control
// characters.
func (s nameStyle) write(part string) string {
	plain := canon.Decode(nil, []byte(part))
	if string(plain) == ".." {
		return "%2E%2E"
	}
	var b strings.Builder
	for _, c := range plain {
		if strings.IndexByte(s.unsafe, c) >= 0 || c < 0x20 || c == 0x7f {
			const digits = "0123456789ABCDEF"
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// isHost reports whether a folder name looks like a host: an IP address, localhost, a name with a port, or a name with
// a period whose last label consists of letters.
func isHost(name string) bool {
	host, port := portOf(strings.ToLower(name))
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	i := strings.LastIndexByte(host, '.')
	last := host[i+1:]
	if i < 0 {
		return host == "localhost" || port != ""
	}
	return i > 0 && len(last) > 1 &&
		(strings.HasPrefix(last, "xn--") || strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") == "")
}

// portOf splits the folder name of a host into host and port.
func portOf(name string) (host, port string) {
	if i := strings.LastIndex(name, style.port); i > 0 && i+1 < len(name) &&
		strings.Trim(name[i+1:], "0123456789") == "" {
		return name[:i], name[i+1:]
	}
	return name, ""
}

// hostIn returns the first folder in dir for which isHost is true, and the part of dir before this folder. host is
// empty if there is no such folder.
func hostIn(dir string) (before, host string) {
	start := 0
	for _, s := range strings.Split(dir, "/") {
		if isHost(s) {
			return strings.TrimSuffix(dir[:start], "/"), s
		}
		start += len(s) + 1
	}
	return "", ""
}

// IsDownload reports whether a file is in the folder of a host.
func IsDownload(name string) bool {
	_, host := hostIn(path.Dir(name))
	return host != ""
}
