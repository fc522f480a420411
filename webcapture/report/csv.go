package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// A csvWriter writes records as comma-separated values for spreadsheets (RFC 4180), with a row for each fact. The
// last row is the summary.
//
// Text from hostile files must not become formulas in cells: see layout.Cell.
type csvWriter struct {
	w     *csv.Writer
	opt   Options
	tally Tally
}

// csvHeader is the first row.
var csvHeader = []string{
	"type", "path", "result", "level", "rule", "title", "place", "key", "id", "text", "reason", "fix", "url", "where", "reading",
	"fingerprint",
	"urls", "ids", "page_sets", "image_sets", "errors", "warnings", "notes", "size", "pdf_version", "sha256",
}

// A csvRow has the cells of a row by the name of their column. Other columns do not apply, and are empty.
type csvRow map[string]string

// newCSV returns a csvWriter that writes to w.
func newCSV(w io.Writer, o Options) *csvWriter {
	c := &csvWriter{w: csv.NewWriter(w), opt: o}
	c.w.Write(csvHeader)
	return c
}

// Add writes the rows of a record. Methods that write one row ignore errors: csv.Writer keeps the first, and flush
// returns it.
func (c *csvWriter) Add(r *Record) error {
	c.tally.Add(r)
	c.rows(r)
	return c.flush()
}

func (c *csvWriter) flush() error {
	c.w.Flush()
	return c.w.Error()
}

func (c *csvWriter) rows(r *Record) {
	rep := r.Report
	input := csvRow{"type": "input", "path": r.Path, "result": r.Verdict().String(), "text": r.Result(),
		"reason": r.Reason()}
	input.addFigures(r)
	c.row(input)
	if rep == nil {
		return
	}
	for _, n := range phrase.Notices(rep) {
		c.row(csvRow{"type": "structure", "path": r.Path, "text": n})
	}
	findings, ignored := fingerprints(r, FingerprintPath(r.Path, c.opt.Base, c.opt.Directory))
	for i, f := range rep.Findings {
		c.finding(csvRow{"type": "finding", "path": r.Path, "fingerprint": findings[i]}, &f, rep)
	}
	for i := range r.Ignored {
		f := &r.Ignored[i]
		row := csvRow{"type": "ignored", "path": r.Path, "fingerprint": ignored[i], "reason": f.Reason}
		c.finding(row, &f.Finding, rep)
	}
	for i := range rep.Identities {
		id := &rep.Identities[i]
		row := csvRow{
			"type": "identity", "path": r.Path, "result": id.Proof.String(), "text": identityText(id), "reason": id.Reason,
			"url": string(id.URL), "where": id.Where, "reading": id.Reading,
		}
		at := id.Place
		at.ID = id.ID
		row.addPlace(&at)
		c.row(row)
	}
	for _, u := range rep.Unread {
		row := csvRow{"type": "unread", "path": r.Path, "reason": layout.OneLine(u.Err)}
		row.addPlace(&u.Place)
		c.row(row)
	}
}

// finding writes the row of a finding.
func (c *csvWriter) finding(row csvRow, f *rule.Finding, rep *audit.Report) {
	row.addPlace(&f.Place)
	row["level"], row["rule"], row["title"], row["text"] = f.Level().String(), f.Rule.ID, f.Rule.Problem, f.Message
	row["url"] = rep.Subjects[row["place"]]
	if f.Fix != nil {
		row["fix"] = f.Fix.Action.String()
	}
	c.row(row)
}

// addPlace adds a place, its key, and its identifier.
func (row csvRow) addPlace(at *rule.Place) {
	row["place"] = at.String()
	if at.Key != "" {
		row["key"] = at.Key.String()
	}
	if at.ID != "" {
		row["id"] = at.ID.String()
	}
}

// addFigures adds the figures of an input that are known.
func (row csvRow) addFigures(r *Record) {
	if rep := r.Report; rep != nil {
		for name, n := range map[string]int{"urls": rep.URLS, "ids": rep.IDS, "page_sets": rep.PageSets,
			"image_sets": rep.ImageSets, "errors": rep.Count(rule.Error), "warnings": rep.Count(rule.Warning),
			"notes": rep.Count(rule.Note), "size": int(rep.Size)} {
			row[name] = strconv.Itoa(n)
		}
		row["pdf_version"] = rep.Version
	}
	if r.SHA256 != "" {
		row["size"], row["sha256"] = strconv.FormatInt(r.Size, 10), r.SHA256
	}
}

// row writes a row.
func (c *csvWriter) row(row csvRow) {
	cells := make([]string, len(csvHeader))
	for i, column := range csvHeader {
		cells[i] = layout.Cell(row[column])
	}
	c.w.Write(cells)
}

// Close writes the summary.
func (c *csvWriter) Close(end End) error {
	row := csvRow{"type": "summary", "result": "complete", "text": c.tally.String()}
	if text := c.tally.ConfigurationText(&c.opt.Head); text != "" {
		row["text"] += "; " + text
	}
	if end != Complete {
		row["result"], row["reason"] = "incomplete", end.Reason()
	}
	c.row(row)
	return c.flush()
}
