package show

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A SourceList writes the captures in sources, one by one, as a table, as CSV, or as JSON.
type SourceList struct {
	sheet   *layout.Sheet // for a table
	digests bool          // the table has columns for digests
	csv     *csv.Writer
	json    *jsondoc.Document
	begun   bool // the head of a table or CSV has been written
	total   sourceTotal
}

// NewSourceList returns a SourceList for a format, or nil if the format is unknown. CSV is as of RFC 4180. JSON has one
// record per line, and then a line of totals. A table gets lines of this width; 0 means that lines are not broken.
// digests adds columns for digests to a table.
func NewSourceList(format string, w io.Writer, width int, digests bool) *SourceList {
	switch format {
	case "table":
		return &SourceList{sheet: layout.NewSheet(w, width, false), digests: digests}
	case "csv":
		return &SourceList{csv: csv.NewWriter(w)}
	case "json":
		return &SourceList{json: jsondoc.New(w)}
	}
	return nil
}

// Add writes a record.
func (l *SourceList) Add(r *SourceRecord) error {
	first := !l.begun
	l.begun = true
	l.total.add(r.Candidate)
	switch {
	case l.json != nil:
		return writeLine(l.json, r.json())
	case l.csv != nil:
		if first {
			l.csv.Write([]string{"url", "key", "time", "status", "media_type", "bytes", "md5_stored", "md5_sent", "md5_decoded",
				"redirect", "revisit", "doubt", "place"})
		}
		l.csv.Write(r.cells())
		l.csv.Flush()
		return l.csv.Error()
	}
	if first {
		l.row("DATE", "STATUS", "TYPE", "BYTES", "MD5 AS STORED", "MD5 DECODED", "URL", "PLACE")
	}
	l.tableRow(r)
	return l.sheet.Flush()
}

// Skip counts a capture that could not be read.
func (l *SourceList) Skip(err error) {
	if l.total.Unread == nil {
		l.total.Unread = &sourceUnread{First: layout.OneLine(err)}
	}
	l.total.Unread.Count++
}

// Close writes totals, if the format has them. s are the statistics of all listed sources. An empty table has no
// totals.
func (l *SourceList) Close(s source.Stats) error {
	l.total.complete(s)
	switch {
	case l.json != nil:
		return writeLine(l.json, struct {
			Total *sourceTotal `json:"total"`
		}{&l.total})
	case l.csv != nil || !l.begun:
		return nil
	}
	l.sheet.Text("\n")
	for _, line := range l.total.lines() {
		l.sheet.Line("", line)
	}
	return l.sheet.Flush()
}

// A SourceRecord is a capture in a source.
type SourceRecord struct {
	*source.Candidate
	Key  string       // canonical form of its URL
	Sums *source.Sums // nil without --md5, and for a capture without data
	Err  error        // reason why there are no Sums
}

// sum returns the MD5 of the data in a form, in hexadecimal; "" if it is unknown.
func (r *SourceRecord) sum(f source.Form) string {
	if r.Sums == nil {
		return ""
	}
	return r.Sums.ID[f].String()
}

// doubt returns the reason why the data may differ from the captured data; "" if there is none.
func (r *SourceRecord) doubt() string {
	switch {
	case r.Doubt != "" || r.Sums == nil && r.Err == nil:
		return r.Doubt
	case r.Err != nil:
		return layout.OneLine(r.Err)
	}
	return r.Sums.Doubt
}

// size returns the number of bytes of the stored data. It is negative if unknown.
func (r *SourceRecord) size() int64 {
	if r.Sums != nil {
		return r.Sums.Size[source.Stored]
	}
	return r.Size
}

// facts returns date, status, and size of a record as text. Unknown ones are empty.
func (r *SourceRecord) facts() (date, status, size string) {
	if !r.Time.IsZero() {
		date = r.Time.UTC().Format(time.RFC3339)
	}
	if r.Status != 0 {
		status = strconv.Itoa(r.Status)
	}
	if n := r.size(); n >= 0 {
		size = strconv.FormatInt(n, 10)
	}
	return date, status, size
}

// tableRow writes a record for people on one line, or on a narrow terminal on several. Long columns come last.
func (l *SourceList) tableRow(r *SourceRecord) {
	date, status, size := r.facts()
	essence, _, _ := strings.Cut(r.MediaType, ";")
	url, where := r.URL, r.Where
	if r.Redirect != "" {
		url += " to " + r.Redirect
	}
	if r.Key != r.URL {
		url += " (key " + r.Key + ")"
	}
	if doubt := r.doubt(); doubt != "" {
		where += ", doubtful: " + doubt
	}
	l.row(date, status, strings.TrimSpace(essence), size, r.sum(source.Stored), r.sum(source.Decoded), url, where)
}

// row writes the cells of a record: four, two digests, URL, and place. Empty ones are hyphens.
func (l *SourceList) row(cells ...string) {
	for i, cell := range cells {
		if cells[i] = cmp.Or(layout.Printable(cell), "-"); i == 4 || i == 5 {
			cells[i] = fmt.Sprintf("%-32s", cells[i])
		}
	}
	line := fmt.Sprintf("%-20s  %6s  %-20s  %10s", cells[0], cells[1], cells[2], cells[3])
	if l.digests {
		l.sheet.Labeled(line, cells[4:]...)
	} else {
		l.sheet.Labeled(line, cells[6:]...)
	}
}

// cells returns the record as a row of CSV.
func (r *SourceRecord) cells() []string {
	date, status, size := r.facts()
	cells := []string{
		r.URL, r.Key, date, status, r.MediaType, size, r.sum(source.Stored), r.sum(source.Sent),
		r.sum(source.Decoded), r.Redirect, strconv.FormatBool(r.Revisit != ""), r.doubt(), r.Where,
	}
	for i := range cells {
		cells[i] = layout.Cell(cells[i])
	}
	return cells
}

type (
	jsonSourceRecord struct {
		URL       nametree.Key     `json:"url"`
		Key       nametree.Key     `json:"key"`
		Time      *time.Time       `json:"time,omitempty"`
		Status    int              `json:"status,omitempty"`
		MediaType string           `json:"mediaType,omitempty"`
		Bytes     *int64           `json:"bytes,omitempty"`
		Redirect  nametree.Key     `json:"redirect,omitempty"`
		Revisit   bool             `json:"revisit,omitempty"`
		Doubt     string           `json:"doubt,omitempty"`
		Where     nametree.Key     `json:"where"`
		Bodies    []jsonSourceBody `json:"bodies,omitempty"`
	}
	jsonSourceBody struct {
		Form   string    `json:"form"`
		Digest digest.ID `json:"digest"`
		Bytes  int64     `json:"bytes"`
	}
)

// json returns the record as a struct with JSON tags.
func (r *SourceRecord) json() any {
	out := jsonSourceRecord{
		URL: nametree.Key(r.URL), Key: nametree.Key(r.Key),
		Status: r.Status, MediaType: rule.Text(r.MediaType), Redirect: nametree.Key(r.Redirect),
		Revisit: r.Revisit != "", Doubt: rule.Text(r.doubt()), Where: nametree.Key(r.Where),
	}
	if !r.Time.IsZero() {
		utc := r.Time.UTC()
		out.Time = &utc
	}
	if n := r.size(); n >= 0 {
		out.Bytes = &n
	}
	for f := source.Stored; r.Sums != nil && f <= source.Decoded; f++ {
		if f == source.Stored || r.Sums.ID[f] != r.Sums.ID[f-1] {
			out.Bodies = append(out.Bodies, jsonSourceBody{f.String(), r.Sums.ID[f], r.Sums.Size[f]})
		}
	}
	return out
}
