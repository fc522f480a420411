package batch

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// An input is what there is to audit under a path.
type input struct {
	path string
	err  error // why there is nothing to audit
}

// inputs yields what paths stand for, in their order. A path that is not a folder
// stands for itself, whatever its name. A folder stands for the PDF files in it
// and in the folders below, each folder's entries in the order of their names.
//
// Only a path that was given is followed if it is a symbolic link to a folder:
// below, links to folders are left alone, since they may lead anywhere, round
// in circles too. Links to files are followed.
func inputs(paths []string) iter.Seq[input] {
	return func(yield func(input) bool) {
		for _, p := range paths {
			if p == Stdin {
				if !yield(input{path: p}) {
					return
				}
				continue
			}
			// What cannot be looked at fails as a file, with the same reason.
			if st, err := os.Stat(p); err != nil || !st.IsDir() {
				if !yield(input{path: p}) {
					return
				}
				continue
			}
			n := 0
			if !walk(p, func(in input) bool { n++; return yield(in) }) {
				return
			}
			if n == 0 && !yield(input{p, report.ErrNoFiles}) {
				return
			}
		}
	}
}

// walk yields the PDF files in a folder and below, and the folders that cannot
// be read. It reports whether to go on.
func walk(folder string, yield func(input) bool) bool {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		switch {
		case e.IsDir():
			if !walk(path, yield) {
				return false
			}
		case isPDF(path, e) && !yield(input{path: path}):
			return false
		}
	}
	return err == nil || yield(input{folder, err})
}

// isPDF reports whether an entry of a folder is to be audited: a file, or a link
// to one, with the extension of a PDF. A pipe or device is not, since reading it
// may never end; a link to nowhere is, so that somebody hears of it.
func isPDF(path string, e fs.DirEntry) bool {
	if !strings.EqualFold(filepath.Ext(path), ".pdf") {
		return false
	}
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	st, err := os.Stat(path)
	return err != nil || st.Mode().IsRegular()
}
