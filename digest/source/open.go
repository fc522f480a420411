//go:build !js

package source

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"regexp"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/folder"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/warc"
)

// File is the file that a record of a WARC or ARC file holds: the body of a reply, or the block of a resource or
// conversion.
type File = warc.File

// Originals are the records that revisits may repeat.
type Originals = warc.Originals

// Files yields the files of all records of a WARC or ARC file, in its order. What is damaged is skipped. An error at
// the end says how much that is, and why; the error is the only one if nothing in the file is a record.
func Files(r io.ReaderAt, size int64, name string) iter.Seq2[*File, error] {
	return warc.Files(r, size, name)
}

// Open opens the source at a path. For an empty kind it takes that of KindOf. The error
// says that nothing of the source can be read; what can only be read in part is a Source
// with Stats that say so.
func Open(kind Kind, path string, opt Options) (Source, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil && localfile.Remote.MatchString(path):
		return nil, fmt.Errorf("%s: sources are local files; download it first", path)
	case err != nil && fileURL.MatchString(path):
		return nil, fmt.Errorf("%s: name the source by its path, not by a file URL", path)
	}
	if err != nil {
		if e := localfile.PathError(err); e != nil {
			err = e.Err // the path is said already
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a file or folder; webcap reads a source more than once, so save it to a "+
			"file first",
			path) // a pipe may never open
	}
	guessed := kind == ""
	if guessed {
		kind = KindOf(path)
	}
	for _, e := range kinds {
		if kind == e.Kind {
			s, err := openPath(e, path, info.IsDir(), capture.Options{Indexes: opt.Indexes, Guessed: guessed})
			if err == nil {
				return s, nil
			}
			if what := folder.Foreign(path); what != "" {
				err = errors.New(what)
			}
			return nil, fmt.Errorf("%s %s: %w", e.Kind, path, err)
		}
	}
	if what := folder.Foreign(path); what != "" {
		return nil, fmt.Errorf("%s: %s", path, what)
	}
	return nil, fmt.Errorf("%s: cannot tell what kind of source this is", path)
}

// fileURL matches those of local files, as file:///folder/a.warc and file:///C|/a.warc.
var fileURL = regexp.MustCompile(`(?i)^file:/`)

// IsWARC reports whether a file, decompressed, begins with a WARC or ARC record.
func IsWARC(start []byte) bool { return warc.Detect(start) }

// HeaderSize returns the size of the header of the WARC or ARC record that a file begins with, and of what comes
// before it; -1 if the header does not end in start.
func HeaderSize(start []byte) int { return warc.HeaderSize(start) }
