package show

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// sourceTotal counts the captures in a list.
type sourceTotal struct {
	Records struct {
		Replies   int `json:"replies"`
		Redirects int `json:"redirects"`
		Errors    int `json:"errors"`
		Revisits  int `json:"revisits"`
	} `json:"records"`
	Begin   *time.Time    `json:"begin,omitempty"` // first time of retrieval
	End     *time.Time    `json:"end,omitempty"`
	Unread  *sourceUnread `json:"unread,omitempty"`
	Files   int           `json:"files"`
	Bytes   int64         `json:"bytes"`
	Skipped []sourceSkip  `json:"skipped,omitempty"`
}

type (
	// sourceUnread counts captures that could not be read.
	sourceUnread struct {
		Count int    `json:"count"`
		First string `json:"first"` // the first error
	}
	sourceSkip struct {
		Reason string `json:"reason"`
		Count  int    `json:"count"`
		First  string `json:"first"`
		Capped bool   `json:"capped,omitempty"`
	}
)

// add counts a capture.
func (t *sourceTotal) add(c *source.Candidate) {
	switch {
	case c.Revisit != "":
		t.Records.Revisits++
	case c.Redirect != "":
		t.Records.Redirects++
	case c.Status >= http.StatusBadRequest:
		t.Records.Errors++
	default:
		t.Records.Replies++
	}
	if c.Time.IsZero() {
		return
	}
	at := c.Time.UTC()
	if t.Begin == nil || at.Before(*t.Begin) {
		t.Begin = &at
	}
	if t.End == nil || at.After(*t.End) {
		t.End = &at
	}
}

// complete adds the statistics of the sources.
func (t *sourceTotal) complete(s source.Stats) {
	t.Files, t.Bytes = s.Files, s.Bytes
	for _, k := range s.Skipped {
		t.Skipped = append(t.Skipped, sourceSkip{rule.Text(k.Reason), k.Count, rule.Text(k.First), k.Capped})
	}
}

// lines returns the totals as lines for people.
func (t *sourceTotal) lines() []string {
	var kinds []string
	n := 0
	for _, k := range []struct {
		n         int
		one, many string
	}{
		{t.Records.Replies, "reply", "replies"}, {t.Records.Redirects, "redirect", "redirects"},
		{t.Records.Errors, "error", "errors"}, {t.Records.Revisits, "revisit", "revisits"},
	} {
		n += k.n
		switch {
		case k.n == 1:
			kinds = append(kinds, "1 "+k.one)
		case k.n > 1:
			kinds = append(kinds, fmt.Sprintf("%d %s", k.n, k.many))
		}
	}
	lines := []string{fmt.Sprintf("Total: %s (%s) in %s of %s", layout.Count(n, "record"), strings.Join(kinds, ", "),
		layout.Count(t.Files, "file"), layout.Count(int(t.Bytes), "byte"))}
	if t.Unread != nil {
		lines[0] += fmt.Sprintf("; %d more could not be read", t.Unread.Count)
	}
	if t.Begin != nil {
		lines = append(lines, "Retrieved: "+t.Begin.Format(time.RFC3339)+" to "+t.End.Format(time.RFC3339))
	}
	return lines
}
