package show

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/source"
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
	totals  sourceTotals
}

// NewSourceTable returns a SourceList that writes a table to w. digests adds columns for digests. A width of 0
// means a file, in which lines are not broken.
func NewSourceTable(w io.Writer, width int, digests bool) *SourceList {
	return &SourceList{sheet: layout.NewSheet(w, width, false), digests: digests}
}

// NewSourceCSV returns a SourceList that writes comma-separated values (RFC 4180) to w.
func NewSourceCSV(w io.Writer) *SourceList { return &SourceList{csv: csv.NewWriter(w)} }

// NewSourceJSON returns a SourceList that writes JSON to w, with one record per line, and then a line of totals.
func NewSourceJSON(w io.Writer) *SourceList { return &SourceList{json: jsondoc.New(w)} }

// Add writes a record.
func (l *SourceList) Add(r *SourceRecord) error {
	first := !l.begun
	l.begun = true
	l.totals.add(r.Candidate)
	switch {
	case l.json != nil:
		return writeLine(l.json, r.json())
	case l.csv != nil:
		if first {
			l.csv.Write([]string{"url", "key", "time", "status", "media_type", "bytes", "md5_sent", "md5_decoded", "redirect",
				"revisit", "uncertain", "place"})
		}
		l.csv.Write(r.cells())
		l.csv.Flush()
		return l.csv.Error()
	}
	if first {
		l.row([]string{"DATE", "STATUS", "TYPE", "BYTES"}, []string{"MD5 AS SENT", "MD5 DECODED"}, "URL", "PLACE")
	}
	l.tableRow(r)
	return l.sheet.Flush()
}

// Skip counts a capture that could not be read.
func (l *SourceList) Skip(err error) {
	if l.totals.unread++; l.totals.firstUnread == nil {
		l.totals.firstUnread = err
	}
}

// Close writes totals, if the format has them. s are the statistics of all listed sources. An empty table has no totals.
func (l *SourceList) Close(s source.Stats) error {
	switch {
	case l.json != nil:
		return writeLine(l.json, l.totals.json(s))
	case l.csv != nil || !l.begun:
		return nil
	}
	l.sheet.Text("\n")
	for _, line := range l.totals.lines(s) {
		l.sheet.Line("", line)
	}
	return l.sheet.Flush()
}

// A SourceRecord is a capture in a source.
type SourceRecord struct {
	*source.Candidate
	Key     string         // canonical form of its URL
	Digests []SourceDigest // digests of its Bodies, without undeclared forms that do not exist; nil without --md5
}

// A SourceDigest is the MD5 of a body in one form.
type SourceDigest struct {
	Form  string
	ID    digest.ID
	Bytes int64
	Err   error // reason why there is no digest; a *source.Flaw if the digest is of the data before the flaw

	Coded, Undeclared bool // see source.Body
}

// isKnown reports whether there is a digest.
func (d *SourceDigest) isKnown() bool {
	_, flawed := errors.AsType[*source.Flaw](d.Err)
	return d.Err == nil || flawed && d.Bytes > 0
}

// sent returns the digest of the data as sent, or nil.
func (r *SourceRecord) sent() *SourceDigest {
	if len(r.Digests) == 0 || !r.Digests[0].isKnown() {
		return nil
	}
	return &r.Digests[0]
}

// decoded returns the digest of the form with the most codings removed, or nil. If the data are not encoded, that
// is the digest of the data as sent. A form that the source does not declare counts only if there is no other.
func (r *SourceRecord) decoded() *SourceDigest {
	var best, undeclared *SourceDigest
	declared := false // there is a declared form after the first
	for i := range r.Digests {
		d := &r.Digests[i]
		switch {
		case i == 0, d.Coded && !r.Digests[0].Coded:
		case d.Undeclared:
			if undeclared == nil && d.isKnown() {
				undeclared = d
			}
		default:
			declared = true
			if d.isKnown() && (best == nil || strings.Count(d.Form, ",") > strings.Count(best.Form, ",")) {
				best = d
			}
		}
	}
	if best == nil {
		best = undeclared
	}
	if best == nil && !declared {
		return r.sent()
	}
	return best
}

// size returns the number of bytes of the data. It is negative if unknown.
func (r *SourceRecord) size() int64 {
	if d := r.sent(); d != nil {
		return d.Bytes
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

// sum returns the digest in hexadecimal. It returns "" if d is nil.
func (d *SourceDigest) sum() string {
	if d == nil {
		return ""
	}
	return d.ID.String()
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
	if r.Uncertain {
		where += ", uncertain"
	}
	l.row([]string{date, status, strings.TrimSpace(essence), size}, []string{r.sent().sum(), r.decoded().sum()}, url,
		where)
}

// row writes the cells of a record, with hyphens for empty cells.
func (l *SourceList) row(head, digests []string, url, where string) {
	for _, list := range [][]string{head, digests} {
		for i := range list {
			if list[i] = layout.Printable(list[i]); list[i] == "" {
				list[i] = "-"
			}
		}
	}
	url, where = layout.Printable(url), layout.Printable(where)
	line := fmt.Sprintf("%-20s  %6s  %-20s  %10s", head[0], head[1], head[2], head[3])
	texts := []string{url, where}
	if l.digests {
		texts = append([]string{fmt.Sprintf("%-32s", digests[0]), fmt.Sprintf("%-32s", digests[1])}, texts...)
	}
	l.sheet.Labeled(line, texts...)
}

// cells returns the record as a row of CSV.
func (r *SourceRecord) cells() []string {
	date, status, size := r.facts()
	cells := []string{
		r.URL, r.Key, date, status, r.MediaType, size, r.sent().sum(), r.decoded().sum(),
		r.Redirect, strconv.FormatBool(r.Revisit != ""), strconv.FormatBool(r.Uncertain), r.Where,
	}
	for i := range cells {
		cells[i] = layout.Cell(cells[i])
	}
	return cells
}

type (
	jsonSourceRecord struct {
		URL       jsondoc.Key      `json:"url"`
		Key       jsondoc.Key      `json:"key"`
		Time      *time.Time       `json:"time,omitempty"`
		Status    int              `json:"status,omitempty"`
		MediaType string           `json:"mediaType,omitempty"`
		Bytes     *int64           `json:"bytes,omitempty"`
		Redirect  jsondoc.Key      `json:"redirect,omitempty"`
		Revisit   bool             `json:"revisit,omitempty"`
		Uncertain bool             `json:"uncertain,omitempty"`
		Where     jsondoc.Key      `json:"where"`
		Bodies    []jsonSourceBody `json:"bodies,omitempty"`
	}
	jsonSourceBody struct {
		Form   string     `json:"form"`
		Digest *digest.ID `json:"digest,omitempty"`
		Bytes  *int64     `json:"bytes,omitempty"`
		Reason string     `json:"reason,omitempty"`
	}
)

// json returns the record as a struct with JSON tags.
func (r *SourceRecord) json() any {
	out := jsonSourceRecord{
		URL: jsondoc.Key(r.URL), Key: jsondoc.Key(r.Key),
		Status: r.Status, MediaType: jsondoc.Text(r.MediaType), Redirect: jsondoc.Key(r.Redirect),
		Revisit: r.Revisit != "", Uncertain: r.Uncertain, Where: jsondoc.Key(r.Where),
	}
	if !r.Time.IsZero() {
		utc := r.Time.UTC()
		out.Time = &utc
	}
	if n := r.size(); n >= 0 {
		out.Bytes = &n
	}
	for i := range r.Digests {
		d := &r.Digests[i]
		body := jsonSourceBody{Form: d.Form, Digest: &d.ID, Bytes: &d.Bytes}
		if !d.isKnown() {
			body = jsonSourceBody{Form: d.Form}
		}
		if d.Err != nil {
			body.Reason = layout.OneLine(d.Err)
		}
		out.Bodies = append(out.Bodies, body)
	}
	return out
}
