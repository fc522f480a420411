// Package folder opens folders of files that programs saved: those of wget, and the cache of WWWOFFLE. It also opens
// lists of files.
package folder

import (
	"cmp"
	"io"
	"math"
	"mime"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Saved is the files in a folder that wget saved, whose names depend on their URLs. They have no date, so an audit never
// takes a difference for a mismatch.
type Saved struct {
	path  string
	files []savedFile

	HasHosts bool // there is a folder of a host
}

// savedFile is a file with its path in the folder, with slashes.
type savedFile struct {
	name string
	size int64
}

// NewSaved returns a folder without files.
func NewSaved(path string) *Saved { return &Saved{path: path} }

// Add adds a file of a size, and reports whether it is in the folder of a host. name is its path in the folder, with
// slashes.
func (f *Saved) Add(name string, size int64) bool {
	f.files = append(f.files, savedFile{name, size})
	_, _, ok := hostOf(name)
	f.HasHosts = f.HasHosts || ok
	return ok
}

// String returns the path of the folder.
func (f *Saved) String() string { return f.path }

// Scan adds an entry for each URL of each file.
func (f *Saved) Scan(s *capture.Scan) error {
	s.Files = len(f.files)
	for i, file := range f.files {
		s.Bytes += file.size
		for k, url := range f.urls(file.name) {
			e := capture.Entry{URL: urlkey.Hash(urlkey.Alike(url)), At: int64(i), Skip: int64(k),
				Time: math.MaxInt64} // after the captures with a date
			if k > 0 {
				e.Flags |= capture.Alias
			}
			s.Add(e)
		}
	}
	return nil
}

// urls returns the URLs that a file may have: its file: URL, and those for which wget uses its path. The latter come
// first if a folder in the path looks like that of a host.
func (f *Saved) urls(name string) []string {
	own := []string{urlkey.FileURL(filepath.Join(f.path, filepath.FromSlash(name)))}
	host, rest, ok := hostOf(name)
	if host == "" {
		return own
	}
	bare := strings.TrimSuffix(strings.TrimSuffix(rest, ".html"), ".css") // as with -E
	var list []string
	for _, name := range slices.Compact([]string{rest, indexFile.ReplaceAllString(rest, "$1$2"), bare}) {
		list = append(list, urlkey.Escaped("http://"+host+"/"+strings.ReplaceAll(name, "#", "%23")))
	}
	if ok {
		return append(list, own...)
	}
	return append(own, list...)
}

// indexFile matches the path of a file whose URL ends in a slash, or has a query after one.
var indexFile = regexp.MustCompile(`^((?:[^?]*/)?)index\.html(\?.*)?$`)

// isHost matches folder names that look like a host: an IP address, localhost, a name with a port, or a name with a
// period whose last label consists of letters.
var isHost = regexp.MustCompile(`(?i)^(\d+\.\d+\.\d+\.\d+|localhost|.+\.[a-z]{2,}|.+\.xn--[a-z0-9-]+|.+:\d+)(:\d+)?$`)

// hostOf returns the folder of a host in the path of a file, and the rest of the path. Without a folder that looks like
// one, ok is false, and host is the first folder, because not every host is recognized.
func hostOf(name string) (host, rest string, ok bool) {
	segments := strings.Split(name, "/")
	folders := segments[:len(segments)-1]
	if len(folders) == 0 {
		return "", "", false
	}
	i := slices.IndexFunc(folders, isHost.MatchString)
	ok = i >= 0
	i = max(i, 0)
	return folders[i], strings.Join(segments[i+1:], "/"), ok
}

// Read returns the candidate of an entry.
func (f *Saved) Read(_ *capture.Index, e *capture.Entry) (*capture.Candidate, string, error) {
	file := f.files[e.At]
	path := filepath.Join(f.path, filepath.FromSlash(file.name))
	url := f.urls(file.name)[e.Skip]
	return &capture.Candidate{
		URL:       url,
		MediaType: mediaType(file.name),
		Where:     path,
		Size:      file.size,
		Body:      &body.Body{Open: func() (io.ReadCloser, error) { return localfile.Open(path) }},
	}, url, nil
}

// mediaType returns the media type of the extension that wget added to a name, or else of that of the URL.
func mediaType(name string) string {
	plain, _, _ := strings.Cut(path.Base(name), "?")
	return cmp.Or(mime.TypeByExtension(path.Ext(name)), mime.TypeByExtension(path.Ext(plain)))
}
