package source

import (
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/canon"
)

// URLOf returns the URL that a file on disk was retrieved from, if a folder or
// list in src says so, or else the file: URL of its path.
func URLOf(src Source, file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	if l, ok := src.(locator); ok {
		if url := l.urlOf(file); url != "" {
			return url
		}
	}
	file = filepath.ToSlash(file)
	if runtime.GOOS == "windows" {
		file = "/" + file // before the letter of the drive
	}
	return "file://" + escaped(file)
}

// protocols are the names of folders that wget --protocol-directories makes.
var protocols = []string{"http", "https", "ftp"}

// A locator knows of what URL a file is; empty if it does not.
type locator interface{ urlOf(abs string) string }

func (j *joined) urlOf(abs string) string {
	for _, s := range j.sources {
		if l, ok := s.(locator); ok {
			if url := l.urlOf(abs); url != "" {
				return url
			}
		}
	}
	return ""
}

// urlOf returns the URL that a page says it is of, or else reads the name of the file as wget
// writes it: the folder of a host, below that of a protocol or not, and a path.
func (f *folder) urlOf(abs string) string {
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
	scheme := "http"
	if protocol := path.Base(before); slices.Contains(protocols, protocol) {
		scheme = protocol
	}
	return scheme + "://" + host + "/" + escaped(strings.TrimPrefix(name, path.Join(before, host)+"/"))
}

func (m *manifest) urlOf(abs string) string {
	for _, list := range m.entries {
		for _, e := range list {
			if file, err := filepath.Abs(m.file(e)); err == nil && file == abs {
				return e.url
			}
		}
	}
	return ""
}

// escaped returns a path of a file as one of a URL.
func escaped(path string) string {
	var b []byte
	for i, segment := range strings.Split(path, "/") {
		if i > 0 {
			b = append(b, '/')
		}
		b = canon.EncodeComponent(b, []byte(segment))
	}
	return string(b)
}
