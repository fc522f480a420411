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
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"regexp"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/folder"
	"github.com/webcap-tools/webcap/digest/source/internal/join"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
	"github.com/webcap-tools/webcap/digest/source/internal/warc"
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

// File is the file that a record of a WARC or ARC file holds: the body of a reply, or the block of a resource or
// conversion.
type File = warc.File

// Originals are the records that revisits may repeat.
type Originals = warc.Originals

// Files yields the files of all records of a WARC or ARC file, in its order. What is damaged is skipped. An error at
// the end says how much that is, and why; the error is the only one if nothing in the file is a record.
func Files(r io.ReaderAt, size int64, name string) iter.Seq2[*File, error] {
	return warc.Files(r, size, name)
}

// URLOf returns the URL that a file on disk was retrieved from, if a folder or
// list in src says so, or else the file: URL of its path.
func URLOf(src Source, file string) string { return capture.URLOf(src, file) }

// Open opens the source at a path. For an empty kind it takes that of KindOf. The error
// says that nothing of the source can be read; what can only be read in part is a Source
// with Stats that say so.
func Open(kind Kind, path string, opt Options) (Source, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil && localfile.Remote.MatchString(path):
		return nil, fmt.Errorf("%s: sources are local files: fetch it first", path)
	case err != nil && fileURL.MatchString(path):
		return nil, fmt.Errorf("%s: sources are named by their paths, not by file URLs", path)
	}
	if err != nil {
		if e := localfile.PathError(err); e != nil {
			err = e.Err // the path is said already
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: neither a file nor a folder, and a source is read more than once",
			path) // a pipe may never open
	}
	guessed := kind == ""
	if guessed {
		kind = KindOf(path)
	}
	for _, e := range kinds {
		if kind == e.Kind {
			s, err := openPath(e, path, info.IsDir(), capture.Options{Indexes: opt.Indexes, Guessed: guessed})
			if err == nil {
				return s, nil
			}
			if what := folder.Foreign(path); what != "" {
				err = errors.New("it is " + what)
			}
			return nil, fmt.Errorf("%s %s: %w", e.Kind, path, err)
		}
	}
	if what := folder.Foreign(path); what != "" {
		return nil, fmt.Errorf("%s: it is %s", path, what)
	}
	return nil, fmt.Errorf("%s: cannot tell what kind of source this is", path)
}

// fileURL matches those of local files, as file:///folder/a.warc and file:///C|/a.warc.
var fileURL = regexp.MustCompile(`(?i)^file:/`)

// IsWARC reports whether a file, decompressed, begins with a WARC or ARC record.
func IsWARC(start []byte) bool { return warc.Detect(start) }

// HeaderSize returns the size of the header of the WARC or ARC record that a file begins with, and of what comes
// before it; -1 if the header does not end in start.
func HeaderSize(start []byte) int { return warc.HeaderSize(start) }
