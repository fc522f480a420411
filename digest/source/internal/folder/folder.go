// Package folder opens folders: sources of other kinds in them, files saved by wget, pages saved by browsers, and lists
// of files.
package folder

import (
	"fmt"
	"io"
	"io/fs"
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
	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

func Is(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || isManifest(path)
}

// Open opens the contents of a folder, or its manifest. guessed means that the caller did not say that it is a folder
// of files.
func Open(path string, guessed bool) (capture.Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return openManifest(path)
	}
	return openContents(path, guessed)
}

// folder looks up files that wget saved, whose names depend on their URLs, and saved pages that contain their URLs. It
// never opens files outside of the folder, neither by name nor by symbolic link.
type folder struct {
	path      string
	root      *os.Root
	hosts     map[string][]string    // for each folder of a host, by its name, the folder that contains it
	saved     map[string][]savedPage // saved pages, by the common form of alike URLs
	savedURLs map[string]string      // URLs of the saved pages, by file name
	stats     capture.Stats
}

func (f *folder) Stats() capture.Stats { return f.stats }
func (f *folder) Close() error         { return f.root.Close() }

// Lookup tries the name that wget uses, and searches saved pages that contain a matching URL. It tries the name below
// the folder, and below each subfolder that contains a folder of the host.
func (f *folder) Lookup(url string) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		if f.yieldNamed(url, f.names(url), yield) {
			f.yieldSaved(url, urlkey.Same(url), yield)
		}
	}
}

// LookupAlike tries the names of the URL without an empty query, and with and without a slash at the end of the path.
// It also yields saved pages of alike URLs.
func (f *folder) LookupAlike(url string) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		tried := f.names(url)
		alike, isAlike := urlkey.Alike(url), urlkey.IsAlike(url)
		for _, as := range []string{alike, alike + "/"} {
			if !isAlike(as) {
				continue
			}
			names := slices.DeleteFunc(f.names(as), func(n fileName) bool { return slices.Contains(tried, n) })
			if !f.yieldNamed(as, names, yield) {
				return
			}
		}
		f.yieldSaved(url, isAlike, yield)
	}
}

// yieldNamed yields the files with these names. It returns false if the caller must stop.
func (f *folder) yieldNamed(url string, names []fileName, yield func(*capture.Candidate, error) bool) bool {
	for _, n := range names {
		for _, n := range f.variants(n) {
			c, err := f.candidate(url, n)
			if (c != nil || err != nil) && !yield(c, err) {
				return false
			}
		}
	}
	return true
}

// yieldSaved yields the saved pages whose URLs are alike url and for which is(URL) is true.
func (f *folder) yieldSaved(url string, is func(string) bool, yield func(*capture.Candidate, error) bool) {
	for _, p := range f.saved[urlkey.Alike(url)] {
		if !is(p.url) {
			continue
		}
		c, err := f.candidate(p.url, fileName{p.file, path.Ext(p.file), true})
		if (c != nil || err != nil) && !yield(c, err) {
			return
		}
	}
}

// List yields all files that are not sources of other kinds. The URL of a candidate is the URL that the page contains
// or that the file name suggests. Without one, it is the file: URL. Stats count unreadable folders.
func (f *folder) List(yield func(*capture.Candidate, error) bool) {
	fs.WalkDir(f.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || kindNamed(strings.ToLower(path.Base(name))) != "" {
			return nil
		}
		as := strings.TrimSuffix(name, ".orig") // wget -K adds .orig to the original file
		n := fileName{name, path.Ext(as), f.savedURLs[name] != "" ||
			as == name && localfile.IsFile(f.root, name+".orig")}
		c, err := f.candidate(capture.URLOf(f, filepath.Join(f.path, filepath.FromSlash(as))), n)
		if (c != nil || err != nil) && !yield(c, err) {
			return fs.SkipAll
		}
		return nil
	})
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
		Body:      &body.Body{Open: func() (io.ReadCloser, error) { return f.root.Open(n.path) }},
	}
	switch {
	case n.uncertain || hasReadings(url, n.path):
		c.Doubt = "only its name connects the file with the URL"
	case info.Size() == 0: // the data may never have been written
		c.Doubt = "the file is empty"
	case hasLinks.MatchString(c.MediaType) && path.Ext(n.path) != ".orig":
		c.Doubt = "wget -k may have changed its links; with -K, wget also keeps the original"
	}
	return c, nil
}

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

// variants returns the variants of a name that wget makes:
//
//   - With -K, the original file ends in .orig, and the file without .orig has changed links.
//   - With -E, the name ends in the extension of the media type.
//   - If a file or folder with the name exists, wget adds .1, .2, and so on.
func (f *folder) variants(n fileName) []fileName {
	backup := n.path + ".orig"
	list := []fileName{
		{backup, n.ext, n.uncertain},
		{n.path, n.ext, n.uncertain || localfile.IsFile(f.root, backup)},
	}
	for _, ext := range []string{".html", ".css"} {
		list = append(list,
			fileName{n.path + ext + ".orig", ext, true},
			fileName{n.path + ext, ext, true})
	}
	for i := 1; ; i++ {
		again := n.path + "." + strconv.Itoa(i)
		if !localfile.IsFile(f.root, again) {
			return list
		}
		list = append(list, fileName{again, n.ext, true})
		list[0].uncertain, list[1].uncertain = true, true // either may be the captured file
	}
}

// names returns the possible names of the file of a URL in the folder.
func (f *folder) names(url string) (list []fileName) {
	if u := canon.Split([]byte(urlkey.Of(url))); string(u.Scheme) == "file" {
		if name, ok := f.below(string(canon.Decode(nil, u.Path))); ok {
			list = append(list, fileName{name, path.Ext(name), false})
		}
		return list
	}
	host, name, ok := wgetName(url)
	if !ok {
		return nil
	}
	parents := f.hosts[host]
	if len(parents) == 0 {
		parents = []string{"."} // isHost does not recognize every host
	}
	for _, parent := range parents {
		list = append(list, fileName{path.Join(parent, host, name.path), name.ext, false})
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

// URLOf returns the URL that a saved page contains. Without one, it parses the name of the file in the style of wget:
// the folder of a host, and a path.
func (f *folder) URLOf(abs string) string {
	name, ok := f.below(filepath.ToSlash(abs))
	if !ok {
		return ""
	}
	if url := f.savedURLs[name]; url != "" {
		return url
	}
	before, folder := hostIn(path.Dir(name))
	if folder == "" {
		return ""
	}
	host, port := portOf(folder)
	if port != "" {
		host += ":" + port
	}
	return "http://" + host + "/" + urlkey.Escaped(strings.TrimPrefix(name, path.Join(before, folder)+"/"))
}
