package source

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// A Kind is a kind of source.
type Kind string

const (
	Folder   Kind = "folder"   // files as wget -x leaves them, or a list of lines URL TAB file
	WARC     Kind = "warc"     // a WARC or ARC file, compressed or not, or a folder of them
	WACZ     Kind = "wacz"     // an archive of WARC files with an index
	HAR      Kind = "har"      // what a browser's network panel saves
	MHTML    Kind = "mhtml"    // a page with its files, as browsers save it
	WWWOFFLE Kind = "wwwoffle" // the spool folder of WWWOFFLE
)

// kinds are the kinds, in the order in which a path is tried for them.
var kinds = []struct {
	kind    Kind
	aliases []string
	is      func(path string) bool // guesses by content; false for a path that cannot be read
	open    func(path string, o Options) (Source, error)
}{
	{WWWOFFLE, nil, isSpool, openSpool},
	{WARC, []string{"arc"}, isWARC, openWARC},
	{WACZ, nil, isWACZ, openWACZ},
	{HAR, nil, isHAR, openHAR},
	{MHTML, []string{"mht"}, isMHTML, openMHTML},
	{Folder, []string{"dir"}, isFolder, openFolder},
}

// Options says how to open a source. The zero value suits most.
type Options struct {
	// Indexes is a folder in which the indexes of WARC and ARC files are kept
	// from one time to the next; empty for none. An index counts as long as the
	// file has the size and the time of modification that it was made for.
	Indexes string
}

// Kinds returns the kinds of sources.
func Kinds() []Kind {
	var list []Kind
	for _, o := range kinds {
		list = append(list, o.kind)
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
	for _, o := range kinds {
		if string(o.kind) == name || slices.Contains(o.aliases, name) {
			return o.kind, path
		}
	}
	return "", spec
}

// Open opens the source at a path. For an empty kind it guesses one by what is
// there. The error says that nothing of the source can be read; what can only
// be read in part is a Source with Stats that say so.
func Open(kind Kind, path string, opt Options) (Source, error) {
	if _, err := os.Stat(path); err != nil {
		if e := pathError(err); e != nil {
			err = e.Err // the path is said already
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, o := range kinds {
		if kind == o.kind || kind == "" && o.is(path) {
			s, err := o.open(path, opt)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", o.kind, path, err)
			}
			return s, nil
		}
	}
	return nil, fmt.Errorf("%s: cannot tell what kind of source this is", path)
}
