package show

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A SourceList writes the captures in sources, one by one, and then totals.
type SourceList struct {
	*Writer
	total sourceTotal
}

// sourceTotal describes a complete list.
type sourceTotal struct {
	Records int           `json:"records"`          // number of listed records
	Unread  int           `json:"unread,omitempty"` // number of records that could not be read
	Files   int           `json:"files"`
	Bytes   int64         `json:"bytes"`
	Skipped []source.Skip `json:"skipped,omitempty"`
}

// NewSourceList returns a SourceList for a format, table or json. A table gets lines of this width; 0 means that lines
// are not broken.
func NewSourceList(format string, w io.Writer, width int) *SourceList {
	if format == "json" {
		return &SourceList{Writer: NewJSON(w)}
	}
	return &SourceList{Writer: NewText(w, width)}
}

// Add writes a record. A table begins with headings.
func (l *SourceList) Add(r *SourceRecord) error {
	if l.total.Records == 0 && l.doc == nil {
		sourceRow(l.sheet, "DATE", "STATUS", "TYPE", "BYTES", "URL", "PLACE")
	}
	l.total.Records++
	return l.Writer.Add(r)
}

// Skip counts a capture that could not be read.
func (l *SourceList) Skip() { l.total.Unread++ }

// Close writes totals. s are the statistics of all listed sources. An empty table has no totals.
func (l *SourceList) Close(s source.Stats) error {
	t := &l.total
	t.Files, t.Bytes = s.Files, s.Bytes
	for _, k := range s.Skipped {
		k.Reason, k.First = rule.Text(k.Reason), rule.Text(k.First)
		t.Skipped = append(t.Skipped, k)
	}
	if l.doc != nil {
		return writeLine(l.doc, map[string]*sourceTotal{"total": t})
	}
	if t.Records == 0 {
		return nil
	}
	text := fmt.Sprintf("Total: %s in %s of %s", layout.Count(t.Records, "record"), layout.Count(t.Files, "file"),
		layout.Count(int(t.Bytes), "byte"))
	if t.Unread > 0 {
		text += fmt.Sprintf("; %d more could not be read", t.Unread)
	}
	l.sheet.Text("\n")
	l.sheet.Line("", text)
	return l.sheet.Flush()
}

// A SourceRecord is a capture in a source.
type SourceRecord struct {
	URL       nametree.Key `json:"url"`
	Key       nametree.Key `json:"key"` // canonical form of URL
	Time      time.Time    `json:"time,omitzero"`
	Status    int          `json:"status,omitempty"`
	MediaType string       `json:"mediaType,omitempty"`
	Bytes     *int64       `json:"bytes,omitempty"`
	Redirect  nametree.Key `json:"redirect,omitempty"`
	Revisit   bool         `json:"revisit,omitempty"`
	Doubt     string       `json:"doubt,omitempty"`
	Where     nametree.Key `json:"where"`
}

// SourceRecordOf returns the description of a capture. key is the canonical form of its URL.
func SourceRecordOf(c *source.Candidate, key string) *SourceRecord {
	out := &SourceRecord{URL: nametree.Key(c.URL), Key: nametree.Key(key), Time: c.Time.UTC(), Status: c.Status,
		MediaType: rule.Text(c.MediaType), Redirect: nametree.Key(c.Redirect), Revisit: c.Revisit != "",
		Doubt: rule.Text(c.Doubt), Where: nametree.Key(c.Where)}
	if c.Size >= 0 {
		out.Bytes = &c.Size
	}
	return out
}

// text writes the record on one line, or on a narrow terminal on several.
func (r *SourceRecord) text(s *layout.Sheet) {
	var at, status, size string
	if !r.Time.IsZero() {
		at = r.Time.Format(time.RFC3339)
	}
	if r.Status != 0 {
		status = strconv.Itoa(r.Status)
	}
	if r.Bytes != nil {
		size = strconv.FormatInt(*r.Bytes, 10)
	}
	essence, _, _ := strings.Cut(r.MediaType, ";")
	url, place := string(r.URL), string(r.Where)
	if r.Redirect != "" {
		url += " to " + string(r.Redirect)
	}
	if r.Key != r.URL {
		url += " (key " + string(r.Key) + ")"
	}
	if r.Doubt != "" {
		place += ", doubtful: " + r.Doubt
	}
	sourceRow(s, at, status, strings.TrimSpace(essence), size, url, place)
}

// sourceRow writes cells, long ones last. Empty ones are hyphens.
func sourceRow(s *layout.Sheet, cells ...string) {
	for i, cell := range cells {
		cells[i] = cmp.Or(layout.Printable(cell), "-")
	}
	line := fmt.Sprintf("%-20s  %6s  %-20s  %10s", cells[0], cells[1], cells[2], cells[3])
	s.Labeled(line, cells[4:]...)
}
