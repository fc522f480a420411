//go:build !js

package source

import (
	"os"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/folder"
	"github.com/webcap-tools/webcap/digest/source/internal/har"
	"github.com/webcap-tools/webcap/digest/source/internal/warc"
)

// Kind is a kind of source.
type Kind string

// The kinds of sources; About describes them.
const (
	Folder   Kind = "folder"
	WARC     Kind = "warc"
	WACZ     Kind = "wacz"
	HAR      Kind = "har"
	MHTML    Kind = "mhtml"
	WWWOFFLE Kind = "wwwoffle"
)

// kindEntry holds all properties of a kind.
type kindEntry struct {
	Kind    Kind
	Aliases []string // aliases on the command line
	About   string   // description, on one line of help
	Details string   // further sentences in docs/sources.md, without the last full stop
	Noun    string   // noun for one file of the kind; empty if sources of the kind are folders
	Names   []string // file name extensions by which files in a folder are recognized

	// Is reports whether the file or folder at a path is of the kind. It returns false if the path cannot be read.
	Is func(path string) bool

	// Files returns the files of the source at a path, and counts those that are not usable.
	Files func(path string, t *capture.Tally) ([]capture.File, error)
}

// kinds lists the kinds in the order in which KindOf tries them: kinds that accept any folder or text come last.
var kinds = []kindEntry{
	{
		Kind:  WWWOFFLE,
		About: "the spool folder of WWWOFFLE",
		Is:    folder.IsSpool,
		Files: func(path string, _ *capture.Tally) ([]capture.File, error) {
			s, err := folder.NewSpool(path)
			return []capture.File{s}, err
		},
	},
	{
		Kind: WARC, Aliases: []string{"arc"},
		About:   "a WARC or ARC file, compressed or not",
		Details: "WARC 1.0 and 1.1; plain, `.gz` or `.zst`; also `.open`, a file that a crawler is still writing",
		Noun:    "WARC file",
		Names:   warc.Names,
		Is:      warc.Is, Files: one(func(path string) capture.File { return warc.New(path) }),
	},
	{
		Kind:    WACZ,
		About:   "a WACZ file: WARC files in a zip",
		Details: "The zip must store the WARC files, as the format demands",
		Noun:    "WACZ file",
		Names:   []string{".wacz"},
		Is:      warc.IsWACZ, Files: warc.WACZ,
	},
	{
		Kind:  HAR,
		About: "what a browser's network panel saves",
		Noun:  "HAR file",
		Names: []string{".har"},
		Is:    har.Is, Files: one(func(path string) capture.File { return har.New(path) }),
	},
	{
		Kind: MHTML, Aliases: []string{"mht"},
		About: "a page with its files, as browsers save it",
		Noun:  "MHTML file",
		Names: []string{".mhtml", ".mht"},
		Is:    har.IsMHTML, Files: one(func(path string) capture.File { return har.NewMHTML(path) }),
	},
	{
		Kind: Folder, Aliases: []string{"dir"},
		About:   "a folder with sources or saved files, at any depth; or a list of files",
		Details: "Saved files are those of `wget -r`. Each line of a list is URL, tab, file",
		Is:      isFolder, Files: one(func(path string) capture.File { return folder.NewList(path) }),
	},
}

// one returns a function for sources of one file.
func one(file func(path string) capture.File) func(string, *capture.Tally) ([]capture.File, error) {
	return func(path string, _ *capture.Tally) ([]capture.File, error) { return []capture.File{file(path)}, nil }
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || folder.IsList(path)
}

// kindNamed returns the kind of source that a file name suggests; empty if it suggests none. base is in lower case.
func kindNamed(base string) Kind {
	for _, e := range kinds {
		if slices.ContainsFunc(e.Names, func(end string) bool { return strings.HasSuffix(base, end) }) {
			return e.Kind
		}
	}
	return ""
}

// About describes a source of the kind on one line for help; empty for an unknown kind.
func (k Kind) About() string {
	for _, e := range kinds {
		if e.Kind == k {
			return e.About
		}
	}
	return ""
}

// Kinds returns the kinds of sources, in alphabetical order.
func Kinds() []Kind {
	var list []Kind
	for _, e := range kinds {
		list = append(list, e.Kind)
	}
	slices.Sort(list)
	return list
}

// SplitSpec splits KIND:PATH. The kind is empty if spec does not begin with the name of a kind, as in C:\folder.
func SplitSpec(spec string) (Kind, string) {
	name, path, ok := strings.Cut(spec, ":")
	if !ok {
		return "", spec
	}
	for _, e := range kinds {
		if string(e.Kind) == name || slices.Contains(e.Aliases, name) {
			return e.Kind, path
		}
	}
	return "", spec
}

// KindOf guesses the kind of the source at a path; empty if it is not a source.
func KindOf(path string) Kind {
	for _, e := range kinds {
		if e.Is(path) {
			return e.Kind
		}
	}
	return ""
}
