package show

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// sourceTotals counts the captures in a list.
type sourceTotals struct {
	// Numbers of captures by kind, and the first and last time of retrieval; zero if there are none.
	replies, redirects, failed, revisits int
	begin, end                           time.Time

	unread      int   // number of captures that could not be read
	firstUnread error // error of the first unread capture; nil if there are none
}

// add counts a capture.
func (t *sourceTotals) add(c *source.Candidate) {
	switch {
	case c.Revisit != "":
		t.revisits++
	case c.Redirect != "":
		t.redirects++
	case c.Status >= http.StatusBadRequest:
		t.failed++
	default:
		t.replies++
	}
	if c.Time.IsZero() {
		return
	}
	if t.begin.IsZero() || c.Time.Before(t.begin) {
		t.begin = c.Time
	}
	if c.Time.After(t.end) {
		t.end = c.Time
	}
}

// records returns the number of captures that were read.
func (t *sourceTotals) records() int { return t.replies + t.redirects + t.failed + t.revisits }

// lines returns the totals as lines for people. s are the statistics of the sources.
func (t *sourceTotals) lines(s source.Stats) []string {
	var kinds []string
	for _, k := range []struct {
		n         int
		one, many string
	}{
		{t.replies, "reply", "replies"}, {t.redirects, "redirect", "redirects"}, {t.failed, "error", "errors"},
		{t.revisits, "revisit", "revisits"},
	} {
		switch {
		case k.n == 1:
			kinds = append(kinds, "1 "+k.one)
		case k.n > 1:
			kinds = append(kinds, fmt.Sprintf("%d %s", k.n, k.many))
		}
	}
	lines := []string{fmt.Sprintf("Total: %s (%s) in %s of %s", layout.Count(t.records(), "record"),
		strings.Join(kinds, ", "), layout.Count(s.Files, "file"), layout.Count(int(s.Bytes), "byte"))}
	if t.unread > 0 {
		lines[0] += fmt.Sprintf("; %d more could not be read", t.unread)
	}
	if !t.begin.IsZero() {
		lines = append(lines, "Retrieved: "+t.begin.UTC().Format(time.RFC3339)+" to "+t.end.UTC().Format(time.RFC3339))
	}
	return lines
}

type (
	jsonSourceEnd struct {
		Total jsonSourceTotal `json:"total"`
	}
	jsonSourceTotal struct {
		Records jsonSourceRecords `json:"records"`
		Begin   *time.Time        `json:"begin,omitempty"`
		End     *time.Time        `json:"end,omitempty"`
		Unread  *jsonSourceUnread `json:"unread,omitempty"`
		Files   int               `json:"files"`
		Bytes   int64             `json:"bytes"`
		Skipped []jsonSourceSkip  `json:"skipped,omitempty"`
	}
	jsonSourceRecords struct {
		Replies   int `json:"replies"`
		Redirects int `json:"redirects"`
		Errors    int `json:"errors"`
		Revisits  int `json:"revisits"`
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

// json returns the totals as a struct with JSON tags. s are the statistics of the sources.
func (t *sourceTotals) json(s source.Stats) any {
	out := jsonSourceTotal{Records: jsonSourceRecords{t.replies, t.redirects, t.failed, t.revisits}, Files: s.Files,
		Bytes: s.Bytes}
	if !t.begin.IsZero() {
		begin, end := t.begin.UTC(), t.end.UTC()
		out.Begin, out.End = &begin, &end
	}
	if t.unread > 0 {
		out.Unread = &jsonSourceUnread{t.unread, layout.OneLine(t.firstUnread)}
	}
	for _, k := range s.Skipped {
		out.Skipped = append(out.Skipped, jsonSourceSkip{jsondoc.Text(k.Reason), k.Count, jsondoc.Text(k.First), k.Capped})
	}
	return jsonSourceEnd{out}
}
