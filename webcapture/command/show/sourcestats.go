package show

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// SourceStats are the statistics of a source.
type SourceStats struct {
	Name string // name as given
	Err  error  // reason why nothing could be read; only Name and Kind are set then
	Kind source.Kind
	source.Stats

	// Numbers of captures by kind, and the first and last time of retrieval; zero if there are none.
	Replies, Failed, Redirects, Revisits int
	Begin, End                           time.Time

	Unread      int   // number of captures that could not be read
	FirstUnread error // error of the first unread capture; nil if there are none
}

// Add counts a capture, or the error that occurred instead.
func (s *SourceStats) Add(c *source.Candidate, err error) {
	if err != nil {
		if s.Unread++; s.FirstUnread == nil {
			s.FirstUnread = err
		}
		return
	}
	switch {
	case c.Revisit != "":
		s.Revisits++
	case c.Redirect != "":
		s.Redirects++
	case c.Failed:
		s.Failed++
	default:
		s.Replies++
	}
	if c.Time.IsZero() {
		return
	}
	if s.Begin.IsZero() || c.Time.Before(s.Begin) {
		s.Begin = c.Time
	}
	if c.Time.After(s.End) {
		s.End = c.Time
	}
}

// Records returns the number of captures in the source.
func (s *SourceStats) Records() int {
	return s.Replies + s.Failed + s.Redirects + s.Revisits + s.Unread
}

// SourceStatsTable writes statistics of sources for people. A width of 0 means a file, in which lines are not
// broken.
func SourceStatsTable(w io.Writer, width int, list []*SourceStats) error {
	t := layout.NewSheet(w, width, false)
	for _, s := range list {
		if s.Err != nil {
			t.Headline(s.Name, layout.OneLine(s.Err))
			continue
		}
		t.Headline(s.Name, fmt.Sprintf("%s, %s in %s of %s", s.Kind, layout.Count(s.Records(), "record"),
			layout.Count(s.Files, "file"), layout.Count(int(s.Bytes), "byte")))
		var kinds []string
		for _, k := range []struct {
			n    int
			what string
		}{{s.Replies, "replies"}, {s.Redirects, "redirects"}, {s.Failed, "errors"}, {s.Revisits, "revisits"}} {
			if k.n > 0 {
				kinds = append(kinds, k.what+" "+strconv.Itoa(k.n))
			}
		}
		if len(kinds) > 0 {
			t.Line("  ", strings.Join(kinds, ", "))
		}
		if text := TypesText(s.Types); text != "" {
			t.Line("  ", "records by type: "+text)
		}
		if s.Found != "" {
			t.Line("  ", layout.Printable(s.Found))
		}
		if !s.Begin.IsZero() {
			t.Line("  ", "from "+s.Begin.UTC().Format(time.RFC3339)+" to "+s.End.UTC().Format(time.RFC3339))
		}
		if s.Unread > 0 {
			t.Line("  ", fmt.Sprintf("%d could not be read, the first: %s", s.Unread, layout.OneLine(s.FirstUnread)))
		}
		for _, k := range s.Skipped {
			t.Line("  ", layout.Printable(k.String()))
		}
	}
	return t.Flush()
}

// TypesText lists the number of records of each type. It is empty if there are none.
func TypesText(list []source.TypeCount) string {
	var parts []string
	for _, c := range list {
		parts = append(parts, c.String())
	}
	return strings.Join(parts, ", ")
}

// sourceSchema is the name and version of the JSON format of statistics of sources.
const sourceSchema = "webcap.source/1"

type (
	jsonSourceStats struct {
		Schema  string         `json:"schema"`
		Tool    jsondoc.Tool   `json:"tool"`
		Sources []jsonOneStats `json:"sources"`
	}
	jsonOneStats struct {
		Source  string             `json:"source"`
		Reason  string             `json:"reason,omitempty"` // reason why nothing could be read
		Kind    string             `json:"kind,omitempty"`
		Files   int                `json:"files"`
		Bytes   int64              `json:"bytes"`
		Records *jsonSourceRecords `json:"records,omitempty"`
		Types   []jsonSourceType   `json:"types,omitempty"`
		Begin   *time.Time         `json:"begin,omitempty"`
		End     *time.Time         `json:"end,omitempty"`
		Unread  *jsonSourceUnread  `json:"unread,omitempty"`
		Found   string             `json:"found,omitempty"` // description of a folder
		Skipped []jsonSourceSkip   `json:"skipped,omitempty"`
	}
	jsonSourceRecords struct {
		Replies   int `json:"replies"`
		Redirects int `json:"redirects"`
		Errors    int `json:"errors"`
		Revisits  int `json:"revisits"`
	}
	jsonSourceType struct {
		Type  string `json:"type"`
		Count int    `json:"count"`
	}
	jsonSourceUnread struct {
		Count int    `json:"count"`
		First string `json:"first"`
	}
	jsonSourceSkip struct {
		Reason string `json:"reason"`
		Count  int    `json:"count"`
		First  string `json:"first"`
		Capped bool   `json:"capped,omitempty"`
	}
)

// SourceStatsJSON writes statistics of sources as a JSON document.
func SourceStatsJSON(w io.Writer, version string, list []*SourceStats) error {
	out := jsonSourceStats{sourceSchema, jsondoc.ToolOf(version), []jsonOneStats{}}
	for _, s := range list {
		one := jsonOneStats{Source: jsondoc.Text(s.Name), Kind: string(s.Kind), Files: s.Files, Bytes: s.Bytes,
			Found: jsondoc.Text(s.Found)}
		if s.Err != nil {
			one.Reason = layout.OneLine(s.Err)
		} else {
			one.Records = &jsonSourceRecords{s.Replies, s.Redirects, s.Failed, s.Revisits}
		}
		for _, c := range s.Types {
			one.Types = append(one.Types, jsonSourceType{c.Type, c.Count})
		}
		if !s.Begin.IsZero() {
			begin, end := s.Begin.UTC(), s.End.UTC()
			one.Begin, one.End = &begin, &end
		}
		if s.Unread > 0 {
			one.Unread = &jsonSourceUnread{s.Unread, layout.OneLine(s.FirstUnread)}
		}
		for _, k := range s.Skipped {
			one.Skipped = append(one.Skipped, jsonSourceSkip{jsondoc.Text(k.Reason), k.Count, jsondoc.Text(k.First), k.Capped})
		}
		out.Sources = append(out.Sources, one)
	}
	return writeLine(jsondoc.New(w), out)
}
