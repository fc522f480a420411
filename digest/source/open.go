//go:build !js

package source

import (
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/warc"
)

// File is the file in a record of a WARC or ARC file: the body of a response, or the block of a resource or conversion.
type File = warc.File

// Files yields the files of all records of a WARC or ARC file, in the order of the records. It skips damaged data. If
// data were skipped, the last result is an error with their amount and the reason. If there is no record, the error is
// the only result.
func Files(r io.ReaderAt, size int64, name string) iter.Seq2[*File, error] {
	return warc.Files(r, size, name)
}

// Open opens the source at a path. If kind is empty, Open guesses it. An error means that nothing of the
// source can be read. For a source that is only partly readable, Open returns a Source, and its Stats count the rest.
func Open(kind Kind, path string) (Source, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err.(*fs.PathError).Err)
	case !info.IsDir() && !info.Mode().IsRegular(): // opening a pipe may block forever
		return nil, fmt.Errorf("%s: not a file or folder; webcap reads a source more than once, so save it to a file first",
			path)
	}
	for i := range kinds {
		e := &kinds[i]
		if kind != e.Kind && (kind != "" || !e.Is(path)) {
			continue
		}
		var s Source
		switch {
		case info.IsDir() && e.Kind == Folder:
			s, err = openFolder(path, nil, kind != "")
		case info.IsDir() && e.Names != nil:
			s, err = openFolder(path, e, kind != "")
		default:
			s, err = openFiles(e, path)
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", e.Kind, path, err)
		}
		return s, nil
	}
	return nil, fmt.Errorf("%s: cannot tell what kind of source this is; webcap reads WARC, ARC, WACZ, HAR, and MHTML "+
		"files, lists of files, and folders; unpack other archives first", path)
}

// openFiles opens the files of the source of a kind at a path.
func openFiles(e *kindEntry, path string) (Source, error) {
	var t capture.Stats
	files, err := e.Files(path, &t)
	if err != nil {
		return nil, err
	}
	return capture.Open(files, &t)
}

// IsWARC reports whether a decompressed file begins with a WARC or ARC record.
func IsWARC(start []byte) bool { return warc.Detect(start) }
