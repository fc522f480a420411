package batch

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/webcap-tools/webcap/webcapture/batch/archive"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Stdin is the path of standard input.
const Stdin = "-"

// PathOptions are the options of Inputs. The zero value is a good default.
type PathOptions struct {
	Stdin   io.Reader // for the path "-"; may be nil
	Links   bool      // also follow symbolic links in folders
	Literal bool      // paths are literal: neither patterns nor "-" for standard input

	// Except reports whether to skip a PDF file in a folder if its name does not end in .pdf; may be nil. It does
	// not apply to files that are named or match a pattern.
	Except func(path string) bool

	// Exclude reports whether to skip an entry of a folder: a file, or a folder with all its files; may be nil. It does
	// not apply to paths that are named, nor to members of archives.
	Exclude func(path string) bool

	// Skipped is called for each file in a folder, and each file, entry, or record in an archive, that is not an
	// input; may be nil. Of folders, it is called only for excluded ones. It is not called for files skipped by Except.
	Skipped func(name string, why Skip)
}

// Skip is the reason why a file is not an input, for messages.
type Skip = archive.Skip

const (
	Link     Skip = "a symbolic link" // which is not followed
	Excluded Skip = "excluded"        // see PathOptions.Exclude
)

func (w *walk) skip(name string, why Skip) {
	if w.where.Skipped != nil {
		w.where.Skipped(name, why)
	}
}

// excludes reports whether the options exclude an entry of a folder, and counts it as skipped.
func (w *walk) excludes(path string) bool {
	if w.where.Exclude == nil || !w.where.Exclude(path) {
		return false
	}
	w.skip(path, Excluded)
	return true
}

// Inputs yields the inputs for paths, in their order.
//
// Any file counts as a PDF, unless it is an archive. An archive stands for the PDF files in it (see package
// archive). A folder stands for the PDF files in it, by content or name, and in its archives and subfolders, in the
// order of names. A path ARCHIVE!MEMBER stands for that member; consecutive members of one archive are read
// together, in its order. If there is no such file, a path with *, ?, [ or { is a pattern for files, in which **
// matches any folders.
//
// Symbolic links in folders are followed only with PathOptions.Links: they may lead anywhere, also to other inputs, and
// in circles. Symbolic links that are given as paths are always followed.
func Inputs(paths iter.Seq[string], where PathOptions) iter.Seq[*Input] {
	return func(yield func(*Input) bool) {
		stdin := sync.OnceValues(func() ([]byte, error) {
			if where.Stdin == nil {
				return nil, nil
			}
			return infile.ReadAll(where.Stdin, infile.MaxPiped)
		})
		var run memberRun
		for p := range paths {
			w := walk{where: where, stdin: stdin, yield: yield}
			if name := archiveOf(p); name != "" {
				run.add(&w, name, p)
			} else if run.give(&w); !w.ended {
				w.path(p)
			}
			if w.ended {
				return
			}
		}
		run.give(&walk{yield: yield})
	}
}

// walk yields the inputs of one path.
type walk struct {
	where PathOptions
	stdin func() ([]byte, error)
	yield func(*Input) bool
	given string // the path
	found int    // number of inputs so far
	ended bool
	seen  map[string]bool // real paths of the folders so far, if links are followed

	glob  string // pattern for names of files; "" for all
	depth int    // maximum number of slashes in these names
}

func (w *walk) give(in *Input) {
	w.found++
	if !w.yield(in) {
		w.ended = true
	}
}

func (w *walk) fail(name string, err error) { w.give(&Input{Name: name, Err: err}) }

func (w *walk) path(p string) {
	if p == Stdin && !w.where.Literal {
		w.piped()
		return
	}
	if p == "" {
		w.fail(p, errors.New("the path is empty"))
		return
	}
	w.given = p
	st, err := os.Stat(p)
	switch {
	case err == nil && st.IsDir():
		w.folder(p, "")
		w.nothing(p, report.ErrNoFiles)
	case err == nil && st.Mode().IsRegular():
		w.named(p)
	case oserror.IsMissing(err) && urlError(p) != nil:
		w.fail(p, urlError(p))
	case oserror.IsMissing(err) && w.pattern(p):
	default:
		w.give(&Input{Name: p, path: p}) // if Stat fails, the file will fail with the same error
	}
}

// urlError returns the reason why a URL is not an input; nil for any other path.
func urlError(path string) error {
	scheme, _, isURL := strings.Cut(path, "://")
	if !isURL || !slices.Contains([]string{"http", "https", "ftp", "s3", "gs", "azblob", "file"}, strings.ToLower(scheme)) {
		return nil
	}
	return errors.New("URLs cannot be inputs; download the file, or mount the bucket, and name the file")
}

// nothing yields an input with the error why if the path had no inputs.
func (w *walk) nothing(name string, why error) {
	if w.found == 0 && !w.ended {
		w.fail(name, why)
	}
}

// piped yields standard input, or the members if it is an archive.
func (w *walk) piped() {
	data, err := w.stdin()
	switch {
	case err != nil:
		w.fail(Stdin, err)
	default:
		kind, err := archive.KindOf(bytes.NewReader(data), int64(len(data)), Stdin)
		if err != nil || !kind.IsArchive() {
			w.give(&Input{Name: Stdin, data: data})
			return
		}
		w.members(Stdin, bytes.NewReader(data), int64(len(data)))
		w.nothing(Stdin, report.ErrNoMembers)
	}
}

// named yields a file that was named, or the members if it is an archive.
func (w *walk) named(p string) {
	kind, err := kindOf(p)
	if err != nil || !kind.IsArchive() {
		w.give(&Input{Name: p, path: p})
		return
	}
	w.archive(p)
	w.nothing(p, report.ErrNoMembers)
}

// archive yields the members of the archive at path p.
func (w *walk) archive(p string) {
	f, size, err := openRegular(p)
	if err != nil {
		w.fail(p, err)
		return
	}
	defer f.Close()
	w.members(p, f, size)
}

// members yields the members of the archive at path p as inputs.
func (w *walk) members(p string, r io.ReaderAt, size int64) {
	at := 0
	for m := range archive.Members(p, r, size, archive.Options{Other: w.skip}) {
		if w.give(inputOf(p, m, at)); w.ended {
			return
		}
		at++
	}
}

// openRegular opens a file. The error is fs.ErrNotExist if the file is not regular, or if its type is unknown.
func openRegular(p string) (*os.File, int64, error) {
	st, err := os.Stat(p)
	if err != nil || !st.Mode().IsRegular() {
		return nil, 0, fs.ErrNotExist
	}
	f, err := os.Open(p)
	if err != nil {
		return nil, 0, err
	}
	return f, st.Size(), nil
}

func inputOf(p string, m *archive.Member, at int) *Input {
	return &Input{Name: m.Name, Err: m.Err, member: m, archive: p, at: at}
}

// pattern yields the files that match p. It returns false if p is not a pattern.
func (w *walk) pattern(p string) bool {
	if w.where.Literal || !IsPattern(p) {
		return false
	}
	base, rest := splitPattern(p)
	w.glob, w.depth = foldCase(rest), strings.Count(rest, "/")
	if strings.Contains(rest, "**") {
		w.depth = math.MaxInt
	}
	w.folder(Join(w.given, base), "")
	w.nothing(p, errors.New("no file matches this pattern"))
	return true
}

// splitPattern splits a pattern into the folder in which its names begin, and the rest.
func splitPattern(p string) (folder, rest string) {
	volume := filepath.VolumeName(p)
	base, rest := doublestar.SplitPattern(filepath.ToSlash(p[len(volume):]))
	return volume + base, rest
}

// Root returns the folder to which the inputs of a path are relative: the folder itself, the folder in which the
// names of a pattern begin, or the folder of a file.
func Root(path string) string {
	st, err := os.Stat(path)
	switch {
	case err == nil && st.IsDir():
		return path
	case IsPattern(path):
		folder, _ := splitPattern(path)
		return folder
	}
	return filepath.Dir(path)
}

// IsPattern reports whether a path is a pattern: it has the form of one, and there is no such file.
func IsPattern(path string) bool {
	if _, err := os.Stat(path); err == nil {
		return false
	}
	slashed := filepath.ToSlash(path[len(filepath.VolumeName(path)):]) // \\?\C: contains ? but is not a pattern
	return strings.ContainsAny(slashed, "*?[{") && doublestar.ValidatePattern(slashed)
}

// foldCase returns a name or pattern in the form for comparisons. Windows ignores the case of names.
func foldCase(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToLower(name)
	}
	return name
}

// Join is filepath.Join with slashes, also on Windows, unless the path that the user gave has a backslash.
func Join(given string, parts ...string) string {
	path := filepath.Join(parts...)
	if strings.Contains(given, `\`) {
		return path
	}
	return filepath.ToSlash(path)
}

// folder yields the inputs in a folder and below. With a pattern, these are the files whose names match, and name is
// the path of the folder, relative to the start of the pattern. A folder that cannot be read is an input with an error.
func (w *walk) folder(folder, name string) {
	if w.visited(folder) {
		return
	}
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		path, name := Join(w.given, folder, e.Name()), strings.TrimPrefix(name+"/"+e.Name(), "/")
		switch mode := w.mode(path, e); {
		case !w.matches(name, mode.IsDir()), w.excludes(path):
		case mode.IsDir():
			w.folder(path, name)
		case !mode.IsRegular():
			w.special(path, mode)
		case w.glob != "":
			w.named(path)
		default:
			w.file(path)
		}
		if w.ended {
			return
		}
	}
	if err != nil && (w.glob == "" || !errors.Is(err, fs.ErrNotExist)) {
		w.fail(folder, err)
	}
}

// matches reports whether a file with this relative name matches the pattern, or a folder may have such files.
func (w *walk) matches(name string, isFolder bool) bool {
	switch {
	case w.glob == "":
		return true
	case isFolder:
		return strings.Count(name, "/") < w.depth
	}
	return doublestar.MatchUnvalidated(w.glob, foldCase(name))
}

// visited reports whether the walk has visited a folder before, and marks it as visited. A folder can be visited
// twice only through a symbolic link, so visited returns false if links are not followed.
func (w *walk) visited(folder string) bool {
	if !w.where.Links {
		return false
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil || w.seen[real] {
		return err == nil
	}
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	w.seen[real] = true
	return false
}

// mode returns the type of an entry in a folder. If links are followed, it returns the type of the target of a
// link. A link that is broken, or not followed, is neither a file nor a folder.
func (w *walk) mode(path string, e fs.DirEntry) fs.FileMode {
	mode := e.Type()
	if mode&fs.ModeSymlink != 0 && w.where.Links {
		if st, err := os.Stat(path); err == nil {
			return st.Mode().Type()
		}
	}
	return mode
}

// special handles an entry that is neither a file nor a folder. If links are followed, a broken link is an input with
// an error. A pipe or device with the name of a PDF is an input with an error: it is not read, because reading may never
// end.
func (w *walk) special(path string, mode fs.FileMode) {
	isLink := mode&fs.ModeSymlink != 0
	switch {
	case isLink && w.where.Links:
		w.give(&Input{Name: path, path: path}) // its record has the error
	case isLink:
		w.skip(path, Link)
	case isPDFName(path):
		w.fail(path, &report.SkippedError{Reason: "a pipe, socket, or device, which webcap does not read in folders"})
	default:
		w.skip(path, archive.NotPDF)
	}
}

// isPDFName reports whether a name has the extension of a PDF.
func isPDFName(name string) bool { return strings.EqualFold(path.Ext(name), ".pdf") }

// file yields the inputs for a file in a folder. A file with the name of a PDF is always an input. Any other file
// must begin like a PDF or an archive.
func (w *walk) file(path string) {
	if isPDFName(path) {
		w.give(&Input{Name: path, path: path})
		return
	}
	kind, err := kindOf(path)
	switch {
	case err != nil:
		w.fail(path, err)
	case kind.IsArchive():
		w.archive(path)
	case kind == archive.Other:
		w.skip(path, archive.NotPDF)
	case w.where.Except == nil || !w.where.Except(path):
		w.give(&Input{Name: path, path: path})
	}
}

// kindOf returns the kind of a file.
func kindOf(path string) (archive.Kind, error) {
	f, err := os.Open(path)
	if err != nil {
		return archive.Other, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return archive.Other, err
	}
	return archive.KindOf(f, st.Size(), path)
}
