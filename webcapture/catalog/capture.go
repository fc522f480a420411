package catalog

import (
	"fmt"
	"slices"
	"time"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Capture is one content set (ISO 32000-2:2020, 14.10.4): a page or an image that was captured. It does not refer to
// memory of the file.
type Capture struct {
	Object object.Ref // content set; number 0 for a direct object in a tree entry or an array
	Kind   Kind

	// URL is the destination of the first source that has one, as stored in the file. If no source has one, URL is
	// the first key of URLS that refers to the set. Canonical is the canonical form of URL. Both are empty if
	// neither exists. URL may contain any bytes.
	URL, Canonical string

	ID          string // digital identifier as stored: 16 bytes in a valid file; empty if absent
	Title       string // T, in UTF-8
	ContentType string // CT, as stored
	TS          Date   // creation of the content set
	Sources     []Source

	// Members are the pages or images in O that are references, in stored order.
	Members []object.Ref

	// Pages are the pages of the document that show the capture, sorted and without overlap. For a page set, they are
	// its members; for an image set, the pages that paint one of its images; for any other set, both.
	Pages []PageRange

	Images []ImageMember // those members of an image set that are streams or dictionaries
}

// Captured returns the date of the capture. It is TS of the set or, if that is absent or invalid, TS of the first
// source with a valid TS. The zero Date means that neither the set nor a source has TS. A Date with a Fault means that
// no TS is valid.
func (c *Capture) Captured() Date {
	dates := []Date{c.TS}
	for _, s := range c.Sources {
		dates = append(dates, s.TS)
	}
	for _, isFit := range []func(Date) bool{Date.OK, func(d Date) bool { return d.Stored != "" }} {
		if i := slices.IndexFunc(dates, isFit); i >= 0 {
			return dates[i]
		}
	}
	return Date{}
}

// Kind is the kind of content of a capture.
type Kind string

// The kinds.
const (
	Page  Kind = "page"  // S is SPS
	Image Kind = "image" // S is SIS
	Other Kind = "other" // S is neither
)

// Kinds returns the kinds, in their order in lists.
func Kinds() []Kind { return []Kind{Page, Image, Other} }

func kindOf(s webcapture.Subtype) Kind {
	switch s {
	case webcapture.PageSet:
		return Page
	case webcapture.ImageSet:
		return Image
	}
	return Other
}

// Date is a date as the file stores it, and its time in UTC.
type Date struct {
	Stored string    // bytes of the string, or text of another object; empty if absent
	Time   time.Time // zero if there is no valid date
	Fault  string    // reason why Stored is not a date; empty if it is
}

// OK reports whether the date exists and is valid.
func (d Date) OK() bool { return d.Stored != "" && d.Fault == "" }

// Source is one source information dictionary (14.10.5.1).
type Source struct {
	URL       string     // AU, or U of a URL alias dictionary; as stored
	Redirects [][]string // chains of the URL alias dictionary, each in the order of the redirects
	TS        Date       // the latest time when the set was current
	E         Date       // expiry
	Submitted string     // "GET" or "POST" for submitted form data, from S; else empty
	Command   *Command   // the command that caused the retrieval; nil if unknown
}

// Command holds the entries of a command dictionary (14.10.5.3) that say what the user requested.
type Command struct {
	URL                string // as the user entered it
	Levels             int64  // levels to retrieve; 1 is the URL only, 0 is unknown
	SameSite, SamePath bool   // limits of the retrieval
	Submit             bool   // the command submits a form
	PostData           bool   // the command holds posted data
}

// HasSubmittedData reports whether the file contains or mentions form data that a user submitted for this capture.
func (c *Capture) HasSubmittedData() bool {
	return slices.ContainsFunc(c.Sources, func(s Source) bool {
		return s.Submitted != "" || s.Command != nil && (s.Command.PostData || s.Command.Submit)
	})
}

// PageRange is a range of pages in page order, from 1. Both ends are included.
type PageRange struct{ First, Last int }

// String returns the range as people write it: "3" or "3-5".
func (r PageRange) String() string {
	if r.First == r.Last {
		return fmt.Sprint(r.First)
	}
	return fmt.Sprintf("%d-%d", r.First, r.Last)
}

// ImageMember is an image of an image set.
type ImageMember struct {
	Object        object.Ref
	Width, Height int64 // in samples; 0 if absent in the image

	// MD5 is the MD5 of the image data as stored, if it equals the ID of the set. Proven is true then: the data are
	// the file that was fetched. Otherwise MD5 is zero.
	MD5    digest.ID
	Proven bool
}
