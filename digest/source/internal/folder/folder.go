// Package folder opens folders of files that programs saved: those of wget, and the cache of WWWOFFLE. It also opens
// lists of files.
package folder

import (
	"fmt"
	"io"
	"math"
	"mime"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Saved is the files in a folder that wget saved, whose names depend on their URLs. Files outside of the folder are
// never opened, neither by name nor by symbolic link.
type Saved struct {
	path  string
	root  *os.Root
	names []string        // paths in the folder, with slashes
	has   map[string]bool // the names

	HasHosts bool // there is a folder of a host
}

// NewSaved returns a folder without files.
func NewSaved(path string, root *os.Root) *Saved {
	return &Saved{path: path, root: root, has: map[string]bool{}}
}

// Add adds a file. name is its path in the folder, with slashes.
func (f *Saved) Add(name string) {
	f.names = append(f.names, name)
	f.has[name] = true
	f.HasHosts = f.HasHosts || IsDownload(name)
}

// String returns the path of the folder.
func (f *Saved) String() string { return f.path }

// Close closes the folder.
func (f *Saved) Close() error { return f.root.Close() }

// Scan adds an entry for each key of each file.
func (f *Saved) Scan(s *capture.Scan) error {
	s.Files = len(f.names)
	for i, name := range f.names {
		for k, key := range f.keys(name) {
			e := capture.Entry{URL: urlkey.Hash(urlkey.Alike(key.url)), At: int64(i), Skip: int64(k), Flags: capture.Named,
				Time: math.MaxInt64} // after the captures with a date
			if k > 0 {
				e.Flags |= capture.Alias
			}
			if key.isReplay {
				e.Flags &^= capture.Named
			}
			s.Add(e)
		}
	}
	return nil
}

// fileKey is a URL under which a file is found.
type fileKey struct {
	url      string
	as       string // name of the file without what wget added to it
	isReplay bool   // the URL is the one under which a web archive replayed the file
}

// keys returns the keys of a file: its file: URL, the URL under which a web archive replayed it, and the names that
// wget may have derived from the URL of the file. wget makes these variants of a name:
//
//   - With -K, the original file ends in .orig, and the file without .orig has changed links.
//   - With -E, the name ends in the extension of the media type.
//   - If a file or folder with the name exists, wget adds .1, .2, and so on.
func (f *Saved) keys(name string) []fileKey {
	list := []fileKey{{capture.FileURL(filepath.Join(f.path, filepath.FromSlash(name))),
		strings.TrimSuffix(name, ".orig"), false}}
	host, rest := hostOf(name)
	if host == "" {
		return list
	}
	url := "http://" + host + "/" + rest
	if _, _, ok := urlkey.Replayed(url); ok {
		list = append(list, fileKey{url, name, true})
	}
	before := strings.TrimSuffix(name, rest)
	add := func(rest string) { list = append(list, fileKey{wgetKey(host, rest), before + rest, false}) }
	add(rest)
	original, isOriginal := strings.CutSuffix(rest, ".orig")
	if isOriginal {
		add(original)
	}
	switch ext := path.Ext(original); ext {
	case ".html", ".css":
		add(strings.TrimSuffix(original, ext))
	default:
		number, _ := strconv.Atoi(strings.TrimPrefix(ext, "."))
		plain := strings.TrimSuffix(rest, ext)
		if number == 1 || number > 1 && f.has[before+plain+"."+strconv.Itoa(number-1)] {
			add(plain)
		}
	}
	return list
}

// hostOf returns the folder of a host in the path of a file, and the rest of the path. Without a folder that looks like
// one, this is the first folder, because not every host is recognized.
func hostOf(name string) (host, rest string) {
	before, host := hostIn(path.Dir(name))
	if host == "" {
		host, rest, _ = strings.Cut(name, "/")
		if rest == "" {
			return "", ""
		}
		return host, rest
	}
	return host, strings.TrimPrefix(name, path.Join(before, host)+"/")
}

// wgetKey is the key of a file that wget -r saved, from the folder of the host and the name in this folder.
func wgetKey(host, name string) string { return "wget:" + host + "/" + name }

// Names returns the keys of the files that wget -r may have saved for a URL.
func (f *Saved) Names(url string) []string {
	host, name, ok := wgetName(url)
	if !ok {
		return nil
	}
	return []string{wgetKey(host, name)}
}

// Read returns the candidate of an entry.
func (f *Saved) Read(_ *capture.Index, e *capture.Entry) (*capture.Candidate, string, error) {
	name := f.names[e.At]
	key := f.keys(name)[e.Skip]
	info, err := f.root.Stat(name)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", f.path, err)
	}
	c := &capture.Candidate{
		URL:       f.urlOf(key.as),
		MediaType: mime.TypeByExtension(extensionOf(name, key.as)),
		Where:     filepath.Join(f.path, name),
		Size:      info.Size(),
		Body:      &body.Body{Open: func() (io.ReadCloser, error) { return f.root.Open(name) }},
	}
	if key.isReplay {
		c.URL = key.url
	}
	switch {
	case f.isUncertain(name, key) || !strings.HasPrefix(c.URL, "file:") && strings.ContainsAny(name, "%@"):
		c.Doubt = capture.DoubtName
	case info.Size() == 0: // the data may never have been written
		c.Doubt = "the file is empty"
	case hasLinks.MatchString(c.MediaType) && path.Ext(name) != ".orig":
		c.Doubt = "wget -k may have changed its links; with -K, wget also keeps the original"
	}
	return c, key.url, nil
}

// isUncertain reports whether a file may be that of another URL, or a changed copy, given how it was found.
func (f *Saved) isUncertain(name string, key fileKey) bool {
	return name != key.as && name != key.as+".orig" || f.has[key.as+".1"] ||
		name == key.as && f.has[key.as+".orig"]
}

// extensionOf returns the extension that wget added to the name of a file, or else that of the path of the URL. as is
// the name without what wget added.
func extensionOf(name, as string) string {
	switch added := strings.TrimPrefix(strings.TrimSuffix(name, ".orig"), as); added {
	case ".html", ".css":
		return added
	}
	plain, _, _ := strings.Cut(path.Base(as), style.query)
	return path.Ext(plain)
}

// hasLinks matches the media types in which wget -k changes links.
var hasLinks = regexp.MustCompile(`^(text/html|application/xhtml\+xml|text/css)\b`)

// urlOf returns the URL of a file, given its path in the folder. If a folder in the path looks like that of a host,
// this is a URL of http in the style of wget. Otherwise it is the file: URL.
func (f *Saved) urlOf(name string) string {
	before, folder := hostIn(path.Dir(name))
	if folder == "" {
		return capture.FileURL(filepath.Join(f.path, filepath.FromSlash(name)))
	}
	host, port := portOf(folder)
	if port != "" {
		host += ":" + port
	}
	return "http://" + host + "/" + urlkey.Escaped(strings.TrimPrefix(name, path.Join(before, folder)+"/"))
}
