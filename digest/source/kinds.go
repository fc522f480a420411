//go:build !js

package source

import (
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
	Names []string // file name extensions by which sources are recognized

	// Files returns the files of the source at a path, and counts those that are not usable.
	Files func(path string, t *capture.Stats) ([]capture.File, error)
}

// kinds lists the kinds.
var kinds = []kindEntry{
	{
		Kind:  WWWOFFLE,
		About: "the spool folder of WWWOFFLE",
		Files: one(func(path string) capture.File { return folder.NewSpool(path) }),
	},
	{
		Kind:  WARC,
		About: "a WARC or ARC file: plain, .gz, or .open, a file that a crawler is still writing",
		Names: warc.Names,
		Files: one(func(path string) capture.File { return warc.New(path) }),
	},
	{
		Kind:  WACZ,
		About: "a WACZ file: WARC files that a zip stores without compression",
		Names: []string{".wacz"},
		Files: warc.WACZ,
	},
	{
		Kind:  HAR,
		About: "what a browser's network panel saves",
		Names: []string{".har"},
		Files: one(func(path string) capture.File { return har.New(path) }),
	},
	{
		Kind:  MHTML,
		About: "a page with its files, as browsers save it",
		Names: []string{".mhtml", ".mht"},
		Files: one(func(path string) capture.File { return har.NewMHTML(path) }),
	},
	{
		Kind:  Folder,
		About: "a folder with sources or files of wget -r, at any depth; or a list of files (.tsv): URL, tab, file",
		Files: one(func(path string) capture.File { return folder.NewList(path) }),
	},
}

// one returns a function for sources of one file.
func one(file func(path string) capture.File) func(string, *capture.Stats) ([]capture.File, error) {
	return func(path string, _ *capture.Stats) ([]capture.File, error) { return []capture.File{file(path)}, nil }
}

// kindOf returns the kind of the source at a path, by its name, or by the folders in it; nil if it is unknown.
func kindOf(path string, isFolder bool) *kindEntry {
	kind := kindNamed(strings.ToLower(path))
	switch {
	case isFolder && folder.IsSpool(path):
		kind = WWWOFFLE
	case isFolder, strings.HasSuffix(strings.ToLower(path), ".tsv"): // or a list, which no folder may have
		kind = Folder
	}
	return entryOf(kind)
}

// entryOf returns the properties of a kind; nil if it is unknown.
func entryOf(kind Kind) *kindEntry {
	for i := range kinds {
		if kinds[i].Kind == kind {
			return &kinds[i]
		}
	}
	return nil
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
	if entryOf(Kind(name)) == nil {
		return "", spec
	}
	return Kind(name), path
}
