package source

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A Kind is a kind of source.
type Kind string

// The kinds of sources; About says what each is.
const (
	Folder   Kind = "folder"
	WARC     Kind = "warc"
	WACZ     Kind = "wacz"
	HAR      Kind = "har"
	MHTML    Kind = "mhtml"
	WWWOFFLE Kind = "wwwoffle"
)

// A kindEntry is all that the rest of the project knows of a kind.
type kindEntry struct {
	kind    Kind
	aliases []string // other names for it on the command line
	about   string   // what it is, on one line of help
	details string   // what more docs/identifiers.md says of that
	lookup  string   // how a URL is looked up in it, for docs/identifiers.md
	noun    string   // one of its files
	names   []string // ends of the names of its files, by which they are known in folders

	// is tells from what is at a path whether it is of the kind; false for what
	// cannot be read.
	is   func(path string) bool
	open func(path string, o Options) (Source, error)
}

// kinds are the kinds, in the order in which a path is tried for them: one that
// any folder or text could be comes last.
var kinds = slices.Concat([]kindEntry{spoolKind}, fileKinds, []kindEntry{folderKind})

var spoolKind = kindEntry{
	kind:   WWWOFFLE,
	about:  "the spool folder of WWWOFFLE",
	lookup: "by the name that its forms of the URL give (see [canonicalization](canonicalization.md))",
	is:     isSpool, open: openSpool,
}

// fileKinds are those of which a source is one file, and a folder may have many.
var fileKinds = []kindEntry{
	{
		kind: WARC, aliases: []string{"arc"},
		about:   "a WARC or ARC file, compressed or not",
		details: "WARC 1.0 and 1.1; plain, `.gz` or `.zst`; `.open` while it is written",
		lookup:  "by an index that is made in one pass",
		noun:    "WARC file",
		names:   archiveNames,
		is:      isWARC, open: openWARC,
	},
	{
		kind:    WACZ,
		about:   "a zip file of WARC files with an index",
		details: "or the list of those that are one collection (`multi-wacz-package`), beside them",
		lookup:  "by that index; each record is read and compared before it counts",
		noun:    "WACZ file",
		names:   []string{".wacz"},
		is:      isWACZ, open: openWACZ,
	},
	{
		kind:   HAR,
		about:  "what a browser's network panel saves",
		lookup: "by an index of places in the file",
		noun:   "HAR file",
		names:  []string{".har"},
		is:     isHAR, open: openHAR,
	},
	{
		kind: MHTML, aliases: []string{"mht"},
		about:  "a page with its files, as browsers save it",
		lookup: "by an index of places in the file",
		noun:   "MHTML file",
		names:  []string{".mhtml", ".mht"},
		is:     isMHTML, open: openMHTML,
	},
}

var folderKind = kindEntry{
	kind: Folder, aliases: []string{"dir"},
	about:   "all sources in a folder, files as wget leaves them, or a list URL TAB FILE",
	details: "at any depth, whatever folders a crawler makes; `wget -r` and `-p`, pages that a browser has saved with their files, HTTrack",
	lookup:  "in each of the files, and by the names that wget gives to the URL",
	is:      isFolder, open: openFolder,
}

// About says what a source of the kind is, on one line for help; empty if there is
// no such kind.
func (k Kind) About() string {
	for _, e := range kinds {
		if e.kind == k {
			return e.about
		}
	}
	return ""
}

// Options says how to open a source. The zero value suits most.
type Options struct {
	// Indexes is a folder in which the indexes of WARC and ARC files are kept
	// from one time to the next; empty for none. An index counts as long as the
	// file has the size and the time of modification that it was made for.
	Indexes string

	guessed bool // Open was given no kind
}

// Kinds returns the kinds of sources, in alphabetical order.
func Kinds() []Kind {
	var list []Kind
	for _, e := range kinds {
		list = append(list, e.kind)
	}
	slices.Sort(list)
	return list
}

// SplitSpec takes KIND:PATH apart. The kind is empty if spec does not begin with
// one, as C:\folder does not.
func SplitSpec(spec string) (Kind, string) {
	name, path, ok := strings.Cut(spec, ":")
	if !ok {
		return "", spec
	}
	for _, e := range kinds {
		if string(e.kind) == name || slices.Contains(e.aliases, name) {
			return e.kind, path
		}
	}
	return "", spec
}

// KindOf guesses the kind of the source at a path, by what is there; empty if it can be
// none.
func KindOf(path string) Kind {
	for _, e := range kinds {
		if e.is(path) {
			return e.kind
		}
	}
	return ""
}

// Open opens the source at a path. For an empty kind it takes that of KindOf. The error
// says that nothing of the source can be read; what can only be read in part is a Source
// with Stats that say so.
func Open(kind Kind, path string, opt Options) (Source, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil && remote.MatchString(path):
		return nil, fmt.Errorf("%s: sources are local files: fetch it first", path)
	case err != nil && fileURL.MatchString(path):
		return nil, fmt.Errorf("%s: sources are named by their paths, not by file URLs", path)
	}
	if err != nil {
		if e := pathError(err); e != nil {
			err = e.Err // the path is said already
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: neither a file nor a folder, and a source is read more than once", path) // a pipe may never open
	}
	if opt.guessed = kind == ""; opt.guessed {
		kind = KindOf(path)
	}
	for _, e := range kinds {
		if kind == e.kind {
			s, err := e.openPath(path, info.IsDir(), opt)
			if err == nil {
				return s, nil
			}
			if what := foreign(path); what != "" {
				err = errors.New("it is " + what)
			}
			return nil, fmt.Errorf("%s %s: %w", e.kind, path, err)
		}
	}
	if what := foreign(path); what != "" {
		return nil, fmt.Errorf("%s: it is %s", path, what)
	}
	return nil, fmt.Errorf("%s: cannot tell what kind of source this is", path)
}

// openPath opens the file at a path, or the files of the kind in the folder that is there.
func (e *kindEntry) openPath(path string, isDir bool, o Options) (Source, error) {
	if isDir && e.names != nil {
		return openKind(*e, path, o)
	}
	return e.open(path, o)
}
