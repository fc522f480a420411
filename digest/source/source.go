// Package source finds the captures of a URL in folders, WARC and ARC files, WACZ, HAR, and MHTML files, and the
// cache of WWWOFFLE. With these, digital identifiers (ISO 32000-2:2020, 14.10.3.3) can be computed again.
//
// Most callers need three functions: Open, Find and Body.Open.
//
//	src, err := source.Open(source.WARC, "crawl.warc.gz", source.Options{})
//	…
//	defer src.Close()
//	for c, err := range source.Find(src, "http://www.example.com/") {
//		for _, body := range c.Bodies { … }
//	}
//
// A damaged source is used as far as it can be read: Stats counts skipped captures by reason. Only positions are in
// memory; data are read when a Body is opened.
//
// All yields all captures of a Source. Join makes one Source from several, and SplitSpec splits an argument of a
// command line. NewBody is for a Source of another kind.
package source

import (
	"io"
	"iter"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/join"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Types of captures and sources.
type (
	// Source is a collection of captures of URLs. It is safe for concurrent use.
	Source = capture.Source

	// Candidate is one capture of a URL.
	Candidate = capture.Candidate

	// Body is one form of the data of a candidate.
	Body = capture.Body

	// Checksum is a digest in the format of WARC records.
	Checksum = capture.Checksum

	// Stats are the statistics of a source.
	Stats = capture.Stats

	// Skip counts unusable captures with the same reason.
	Skip = capture.Skip

	// TypeCount is the number of records of a type.
	TypeCount = capture.TypeCount

	// Exclusion is an unusable capture of a URL.
	Exclusion = capture.Exclusion

	// Flaw is the error at the end of a body that differs from the declaration of its source, or is damaged.
	Flaw = capture.Flaw

	// TooLarge is the error of a body that exceeds Limit bytes.
	TooLarge = capture.TooLarge
)

const (
	AsStored = capture.AsStored // Form of unchanged data
	MaxBody  = capture.MaxBody  // maximum decoded size of a body
)

// Options are the options of opening a source. The zero value is a good default.
type Options struct {
	// Indexes is a folder for indexes of WARC and ARC files that later runs reuse; empty for none. An index is valid
	// while the size and the modification time of the file are unchanged.
	Indexes string
}

// NewBody returns a Body that is not Coded. Each call of open must open the data from the beginning.
func NewBody(form string, open func() (io.ReadCloser, error)) Body {
	return capture.NewBody(form, open)
}

// Alike returns the common form of URLs that most servers and programs treat as equal: of http and https, with a
// slash at the end of the path or without one, with a "?" and nothing after it, with a host in Unicode or in
// Punycode, with a dot at its end or without, and with octets as they are or as escapes of any case, unless the
// standard reserves them (but for "!'()*"). Octets that are not UTF-8 count as ISO 8859-1. URLs that are equal in
// canonical form are alike.
func Alike(url string) string { return urlkey.Alike(url) }

// All yields everything that Lookup of src can find, redirects too, in the order of the
// source: of archive files by place, of folders by name. An error speaks of one thing
// that is kept and cannot be read now; others may follow. Nothing is kept in memory but
// where things are.
//
// A Source that is not of this package may not know what it has. Then there is an error
// alone.
func All(src Source) iter.Seq2[*Candidate, error] { return capture.All(src) }

// Excluded returns the captures of a URL that are of no use, such as parts of a file, as far as the source knows.
func Excluded(src Source, url string) []Exclusion { return capture.Excluded(src, url) }

// Join returns a Source that looks in each of several, in order. What a revisit in one of
// them repeats may be in any other. Closing it closes all of them.
func Join(sources ...Source) Source { return join.Sources(sources...) }

// URLOf returns the URL that a file on disk was retrieved from, if a folder or
// list in src says so, or else the file: URL of its path.
func URLOf(src Source, file string) string { return capture.URLOf(src, file) }
