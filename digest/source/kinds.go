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

// The kinds of sources.
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
	Kind  Kind
	About string   // description, on one line of help
	Names []string // file name extensions by which files in a folder are recognized; none if sources are folders

	// Is reports whether the file or folder at a path is of the kind. It returns false if the path cannot be read.
	Is func(path string) bool

	// Files returns the files of the source at a path, and counts those that are not usable.
	Files func(path string, t *capture.Stats) ([]capture.File, error)
}

// kinds lists the kinds in the order in which Open tries them: kinds that accept any folder or text come last.
var kinds = []kindEntry{
	{
		Kind:  WWWOFFLE,
		About: "the spool folder of WWWOFFLE",
		Is:    folder.IsSpool, Files: one(func(path string) capture.File { return folder.NewSpool(path) }),
	},
	{
		Kind:  WARC,
		About: "a WARC or ARC file: plain, .gz, .zst, or .open, a file that a crawler is still writing",
		Names: warc.Names,
		Is:    warc.Is, Files: one(func(path string) capture.File { return warc.New(path) }),
	},
	{
		Kind:  WACZ,
		About: "a WACZ file: WARC files that a zip stores without compression",
		Names: []string{".wacz"},
		Is:    warc.IsWACZ, Files: warc.WACZ,
	},
	{
		Kind:  HAR,
		About: "what a browser's network panel saves",
		Names: []string{".har"},
		Is:    har.Is, Files: one(func(path string) capture.File { return har.New(path) }),
	},
	{
		Kind:  MHTML,
		About: "a page with its files, as browsers save it",
		Names: []string{".mhtml", ".mht"},
		Is:    har.IsMHTML, Files: one(func(path string) capture.File { return har.NewMHTML(path) }),
	},
	{
		Kind:  Folder,
		About: "a folder with sources or files of wget -r, at any depth; or a list of files, with lines URL, tab, file",
		Is:    isFolder, Files: one(func(path string) capture.File { return folder.NewList(path) }),
	},
}

// noun returns the noun for one file of the kind.
func (e *kindEntry) noun() string { return strings.ToUpper(string(e.Kind)) + " file" }

// one returns a function for sources of one file.
func one(file func(path string) capture.File) func(string, *capture.Stats) ([]capture.File, error) {
	return func(path string, _ *capture.Stats) ([]capture.File, error) { return []capture.File{file(path)}, nil }
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
		if string(e.Kind) == name {
			return e.Kind, path
		}
	}
	return "", spec
}
