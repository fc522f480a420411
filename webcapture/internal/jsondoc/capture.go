package jsondoc

import (
	"encoding/hex"
	"time"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/catalog"
)

type (
	// Capture is the JSON of a capture.
	Capture struct {
		Object    *object.Ref     `json:"object"` // null for a direct object
		Kind      catalog.Kind    `json:"kind"`
		URL       string          `json:"url,omitempty"`
		Canonical string          `json:"canonicalUrl,omitempty"`
		Captured  *time.Time      `json:"captured,omitempty"`
		TS        *captureDate    `json:"ts,omitempty"`
		Title     string          `json:"title,omitempty"`
		Type      string          `json:"contentType,omitempty"`
		ID        string          `json:"id,omitempty"`
		Pages     []capturePages  `json:"pages"`
		Members   []object.Ref    `json:"members"`
		Sources   []captureSource `json:"sources"`
		Submitted bool            `json:"submittedData"`
		Images    []captureImage  `json:"images,omitempty"`
	}
	capturePages struct {
		First int `json:"first"`
		Last  int `json:"last"`
	}
	captureDate struct {
		Stored string     `json:"stored"`
		Time   *time.Time `json:"time,omitempty"`
		Fault  string     `json:"fault,omitempty"`
	}
	captureSource struct {
		URL       string          `json:"url,omitempty"`
		Redirects [][]string      `json:"redirects,omitempty"`
		TS        *captureDate    `json:"ts,omitempty"`
		Expires   *captureDate    `json:"expires,omitempty"`
		Submitted string          `json:"submitted,omitempty"`
		Command   *captureCommand `json:"command,omitempty"`
	}
	captureCommand struct {
		URL      string `json:"url,omitempty"`
		Levels   int64  `json:"levels"`
		SameSite bool   `json:"sameSite"`
		SamePath bool   `json:"samePath"`
		Submit   bool   `json:"submit"`
		PostData bool   `json:"postData"`
	}
	captureImage struct {
		Object object.Ref `json:"object"`
		Width  int64      `json:"width"`
		Height int64      `json:"height"`
		MD5    string     `json:"md5,omitempty"` // only if it matches the ID
	}
)

func captureDateOf(d catalog.Date) *captureDate {
	if d.Stored == "" {
		return nil
	}
	out := &captureDate{Stored: rule.Text(d.Stored), Fault: rule.Text(d.Fault)}
	if d.OK() {
		out.Time = &d.Time
	}
	return out
}

// CaptureOf returns the JSON of a capture.
func CaptureOf(c *catalog.Capture) *Capture {
	out := &Capture{
		Object: RefOrNil(c.Object), Kind: c.Kind, URL: rule.Text(c.URL),
		Canonical: rule.Text(c.Canonical), TS: captureDateOf(c.TS), Title: c.Title, Type: rule.Text(c.ContentType),
		ID: hex.EncodeToString([]byte(c.ID)), Pages: []capturePages{}, Members: []object.Ref{},
		Sources: []captureSource{}, Submitted: c.HasSubmittedData(),
	}
	if d := c.Captured(); d.OK() {
		out.Captured = &d.Time
	}
	for _, p := range c.Pages {
		out.Pages = append(out.Pages, capturePages(p))
	}
	out.Members = append(out.Members, c.Members...)
	for i := range c.Sources {
		out.Sources = append(out.Sources, captureSourceOf(&c.Sources[i]))
	}
	for _, im := range c.Images {
		j := captureImage{Object: im.Object, Width: im.Width, Height: im.Height}
		if im.Proven {
			j.MD5 = im.MD5.String()
		}
		out.Images = append(out.Images, j)
	}
	return out
}

func captureSourceOf(s *catalog.Source) captureSource {
	out := captureSource{URL: rule.Text(s.URL), TS: captureDateOf(s.TS), Expires: captureDateOf(s.E),
		Submitted: s.Submitted}
	for _, chain := range s.Redirects {
		urls := make([]string, 0, len(chain))
		for _, u := range chain {
			urls = append(urls, rule.Text(u))
		}
		out.Redirects = append(out.Redirects, urls)
	}
	if c := s.Command; c != nil {
		out.Command = &captureCommand{rule.Text(c.URL), c.Levels, c.SameSite, c.SamePath, c.Submit, c.PostData}
	}
	return out
}
