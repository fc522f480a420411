// Package kind lists the kinds of sources.
package kind

import (
	"slices"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/har"
	"github.com/webcap-tools/webcap/digest/source/internal/mhtml"
	"github.com/webcap-tools/webcap/digest/source/internal/wacz"
	"github.com/webcap-tools/webcap/digest/source/internal/warc"
	"github.com/webcap-tools/webcap/digest/source/internal/wwwoffle"
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

// Entry holds all properties of a kind.
type Entry struct {
	Kind    Kind
	Aliases []string // aliases on the command line
	About   string   // description, on one line of help
	Details string   // further sentences in docs/sources.md, without the last full stop
	Lookup  string   // description of look-ups, for docs/sources.md
	Noun    string   // noun for one file of the kind
	Names   []string // file name extensions by which files in a folder are recognized

	// Is reports whether the file or folder at a path is of the kind. It returns false if the path cannot be read.
	Is   func(path string) bool
	Open func(path string) (capture.Source, error)
}

// Files are the kinds whose sources are files. A folder may contain many of them.
var Files = []Entry{
	{
		Kind: WARC, Aliases: []string{"arc"},
		About:   "a WARC or ARC file, compressed or not",
		Details: "WARC 1.0 and 1.1; plain, `.gz` or `.zst`; also `.open`, a file that a crawler is still writing",
		Lookup:  "webcap reads the file once, and notes where each URL is",
		Noun:    "WARC file",
		Names:   warc.Names,
		Is:      warc.Is, Open: warc.Open,
	},
	{
		Kind:    WACZ,
		About:   "a WACZ file: WARC files in a zip",
		Details: "Or `multi-wacz-package`, the list of several WACZ files",
		Lookup:  "webcap reads the file once, and notes where each URL is",
		Noun:    "WACZ file",
		Names:   []string{".wacz"},
		Is:      wacz.Is, Open: wacz.Open,
	},
	{
		Kind:   HAR,
		About:  "what a browser's network panel saves",
		Lookup: "webcap reads the file once, and notes where each URL is",
		Noun:   "HAR file",
		Names:  []string{".har"},
		Is:     har.Is, Open: har.Open,
	},
	{
		Kind: MHTML, Aliases: []string{"mht"},
		About:  "a page with its files, as browsers save it",
		Lookup: "webcap reads the file once, and notes where each URL is",
		Noun:   "MHTML file",
		Names:  []string{".mhtml", ".mht"},
		Is:     mhtml.Is, Open: mhtml.Open,
	},
}

// All returns the kinds, in the order in which a path is tried: kinds that accept any folder or text come last.
func All() []Entry { return slices.Concat([]Entry{spool}, Files, []Entry{folder}) }

// About describes a source of the kind on one line for help; empty for an unknown kind.
func (k Kind) About() string {
	for _, e := range All() {
		if e.Kind == k {
			return e.About
		}
	}
	return ""
}

var spool = Entry{
	Kind:   WWWOFFLE,
	About:  "the spool folder of WWWOFFLE",
	Lookup: "by the names that WWWOFFLE gives to the URL (see [canonicalization](canonicalization.md))",
	Is:     wwwoffle.Is, Open: wwwoffle.Open,
}

// folder is the entry of folders. Its Is and Open are in package folder, because that package opens sources of the
// other kinds.
var folder = Entry{
	Kind: Folder, Aliases: []string{"dir"},
	About:   "a folder with sources or saved files, at any depth; or a list of files",
	Details: "Saved files are those of `wget -r`, or pages of a browser. Each line of a list is URL, tab, file",
	Lookup: "in each source in the folder; among saved files, by the name that `wget -r` gives to the URL, or by the " +
		"URL in the page",
}
