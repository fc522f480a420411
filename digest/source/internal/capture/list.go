package capture

import (
	"errors"
	"iter"
	"path/filepath"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// All yields all captures in src that Lookup can find, including redirects, in the order of the source: by position in
// archive files, by name in folders. An error concerns one capture that cannot be read; further captures may follow.
// Only positions are kept in memory.
//
// A Source of another package may not support All. Then All yields only an error.
func All(src Source) iter.Seq2[*Candidate, error] {
	if l, ok := src.(Lister); ok {
		return l.List
	}
	return func(yield func(*Candidate, error) bool) {
		yield(nil, errors.New("the source finds captures by URL, but cannot list them"))
	}
}

// Lister is a source that yields all its captures; see All.
type Lister interface {
	List(yield func(*Candidate, error) bool)
}

// URLOf returns the URL of a file on disk. This is the URL from which it was retrieved, if a folder or a list in src
// has this information, and otherwise the file: URL of the path.
func URLOf(src Source, file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	if l, ok := src.(Locator); ok {
		if url := l.URLOf(file); url != "" {
			return url
		}
	}
	volume := filepath.VolumeName(file) // such as C: or \\server\share; empty except on Windows
	name := urlkey.Escaped(filepath.ToSlash(file[len(volume):]))
	switch volume = filepath.ToSlash(volume); {
	case strings.HasPrefix(volume, "//"):
		return "file:" + urlkey.Escaped(volume) + name
	case volume != "":
		volume = "/" + volume
	}
	return "file://" + volume + name
}

// Locator is a source that knows the URLs of files. URLOf returns the URL of a file; empty if unknown.
type Locator interface{ URLOf(abs string) string }
