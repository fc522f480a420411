package show

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A SourceList writes the captures in sources, one by one, as a table, as CSV, or as JSON.
type SourceList struct {
	sheet *layout.Sheet // for a table
	csv   *csv.Writer
	json  *jsondoc.Document
	total sourceTotal
}

// sourceTotal describes a complete list.
type sourceTotal struct {
	Records int          `json:"records"`          // number of listed records
	Unread  int          `json:"unread,omitempty"` // number of records that could not be read
	Files   int          `json:"files"`
	Bytes   int64        `json:"bytes"`
	Skipped []sourceSkip `json:"skipped,omitempty"`
}

type sourceSkip struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
	First  string `json:"first"`
	Capped bool   `json:"capped,omitempty"`
}

// NewSourceList returns a SourceList for a format, or nil if the format is unknown. CSV is as of RFC 4180. JSON has one
// record per line, and then a line of totals. A table gets lines of this width; 0 means that lines are not broken.
func NewSourceList(format string, w io.Writer, width int) *SourceList {
	switch format {
	case "table":
		return &SourceList{sheet: layout.NewSheet(w, width, false)}
	case "csv":
		return &SourceList{csv: csv.NewWriter(w)}
	case "json":
		return &SourceList{json: jsondoc.New(w)}
	}
	return nil
}

// The cells of a record that a table uses.
const (
	sourceURL = iota
	sourceKey
	sourceTime
	sourceStatus
	sourceType
	sourceBytes
	sourceRedirect
	sourceRevisit
	sourceDoubt
	sourcePlace
)

// Add writes a record.
func (l *SourceList) Add(r *SourceRecord) error {
	first := l.total.Records == 0
	l.total.Records++
	switch {
	case l.json != nil:
		return writeLine(l.json, r.json())
	case l.csv != nil:
		if first {
			l.csv.Write([]string{"url", "key", "time", "status", "media_type", "bytes", "redirect", "revisit", "doubt", "place"})
		}
		cells := r.cells()
		for i := range cells {
			cells[i] = layout.Cell(cells[i])
		}
		l.csv.Write(cells)
		l.csv.Flush()
		return l.csv.Error()
	}
	if first {
		l.row("DATE", "STATUS", "TYPE", "BYTES", "URL", "PLACE")
	}
	l.tableRow(r.cells())
	return l.sheet.Flush()
}

// Skip counts a capture that could not be read.
func (l *SourceList) Skip() { l.total.Unread++ }

// Close writes totals, if the format has them. s are the statistics of all listed sources. An empty table has no
// totals.
func (l *SourceList) Close(s source.Stats) error {
	t := &l.total
	t.Files, t.Bytes = s.Files, s.Bytes
	for _, k := range s.Skipped {
		t.Skipped = append(t.Skipped, sourceSkip{rule.Text(k.Reason), k.Count, rule.Text(k.First), k.Capped})
	}
	switch {
	case l.json != nil:
		return writeLine(l.json, struct {
			Total *sourceTotal `json:"total"`
		}{t})
	case l.csv != nil || t.Records == 0:
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

// tableRow writes the cells of a record for people on one line, or on a narrow terminal on several. Long columns come
// last.
func (l *SourceList) tableRow(c []string) {
	essence, _, _ := strings.Cut(c[sourceType], ";")
	url, place := c[sourceURL], c[sourcePlace]
	if c[sourceRedirect] != "" {
		url += " to " + c[sourceRedirect]
	}
	if c[sourceKey] != c[sourceURL] {
		url += " (key " + c[sourceKey] + ")"
	}
	if c[sourceDoubt] != "" {
		place += ", doubtful: " + c[sourceDoubt]
	}
	l.row(c[sourceTime], c[sourceStatus], strings.TrimSpace(essence), c[sourceBytes], url, place)
}

// row writes the cells of a record. Empty ones are hyphens.
func (l *SourceList) row(cells ...string) {
	for i, cell := range cells {
		cells[i] = cmp.Or(layout.Printable(cell), "-")
	}
	line := fmt.Sprintf("%-20s  %6s  %-20s  %10s", cells[0], cells[1], cells[2], cells[3])
	l.sheet.Labeled(line, cells[4:]...)
}

// A SourceRecord is a capture in a source.
type SourceRecord struct {
	*source.Candidate
	Key string // canonical form of its URL
}

// cells returns the record as text, with an empty cell for each unknown part.
func (r *SourceRecord) cells() []string {
	c := make([]string, sourcePlace+1)
	c[sourceURL], c[sourceKey], c[sourceType], c[sourceRedirect] = r.URL, r.Key, r.MediaType, r.Redirect
	c[sourceRevisit], c[sourceDoubt], c[sourcePlace] = strconv.FormatBool(r.Revisit != ""), r.Doubt, r.Where
	if !r.Time.IsZero() {
		c[sourceTime] = r.Time.UTC().Format(time.RFC3339)
	}
	if r.Status != 0 {
		c[sourceStatus] = strconv.Itoa(r.Status)
	}
	if n := r.Size; n >= 0 {
		c[sourceBytes] = strconv.FormatInt(n, 10)
	}
	return c
}

type jsonSourceRecord struct {
	URL       nametree.Key `json:"url"`
	Key       nametree.Key `json:"key"`
	Time      time.Time    `json:"time,omitzero"`
	Status    int          `json:"status,omitempty"`
	MediaType string       `json:"mediaType,omitempty"`
	Bytes     *int64       `json:"bytes,omitempty"`
	Redirect  nametree.Key `json:"redirect,omitempty"`
	Revisit   bool         `json:"revisit,omitempty"`
	Doubt     string       `json:"doubt,omitempty"`
	Where     nametree.Key `json:"where"`
}

// json returns the record as a struct with JSON tags.
func (r *SourceRecord) json() any {
	out := jsonSourceRecord{
		URL: nametree.Key(r.URL), Key: nametree.Key(r.Key), Time: r.Time.UTC(),
		Status: r.Status, MediaType: rule.Text(r.MediaType), Redirect: nametree.Key(r.Redirect),
		Revisit: r.Revisit != "", Doubt: rule.Text(r.Doubt), Where: nametree.Key(r.Where),
	}
	if n := r.Size; n >= 0 {
		out.Bytes = &n
	}
	return out
}
