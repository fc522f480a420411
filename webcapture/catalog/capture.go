package catalog

import (
	"fmt"
	"slices"
	"time"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// A Capture is one content set (ISO 32000-2:2020, 14.10.4): a page or an image that was captured. It keeps
// nothing of the file.
type Capture struct {
	Object object.Ref // the content set; Num 0 if it stands in a tree entry or an array
	Kind   Kind

	// URL is the destination of the first source that has one, as the file stores it. A set without such a
	// source has the first key of URLS that leads to it. Canonical is the canonical form of URL. Both are
	// empty if neither exists. URL may hold any bytes.
	URL, Canonical string

	ID          string // the digital identifier, as stored: 16 bytes in a sound file; empty if absent
	Title       string // T, in UTF-8
	ContentType string // CT, as stored
	TS          Date   // creation of the content set
	Sources     []Source

	// Members are the pages or images in O that are references, in stored order.
	Members []object.Ref

	// Pages are the pages of the document that show the capture, ascending and without overlap: the members of
	// a page set, and the pages that paint an image of an image set.
	Pages []PageRange

	Images []ImageMember // the members of an image set that are images
	Status Status
}

// Captured returns when the capture took place: TS of the set, or else of its first source with a valid TS.
// The zero Date means that the file does not say. A Date with a Fault means that no TS is a date.
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

// A Kind is what a capture consists of.
type Kind string

// The kinds.
const (
	Page  Kind = "page"  // S is SPS
	Image Kind = "image" // S is SIS
	Other Kind = "other" // S is neither
)

// Kinds returns the kinds, in the order in which lists have them.
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

// A Date is a date as the file stores it, and its time in UTC.
type Date struct {
	Stored string    // the bytes of the string, or the text of an object that is not a string; empty if absent
	Time   time.Time // zero without a date
	Fault  string    // why Stored is not a date; empty if it is one
}

// OK reports whether the date exists and is valid.
func (d Date) OK() bool { return d.Stored != "" && d.Fault == "" }

// A Source is one source information dictionary (14.10.5.1).
type Source struct {
	URL       string     // AU, or U of a URL alias dictionary; as stored
	Redirects [][]string // the chains of the URL alias dictionary, each in redirect order
	TS        Date       // the latest time when the set was current
	E         Date       // expiry
	Submitted string     // "GET" or "POST" for submitted form data, from S; else empty
	Command   *Command   // the command that caused the retrieval; nil if unknown
}

// A Command is the part of a command dictionary (14.10.5.3) that says what a user asked for.
type Command struct {
	URL                string // as the user entered it
	Levels             int64  // levels to retrieve; 1 is the URL only, 0 is unknown
	SameSite, SamePath bool   // limits of the retrieval
	Submit             bool   // the command submits a form
	PostData           bool   // the command holds posted data
}

// HasSubmittedData reports whether the file holds or mentions form data that a user submitted for this capture.
func (c *Capture) HasSubmittedData() bool {
	return slices.ContainsFunc(c.Sources, func(s Source) bool {
		return s.Submitted != "" || s.Command != nil && (s.Command.PostData || s.Command.Submit)
	})
}

// A PageRange is a range of pages in page order, from 1. Both ends are included.
type PageRange struct{ First, Last int }

// String returns the range as people write it: "3" or "3-5".
func (r PageRange) String() string {
	if r.First == r.Last {
		return fmt.Sprint(r.First)
	}
	return fmt.Sprintf("%d-%d", r.First, r.Last)
}

// An ImageMember is an image of an image set.
type ImageMember struct {
	Object        object.Ref
	Width, Height int64 // in samples; 0 if the image does not say

	// MD5 is that of the image data as stored. Proven says that it equals the ID of the set, so the data are
	// the file that was fetched. Otherwise MD5 is zero.
	MD5    digest.ID
	Proven bool
}

// A Status is the worst level that an audit found for a capture, its entries, or its members.
type Status string

// The statuses, besides the names of the levels: "note", "warning", and "error".
const (
	OK        Status = "ok"        // audited, without a finding
	Unchecked Status = "unchecked" // not audited, or not completely
)

func statusOf(l rule.Level) Status {
	if l == 0 {
		return OK
	}
	return Status(l.String())
}
