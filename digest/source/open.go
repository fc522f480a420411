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

// Open opens the source at a path. If kind is empty, the name tells it. An error means that nothing of the source
// can be read. For a source that is only partly readable, Open returns a Source, and its Stats count the rest.
func Open(kind Kind, path string) (Source, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err.(*fs.PathError).Err)
	case !info.IsDir() && !info.Mode().IsRegular(): // opening a pipe may block forever
		return nil, fmt.Errorf("%s: not a file or folder; webcap reads a source more than once, so save it to a file first",
			path)
	}
	if info.IsDir() && kind != "" && kind != Folder && kind != WWWOFFLE {
		return nil, fmt.Errorf("%s: a folder, whose sources may be of any kind; name it as %s:PATH", path, Folder)
	}
	e := entryOf(kind)
	if kind == "" {
		e = kindOf(path, info.IsDir())
	}
	if e == nil {
		return nil, fmt.Errorf("%s: cannot tell by this name what kind of source it is; name the kind, as in %s:PATH, "+
			"and unpack archives that webcap does not read", path, WARC)
	}
	var s Source
	if info.IsDir() && e.Kind == Folder {
		s, err = openFolder(path, kind == Folder)
	} else {
		var t capture.Stats
		var files []capture.File
		if files, err = e.Files(path, &t); err == nil {
			s, err = capture.Open(files, &t)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", e.Kind, path, err)
	}
	return s, nil
}

// IsWARC reports whether a decompressed file begins with a WARC or ARC record.
func IsWARC(start []byte) bool { return warc.Detect(start) }
