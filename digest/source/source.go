// Package source finds the captures of a URL in folders, WARC and ARC files, WACZ, HAR, and MHTML files, and the
// cache of WWWOFFLE. With these, digital identifiers (ISO 32000-2:2020, 14.10.3.3) can be computed again.
//
// Most callers need three functions: Open, Find and Candidate.Sums.
//
//	src, err := source.Open(source.WARC, "crawl.warc.gz")
//	…
//	defer src.Close()
//	for c, err := range source.Find(src, "http://www.example.com/") {
//		if c.Body != nil {
//			sums, err := c.Sums(nil)
//			…
//		}
//	}
//
// The readable part of a damaged source is used; Stats counts skipped captures by reason. A Source keeps only positions
// in memory. Data are read by Sums and by Body.OpenDecoded.
//
// Join makes one Source from several Sources, and SplitSpec splits an argument of a command line.
package source

import (
	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

// Types of captures and sources.
type (
	// Source is a collection of captures of URLs. It is safe for concurrent use.
	Source = *capture.Index

	// Candidate is one capture of a URL.
	Candidate = capture.Candidate

	// Body is the data of a candidate, with what the source declares about them.
	Body = body.Body

	// Form is a form of the data of a body.
	Form = body.Form

	// Sums describes a body whose data were read.
	Sums = body.Sums

	// Stats are the statistics of a source.
	Stats = capture.Stats

	// Skip counts unusable captures with the same reason.
	Skip = capture.Skip
)

const (
	Stored  = body.Stored  // as the source stores the data
	Sent    = body.Sent    // without chunks
	Decoded = body.Decoded // without codings
)

// Join returns a Source that has the captures of several sources, and closes them. The original of a revisit in one of
// them may be in any other source.
func Join(sources ...Source) Source { return capture.Join(sources...) }
