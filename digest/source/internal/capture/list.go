package capture

import (
	"errors"
	"iter"
	"path/filepath"
	"runtime"

	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// All yields everything that Lookup of src can find, redirects too, in the order of the
// source: of archive files by place, of folders by name. An error speaks of one thing
// that is kept and cannot be read now; others may follow. Nothing is kept in memory but
// where things are.
//
// A Source that is not of this package may not know what it has. Then there is an error
// alone.
func All(src Source) iter.Seq2[*Candidate, error] {
	if l, ok := src.(Lister); ok {
		return l.List
	}
	return func(yield func(*Candidate, error) bool) {
		yield(nil, errors.New("a source that is asked for URLs, and does not know all of them"))
	}
}

// Lister yields everything that it keeps; see All.
type Lister interface {
	List(yield func(*Candidate, error) bool)
}

// URLOf returns the URL that a file on disk was retrieved from, if a folder or
// list in src says so, or else the file: URL of its path.
func URLOf(src Source, file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	if l, ok := src.(Locator); ok {
		if url := l.URLOf(file); url != "" {
			return url
		}
	}
	file = filepath.ToSlash(file)
	if runtime.GOOS == "windows" {
		file = "/" + file // before the letter of the drive
	}
	return "file://" + urlkey.Escaped(file)
}

// Locator knows of what URL a file is; empty if it does not.
type Locator interface{ URLOf(abs string) string }
