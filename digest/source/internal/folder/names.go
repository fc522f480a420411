package folder

import (
	"cmp"
	"net/netip"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// nameIndex indexes the files of a folder by plainName, so that changes of names by programs do not matter.
type nameIndex struct {
	dirs    []string // subfolders, with slashes, relative to the folder; "." is the folder itself
	numbers map[string]uint32
	files   []namedFile
	refs    []nameRef // sorted when the index is complete
}

// namedFile is a file in the index: dir is an index of dirs.
type namedFile struct {
	dir  uint32
	base string
}

// nameRef is the hash of a name, and the file with this name.
type nameRef struct {
	hash uint64
	file uint32
}

// add adds a file. name is its path in the folder, with slashes.
func (x *nameIndex) add(name string) {
	dir := path.Dir(name)
	n, ok := x.numbers[dir]
	if !ok {
		if x.numbers == nil {
			x.numbers = map[string]uint32{}
		}
		n = uint32(len(x.dirs))
		x.numbers[dir], x.dirs = n, append(x.dirs, dir)
	}
	i := uint32(len(x.files))
	base := path.Base(name)
	x.files = append(x.files, namedFile{n, strings.Clone(base)})
	x.refs = append(x.refs, nameRef{urlkey.Hash(plainName(base)), i})
	if isPageName(base) {
		x.refs = append(x.refs, nameRef{urlkey.Hash(inFolder(path.Base(dir))), i})
	}
}

// complete finishes the index.
func (x *nameIndex) complete() {
	x.numbers = nil
	slices.SortFunc(x.refs, func(a, b nameRef) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.file, b.file))
	})
}

// inFolder returns the key of the pages in a folder. One of these pages may be the response for the URL of the folder.
func inFolder(name string) string { return plainName(name) + "/" }

// find returns the names of files that are indexed under s, in order.
func (x *nameIndex) find(s string) (list []string) {
	h := urlkey.Hash(s)
	i, _ := slices.BinarySearchFunc(x.refs, h, func(r nameRef, h uint64) int { return cmp.Compare(r.hash, h) })
	for ; i < len(x.refs) && x.refs[i].hash == h; i++ {
		list = append(list, x.name(x.refs[i].file))
	}
	return list
}

// name returns the name of a file, by its index in files.
func (x *nameIndex) name(i uint32) string {
	f := x.files[i]
	return path.Join(x.dirs[f.dir], f.base)
}

// added matches text that programs add to file names. wget adds .orig (-K), a number if the name exists, and the
// extension of a media type (-E) or of a coding. Browsers add a number in parentheses if the name exists.
var added = regexp.MustCompile(`\.orig$|\.[0-9]{1,4}$|\.html?$|\.css$|\.(br|gz|z|zlib)$|\([0-9]{1,4}\)(\.[^.]*)?$`)

// again matches what wget adds to a name: a number if the name exists, and .orig for -K.
var again = regexp.MustCompile(`(\.[0-9]{1,4})?(\.orig)?$`)

// plainName returns the base of a name in a form that does not depend on the program that saved the file. Additions of
// programs are removed, escapes are decoded, case is ignored, and the same character precedes a query or a port. Files
// with different plain names have different URLs.
func plainName(base string) string {
	base = strings.ToLower(urlkey.AsUTF8(canon.Decode(nil, canon.Decode(nil, []byte(base)))))
	base = strings.NewReplacer("?", "@", ":", "+").Replace(base)
	for {
		at := added.FindStringSubmatchIndex(base)
		if at == nil || at[0] == 0 {
			return base
		}
		if at[4] >= 0 && base[at[0]] == '(' { // the extension stays
			base = base[:at[0]] + base[at[4]:at[5]]
			continue
		}
		base = base[:at[0]]
	}
}

// isPageName reports whether a name has an extension of pages or none, so that it may be the page of a folder.
func isPageName(base string) bool {
	switch path.Ext(again.ReplaceAllString(strings.ToLower(base), "")) {
	case "", ".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp", ".cfm":
		return true
	}
	return false
}

// isHost reports whether a folder name looks like a host: an IP address, localhost, a name with a port, or a name with
// a period whose last label consists of letters.
func isHost(name string) bool {
	host, port := portOf(strings.ToLower(name))
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	i := strings.LastIndexByte(host, '.')
	last := host[i+1:]
	switch {
	case i < 0:
		return host == "localhost" || port != "" && name[len(host)] != '_'
	case isPageName(host) || last == "files": // folder of the files of a page that a browser saved
		return false
	}
	return i > 0 && len(last) > 1 &&
		(strings.HasPrefix(last, "xn--") || strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") == "")
}

// portOf splits the folder name of a host into host and port. The port follows a colon, or the character by which a
// program replaces the colon.
func portOf(name string) (host, port string) {
	if i := strings.LastIndexAny(name, ":+_"); i > 0 && i+1 < len(name) &&
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

// urlNames holds the possible names of the file of a URL.
type urlNames struct {
	host, port string
	segments   []string // plain names of the path segments except the last
	page       string   // plain name of the last segment, without the query
	last       string   // the last segment, decoded, with the query
	find       []string // keys in a nameIndex
}

// newURLNames returns the names for a URL; none for a URL without host and path.
func newURLNames(url string) *urlNames {
	u := &urlNames{}
	_, rest, ok := strings.Cut(urlkey.Of(url), "://")
	authority, target, _ := strings.Cut(rest, "/")
	if !ok {
		return u
	}
	u.host, u.port = hostPort(urlkey.Punycode(authority))
	u.host = strings.Trim(u.host, "[]")
	file, query, hasQuery := strings.Cut(target, "?")
	segments := strings.Split(strings.TrimSuffix(file, "/"), "/")
	last := segments[len(segments)-1]
	for _, s := range append([]string{u.folder()}, segments[:len(segments)-1]...) {
		u.segments = append(u.segments, plainName(s))
	}
	u.last = string(canon.Decode(nil, []byte(last)))
	if last != "" {
		u.page = plainName(last)
		if hasQuery {
			u.find = append(u.find, plainName(last+"?"+query))
		}
		u.find = append(u.find, plainName(last), inFolder(last))
	}
	if last == "" || strings.HasSuffix(file, "/") { // a folder: its page may have any name
		u.find = append(u.find, inFolder(u.folder()), inFolder(strings.ReplaceAll(u.folder(), ":", "_")), inFolder("."))
	}
	if hasQuery {
		u.last += "?" + query
	}
	return u
}

// folder returns the folder name of the host.
func (u *urlNames) folder() string {
	if u.port != "" {
		return u.host + ":" + u.port
	}
	return u.host
}

// mayBe reports whether a file may be the file of the URL. If the file is in the folder of a host, this must be the
// host of the URL, and the folders below it must be the last folders of the URL: --cut-dirs removes the first ones.
// Other files match if there are no folders of hosts, or if they are in a folder of files that a browser saved with a
// page.
func (u *urlNames) mayBe(name string, hosts bool) bool {
	before, folder := hostIn(path.Dir(name))
	if folder == "" {
		return !hosts || savedFolder.MatchString(path.Dir(name))
	}
	depth := strings.Count(path.Dir(name), "/") - strings.Count(path.Join(before, folder), "/")
	folder = strings.ToLower(folder)
	host, port := portOf(folder)
	same := folder == u.folder() || // an IPv6 address, which seems to end in a port
		port == u.port && urlkey.Punycode(string(urlkey.WithEscapes(strings.Trim(host, "[]")))) == u.host
	return same && u.shared(name) >= depth
}

// shared returns the number of folders, from the end of the path name, that match the folders of the URL.
func (u *urlNames) shared(name string) (n int) {
	want := u.segments
	base := plainName(path.Base(name))
	if u.page != "" && base != u.page && base != plainName(u.last) { // the last segment is a folder here
		want = append(slices.Clip(want), u.page)
	}
	dirs := strings.Split(path.Dir(name), "/")
	for n < len(dirs) && n < len(want) && plainName(dirs[len(dirs)-1-n]) == want[len(want)-1-n] {
		n++
	}
	return n
}

// agreement returns a number that is larger the better a name matches the URL. The number of matching folders at the
// end counts most. Then it counts whether the last part is exactly the same, or is the usual page of a folder.
func (u *urlNames) agreement(name string) int {
	n := 4 * u.shared(name)
	base := path.Base(name)
	if strings.TrimSuffix(base, ".orig") == u.last {
		n += 2
	}
	if strings.HasPrefix(base, "index") {
		n++
	}
	return n
}
