package catalog

import (
	"encoding/hex"
	"fmt"
	"time"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Capture is one content set (ISO 32000-2:2020, 14.10.4): a page or an image that was captured. It does not refer to
// memory of the file.
type Capture struct {
	Object object.Ref `json:"object,omitzero"` // content set; number 0 for a direct object in a tree entry or an array
	Kind   Kind       `json:"kind"`

	// URL is the destination of the first source that has one, as stored in the file. If no source has one, URL is
	// the first key of URLS that refers to the set. Canonical is the canonical form of URL. Both are empty if
	// neither exists.
	URL       Text `json:"url,omitempty"`
	Canonical Text `json:"canonicalUrl,omitempty"`

	// Captured is the time of the first valid date among TS and those of the sources; zero if none is valid.
	Captured time.Time `json:"captured,omitzero"`

	TS          Date     `json:"ts,omitzero"` // creation of the content set
	Title       string   `json:"title,omitempty"`
	ContentType Text     `json:"contentType,omitempty"`
	ID          ID       `json:"id,omitempty"`
	Sources     []Source `json:"sources"`

	// Members are the pages or images in O that are references, in stored order.
	Members []object.Ref `json:"members"`

	// Pages are the members that are pages of the document, sorted and without overlap. An image set has none.
	Pages []PageRange `json:"pages"`

	// Submitted means that the file contains or mentions form data that a user submitted for this capture.
	Submitted bool `json:"submittedData"`
}

// Text is text of a file, which may have any bytes. Its JSON has escapes for bytes that are not UTF-8.
type Text string

// MarshalText returns the text in UTF-8. It never fails.
func (t Text) MarshalText() ([]byte, error) { return []byte(rule.Text(string(t))), nil }

// ID is a digital identifier as stored: 16 bytes in a valid file.
type ID string

// String returns the identifier in hexadecimal.
func (id ID) String() string { return hex.EncodeToString([]byte(id)) }

// MarshalText returns the identifier in hexadecimal. It never fails.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

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
	Stored Text      `json:"stored"`          // bytes of the string, or text of another object; empty if absent
	Time   time.Time `json:"time,omitzero"`   // zero if there is no valid date
	Fault  Text      `json:"fault,omitempty"` // reason why Stored is not a date; empty if it is
}

// Source is one source information dictionary (14.10.5.1).
type Source struct {
	URL       Text     `json:"url,omitempty"`       // AU, or U of a URL alias dictionary; as stored
	Redirects [][]Text `json:"redirects,omitempty"` // chains of the URL alias dictionary, in the order of the redirects
	TS        Date     `json:"ts,omitzero"`         // the latest time when the set was current
	E         Date     `json:"expires,omitzero"`
	Submitted string   `json:"submitted,omitempty"` // "GET" or "POST" for submitted form data, from S; else empty
	Command   *Command `json:"command,omitempty"`   // the command that caused the retrieval; nil if unknown
}

// Command holds the entries of a command dictionary (14.10.5.3) that say what the user requested.
type Command struct {
	URL      Text  `json:"url,omitempty"` // as the user entered it
	Levels   int64 `json:"levels"`        // levels to retrieve; 1 is the URL only, 0 is unknown
	SameSite bool  `json:"sameSite"`      // limits of the retrieval
	SamePath bool  `json:"samePath"`
	Submit   bool  `json:"submit"`   // the command submits a form
	PostData bool  `json:"postData"` // the command holds posted data
}

// PageRange is a range of pages in page order, from 1. Both ends are included.
type PageRange struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

// String returns the range as people write it: "3" or "3-5".
func (r PageRange) String() string {
	if r.First == r.Last {
		return fmt.Sprint(r.First)
	}
	return fmt.Sprintf("%d-%d", r.First, r.Last)
}
