package folder

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// fileName is a possible name of the file of a URL.
type fileName struct {
	path      string
	ext       string // extension of the path of the URL, or extension added by wget
	uncertain bool
}

// fileNames returns the possible names that wget -x uses for the file of a URL, below its output folder. There are
// names with and without a folder for the protocol. There are also names without a folder for the host (-nH); these are
// uncertain. There are no names for a URL without a host.
func fileNames(url string) []fileName {
	scheme, rest, _ := strings.Cut(urlkey.Of(url), "://")
	authority, target, ok := strings.Cut(rest, "/")
	if !ok || authority == "" {
		return nil
	}
	host, port := hostPort(authority)
	file, query, hasQuery := strings.Cut(target, "?")
	ext := path.Ext(string(canon.Decode(nil, []byte(file))))
	if file == "" || strings.HasSuffix(file, "/") {
		ext = ".html" // join adds index.html
	}
	var list []fileName
	add := func(uncertain bool, parts ...string) {
		n := fileName{path.Join(parts...), ext, uncertain}
		if filepath.IsLocal(n.path) && !strings.Contains(n.path, "\x00") && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	for _, s := range spellings {
		name := s.join(file, query, hasQuery)
		for _, h := range []string{host, strings.Trim(host, "[]")} {
			if port != "" {
				h += s.port + port
			}
			add(false, h, name)
			add(false, scheme, h, name)
		}
	}
	for _, s := range spellings {
		add(true, s.join(file, query, hasQuery))
	}
	return list
}

// hostPort returns the host and the port in an authority (RFC 3986, 3.2). It ignores userinfo.
func hostPort(authority string) (host, port string) {
	host = authority[strings.LastIndexByte(authority, '@')+1:]
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host, port = host[:i], host[i+1:]
	}
	return host, port
}

// nameStyle is a way to convert parts of a URL to names of files.
type nameStyle struct {
	port, query string     // separators before port and query
	raw         bool       // escapes are not decoded
	twice       bool       // escapes in the path are decoded twice
	unsafe      string     // octets to escape; others are decoded
	control     bool       // control characters are also escaped
	high        highOctets // octets outside of ASCII to escape
}

// highOctets says which of the octets from 80 on are escaped.
type highOctets int

const (
	escapeNone highOctets = iota
	escapeC1              // 80 to 9F, the control characters of ISO 8859
	escapeAll
)

// spellings are the styles that wget may use. They are the modes of --restrict-file-names: unix, unix before wget
// supported UTF-8, ascii, and nocontrol. There are the same modes for windows, all of these for versions that decode
// twice, and two styles with unchanged escapes.
var spellings = slices.Concat(spelled(false), spelled(true), []nameStyle{
	{port: ":", query: "?", raw: true},
	{port: "+", query: "@", raw: true},
})

func spelled(twice bool) (list []nameStyle) {
	for _, s := range []nameStyle{
		{port: ":", query: "?", unsafe: "/", control: true},
		{port: ":", query: "?", unsafe: "/", control: true, high: escapeC1},
		{port: ":", query: "?", unsafe: "/", control: true, high: escapeAll},
		{port: ":", query: "?", unsafe: "/"},
		{port: "+", query: "@", unsafe: windowsUnsafe, control: true},
		{port: "+", query: "@", unsafe: windowsUnsafe, control: true, high: escapeC1},
		{port: "+", query: "@", unsafe: windowsUnsafe, control: true, high: escapeAll},
		{port: "+", query: "@", unsafe: windowsUnsafe},
	} {
		s.twice = twice
		list = append(list, s)
	}
	return list
}

const windowsUnsafe = `/\|<>?:"*`

// join returns the file name for a path and a query.
func (s nameStyle) join(file, query string, hasQuery bool) string {
	segments := strings.Split(file, "/")
	last := &segments[len(segments)-1]
	if *last == "" {
		*last = "index.html"
	}
	for i := range segments {
		// In a path, some versions of wget decode twice: %2541 becomes A.
		segments[i] = s.write(s.decoded(segments[i]))
	}
	if hasQuery {
		*last += s.query + s.write(query)
	}
	return path.Join(segments...)
}

// decoded returns part with its escapes decoded if s decodes twice.
func (s nameStyle) decoded(part string) string {
	if !s.twice {
		return part
	}
	return string(canon.Decode(nil, []byte(part)))
}

func (s nameStyle) write(part string) string {
	if s.raw {
		return part
	}
	plain := canon.Decode(nil, []byte(part))
	if string(plain) == ".." {
		return "%2E%2E"
	}
	var b strings.Builder
	for _, c := range plain {
		if strings.IndexByte(s.unsafe, c) >= 0 || s.control && (c < 0x20 || c == 0x7f) ||
			s.high == escapeAll && c >= 0x80 || s.high == escapeC1 && c >= 0x80 && c < 0xa0 {
			const digits = "0123456789ABCDEF"
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
