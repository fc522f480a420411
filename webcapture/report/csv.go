package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/webcap-tools/webcap/nametree"
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

// A csvRow is a row without its path. Columns that do not apply are empty.
type csvRow struct {
	kind   string // type: input, structure, finding, ignored, identity, unread, summary
	result string // verdict on an input, proof of an identity
	level  string // level of a finding
	rule   string
	title  string // title of the rule
	at     *rule.Place
	text   string // message
	reason string // why there are no results, or a finding is ignored, or an identity not verified, or a part unread
	fix    string // action of the fix

	url            string // URL of an identity, or of the object of a finding
	where, reading string // place and reading of an identity
	fingerprint    string

	file []string // columns of an input, from urls on
}

// newCSV returns a csvWriter that writes to w.
func newCSV(w io.Writer, o Options) *csvWriter {
	return &csvWriter{w: csv.NewWriter(w), opt: o}
}

// Add writes the rows of a record. Methods that write one row ignore errors: csv.Writer keeps the first, and flush
// returns it.
func (c *csvWriter) Add(r *Record) error {
	c.begin()
	c.tally.Add(r)
	c.rows(r)
	return c.flush()
}

func (c *csvWriter) begin() {
	if c.tally.Inputs == 0 {
		c.w.Write(csvHeader)
	}
}

func (c *csvWriter) flush() error {
	c.w.Flush()
	return c.w.Error()
}

func (c *csvWriter) rows(r *Record) {
	rep := r.Report
	c.row(r.Path, csvRow{kind: "input", result: r.Verdict().String(), text: r.Result(), reason: r.Reason(),
		file: csvFile(r)})
	if rep == nil {
		return
	}
	for _, n := range phrase.Notices(rep) {
		c.row(r.Path, csvRow{kind: "structure", text: n})
	}
	findings, ignored := fingerprints(r, FingerprintPath(r.Path, c.opt.Base, c.opt.Directory))
	for i, f := range rep.Findings {
		c.row(r.Path, csvFinding("finding", &f, findings[i], "", rep.Subjects[f.Place.String()]))
	}
	for i := range r.Ignored {
		f := &r.Ignored[i]
		c.row(r.Path, csvFinding("ignored", &f.Finding, ignored[i], f.Reason, rep.Subjects[f.Place.String()]))
	}
	for i := range rep.Identities {
		id := &rep.Identities[i]
		at := id.Place
		at.ID = id.ID
		c.row(r.Path, csvRow{
			kind: "identity", result: id.Proof.String(), at: &at, text: identityText(id),
			reason: id.Reason, url: string(id.URL), where: id.Where, reading: id.Reading,
		})
	}
	for i := range rep.Unread {
		u := &rep.Unread[i]
		c.row(r.Path, csvRow{kind: "unread", at: &u.Place, reason: layout.OneLine(u.Err)})
	}
}

// csvFile returns the figures of an input. Unknown figures are empty.
func csvFile(r *Record) []string {
	cells := make([]string, 10)
	if rep := r.Report; rep != nil {
		for i, n := range []int{rep.URLS, rep.IDS, rep.PageSets, rep.ImageSets, rep.Count(rule.Error),
			rep.Count(rule.Warning), rep.Count(rule.Note)} {
			cells[i] = strconv.Itoa(n)
		}
		cells[7], cells[8] = strconv.FormatInt(rep.Size, 10), rep.Version
	}
	if r.SHA256 != "" {
		cells[7], cells[9] = strconv.FormatInt(r.Size, 10), r.SHA256
	}
	return cells
}

func csvFinding(kind string, f *rule.Finding, fingerprint, reason, subject string) csvRow {
	row := csvRow{
		kind: kind, level: f.Level().String(), rule: f.Rule.ID, title: f.Rule.Problem, at: &f.Place, text: f.Message,
		reason: reason, fingerprint: fingerprint, url: subject,
	}
	if f.Fix != nil {
		row.fix = f.Fix.Action.String()
	}
	return row
}

// row writes a row, in the order of csvHeader.
func (c *csvWriter) row(path string, r csvRow) {
	place, key, id := "", "", ""
	if r.at != nil {
		place, key, id = r.at.String(), shownKey(r.at.Key), shownKey(r.at.ID)
	}
	cells := []string{
		r.kind, path, r.result, r.level, r.rule, r.title, place, key, id, r.text, r.reason, r.fix, r.url, r.where, r.reading, r.fingerprint,
	}
	cells = append(append(cells, r.file...), make([]string, len(csvHeader)-len(cells)-len(r.file))...)
	for i := range cells {
		cells[i] = layout.Cell(cells[i])
	}
	c.w.Write(cells)
}

// shownKey returns a key as text; "" if it is empty.
func shownKey(k nametree.Key) string {
	if k == "" {
		return ""
	}
	return k.String()
}

// Close writes the summary.
func (c *csvWriter) Close(end End) error {
	c.begin()
	row := csvRow{kind: "summary", result: "complete", text: c.tally.String()}
	if text := c.tally.ConfigurationText(&c.opt.Head); text != "" {
		row.text += "; " + text
	}
	if end != Complete {
		row.result, row.reason = "incomplete", end.Reason()
	}
	c.row("", row)
	return c.flush()
}
