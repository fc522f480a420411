// Package folder opens folders: sources of other kinds in them, files saved by wget and browsers, and lists of
// files.
package folder

import (
	"fmt"
	"io"
	"iter"
	"mime"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// List yields all files. The URL of a candidate is the URL that the page contains or that the file name suggests.
// Without one, it is the file: URL. Stats count unreadable folders.
func (f *folder) List(yield func(*capture.Candidate, error) bool) {
	for i := range f.names.files {
		name := f.names.name(uint32(i))
		as := strings.TrimSuffix(name, ".orig") // wget -K adds .orig to the original file
		n := fileName{name, path.Ext(as), f.savedURLs[name] != "" ||
			as == name && localfile.IsFile(f.root, name+".orig")}
		c, err := f.candidate(capture.URLOf(f, filepath.Join(f.path, filepath.FromSlash(as))), n)
		if (c != nil || err != nil) && !yield(c, err) {
			return
		}
	}
}

func Is(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || isManifest(path)
}

// Open opens the contents of a folder, or its manifest.
func Open(path string, o capture.Options) (capture.Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return openManifest(path)
	}
	return openContents(path, o)
}

// folder looks up files that wget and browsers saved, whose names depend on their URLs. It tries the few possible names
// for a URL. It never opens files outside of the folder, neither by name nor by symbolic link.
type folder struct {
	path      string
	root      *os.Root
	names     nameIndex
	saved     map[string][]savedPage // saved pages, by the common form of alike URLs
	savedURLs map[string]string      // URLs of the saved pages, by file name
	hosts     bool                   // there are folders of hosts
	changed   []string               // folders of mirrors of HTTrack, which changes links; each ends in a slash
	// the index may lack names: below symbolic links to folders, and in unreadable folders
	more  bool
	stats capture.Stats
}

func (f *folder) Stats() capture.Stats { return f.stats }
func (f *folder) Close() error         { return f.root.Close() }

// Lookup tries the names that wget uses, and searches saved pages that contain a matching URL. It tries names below the
// folder, and below each subfolder that contains folders of hosts.
func (f *folder) Lookup(url string) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		seen := map[string]bool{}
		names := append(f.localNames(url), fileNames(url)...)
		there := f.there(names)
		for _, n := range there.below(names) {
			for _, n := range f.variants(n, there) {
				if seen[n.path] || !there.has(n.path) {
					continue
				}
				seen[n.path] = true
				c, err := f.candidate(url, n)
				if (c != nil || err != nil) && !yield(c, err) {
					return
				}
			}
		}
		f.yieldSaved(url, urlkey.Same(url), yield)
	}
}

// yieldSaved yields the saved pages whose URLs are alike url and for which is(URL) is true. It returns false if the
// caller must stop.
func (f *folder) yieldSaved(url string, is func(string) bool, yield func(*capture.Candidate, error) bool) bool {
	for _, p := range f.saved[urlkey.Alike(url)] {
		if !is(p.url) {
			continue
		}
		c, err := f.candidate(p.url, fileName{p.file, path.Ext(p.file), true})
		if (c != nil || err != nil) && !yield(c, err) {
			return false
		}
	}
	return true
}

// LookupAlike yields saved pages of alike URLs, and then files, in any folder, whose names may come from the URL. It
// omits files that Lookup yields. Files whose folders match more of the folders of the URL come first.
func (f *folder) LookupAlike(url string) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		if !f.yieldSaved(url, urlkey.IsAlike(url), yield) {
			return
		}
		seen := map[string]bool{}
		for c, err := range f.Lookup(url) {
			if err == nil {
				seen[c.Where] = true
			}
		}
		for _, name := range f.named(url) {
			c, err := f.candidate("", fileName{name, path.Ext(strings.TrimSuffix(name, ".orig")), true})
			if c != nil && seen[c.Where] || c == nil && err == nil {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// candidate returns the candidate of a file; nil if there is no such file. An error means that it is unknown whether
// the file exists.
func (f *folder) candidate(url string, n fileName) (*capture.Candidate, error) {
	info, err := f.root.Stat(n.path)
	if err != nil && !localfile.Missing(err) {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	c := &capture.Candidate{
		URL:       url,
		MediaType: mime.TypeByExtension(n.ext),
		Where:     filepath.Join(f.path, n.path),
		Size:      info.Size(),
		Uncertain: n.uncertain || f.isChanged(n.path) || hasReadings(url, n.path),
		Bodies: []capture.Body{capture.NewBody(capture.AsStored,
			func() (io.ReadCloser, error) { return f.root.Open(n.path) })},
	}
	switch {
	case info.Size() == 0:
		c.Doubt = errEmpty
	case hasLinks.MatchString(c.MediaType) && path.Ext(n.path) != ".orig":
		c.Doubt = errLinks
	}
	return c, nil
}

// errEmpty means that the data of a file may never have been written.
var errEmpty = &capture.Flaw{Reason: "the file is empty"}

// errLinks means that a page may differ from the retrieved page.
var errLinks = &capture.Flaw{Reason: "wget -k may have changed its links; with -K, wget also keeps the original"}

// hasLinks matches the media types in which wget -k changes links.
var hasLinks = regexp.MustCompile(`^(text/html|application/xhtml\+xml|text/css)\b`)

// hasReadings reports whether the file name of a URL may also be the file name of another URL. Reasons are that
// programs decode escapes once, twice, or not at all, and that some write the question mark before a query as an at
// sign.
func hasReadings(url, name string) bool {
	if strings.HasPrefix(url, "file:") {
		return false
	}
	url = strings.ToLower(url)
	return strings.ContainsAny(name, "%@") || strings.Contains(url, "%25") || strings.Contains(url, "%3f")
}

// isChanged reports whether a file is in a mirror of HTTrack, which changes links.
func (f *folder) isChanged(name string) bool {
	return slices.ContainsFunc(f.changed, func(dir string) bool { return strings.HasPrefix(name, dir) })
}

// variants returns the variants of a name that wget makes:
//
//   - With -K, the original file ends in .orig, and the file without .orig has changed links.
//   - With -E, the name ends in the extension of the media type.
//   - If a file or folder with the name exists, wget adds .1, .2, and so on.
func (f *folder) variants(n fileName, there namesThere) []fileName {
	backup := n.path + ".orig"
	list := []fileName{
		{backup, n.ext, n.uncertain},
		{n.path, n.ext, n.uncertain || there.has(backup) && localfile.IsFile(f.root, backup)},
	}
	for _, ext := range []string{".html", ".css"} {
		list = append(list,
			fileName{n.path + ext + ".orig", ext, true},
			fileName{n.path + ext, ext, true})
	}
	for i := 1; ; i++ {
		again := n.path + "." + strconv.Itoa(i)
		if !there.has(again) || !localfile.IsFile(f.root, again) {
			return list
		}
		list = append(list, fileName{again, n.ext, true})
		list[0].uncertain, list[1].uncertain = true, true // either may be the captured file
	}
}

// namesThere is the set of existing files for some possible names.
type namesThere struct {
	List []string
	all  bool // other files may also exist
}

// there returns the existing files whose plain names are those of names. This includes all variants of names.
func (f *folder) there(names []fileName) namesThere {
	t := namesThere{all: f.more}
	seen := map[string]bool{}
	for _, n := range names {
		if plain := plainName(path.Base(n.path)); !seen[plain] {
			seen[plain] = true
			t.List = append(t.List, f.names.find(plain)...)
		}
	}
	return t
}

// has reports whether there may be a file with a name.
func (t namesThere) has(name string) bool { return t.all || slices.Contains(t.List, name) }

// below returns the names as they are, and the same names below each subfolder in which one of the names with a host
// exists.
func (t namesThere) below(names []fileName) []fileName {
	list := slices.Clone(names)
	for _, file := range t.List {
		dir := path.Dir(file)
		for _, n := range names {
			before, ok := strings.CutSuffix(dir, "/"+path.Dir(n.path))
			if _, host := hostIn(before); !ok || n.uncertain || host != "" ||
				slices.Contains(protocols, path.Base(before)) {
				continue
			}
			n.path = path.Join(before, n.path)
			if !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	return list
}

// named returns the files whose names may come from a URL, best matches first, up to a limit. A file in the folder of a
// host can only come from this host.
func (f *folder) named(url string) []string {
	u := newURLNames(url)
	var list []string
search:
	for _, s := range u.find {
		for _, name := range f.names.find(s) {
			if !slices.Contains(list, name) && u.mayBe(name, f.hosts) {
				list = append(list, name)
			}
			if len(list) == maxNamedLooks {
				break search
			}
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return u.agreement(b) - u.agreement(a) })
	return list[:min(len(list), maxNamed)]
}

// localNames returns the possible names of a file: URL. If the path is in the folder, there is only one name. Otherwise
// the folder may be a copy of the original folder, so each end of the path may be a name in the copy.
func (f *folder) localNames(url string) []fileName {
	u := canon.Split([]byte(urlkey.Of(url)))
	if string(u.Scheme) != "file" {
		return nil
	}
	file := string(canon.Decode(nil, u.Path))
	if name, ok := f.below(file); ok {
		return []fileName{{name, path.Ext(name), false}}
	}
	var list []fileName
	for i := range file {
		if name := file[i+1:]; file[i] == '/' && filepath.IsLocal(name) && !strings.Contains(name, "\x00") &&
			len(list) < maxPathEnds {
			list = append(list, fileName{name, path.Ext(name), true})
		}
	}
	return list
}

// below returns the name, with slashes, of a file below the folder, given its absolute path.
func (f *folder) below(file string) (name string, ok bool) {
	if runtime.GOOS == "windows" {
		file = strings.TrimPrefix(file, "/") // the slash before a drive letter
	}
	root, err := filepath.Abs(f.path)
	if err != nil {
		return "", false
	}
	name, err = filepath.Rel(root, filepath.FromSlash(file))
	return filepath.ToSlash(name), err == nil && filepath.IsLocal(name)
}

// protocols are the folder names of wget --protocol-directories.
var protocols = []string{"http", "https", "ftp"}

// URLOf returns the URL that a saved page contains. Without one, it parses the name of the file in the style of wget:
// the folder of a host, optionally below the folder of a protocol, and a path.
func (f *folder) URLOf(abs string) string {
	name, ok := f.below(filepath.ToSlash(abs))
	if !ok {
		return ""
	}
	if url := f.savedURLs[name]; url != "" {
		return url
	}
	before, host := hostIn(path.Dir(name))
	if host == "" {
		return ""
	}
	folder := host
	if name, port := portOf(host); port != "" && host[len(name)] == '+' {
		host = name + ":" + port
	}
	scheme := "http"
	if protocol := path.Base(before); slices.Contains(protocols, protocol) {
		scheme = protocol
	}
	return scheme + "://" + host + "/" + urlkey.Escaped(strings.TrimPrefix(name, path.Join(before, folder)+"/"))
}
