package show

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// A listFormat writes a list of files with rows: captures, keys, or matches.
type listFormat interface {
	add(*listedFile) error
	end(*listEnd) error
}

// A list describes the lists of a command.
type list struct {
	schema, member string   // of JSON: its name and version, and the member with the rows of a file
	header         []string // of CSV
	page           *pageTexts

	rows      func(*layout.Sheet, *listedFile) error // writes the rows of a file in a table
	hasUnread bool                                   // a table has the unread parts; else standard error has them
}

// in returns a writer of a list in a format; nil for a format of one command only.
func (l *list) in(format string, w io.Writer, width int, version string) listFormat {
	switch format {
	case "table":
		return &listTable{list: l, sheet: layout.NewSheet(w, width, false)}
	case "json":
		return newListJSON(w, version, l)
	case "ndjson":
		return &listNDJSON{d: jsondoc.New(w), schema: l.schema}
	case "csv":
		return newListCSV(w, l.header)
	case "html":
		return &listPage{w: w, version: version, texts: l.page}
	}
	return nil
}

// A listedFile is a file in a list, with its rows in the format of the list.
type listedFile struct {
	rec   *report.Record
	json  jsonFile
	text  string                   // describes the rows, for people
	count int                      // number of rows
	heads []string                 // headings of the columns
	rows  iter.Seq2[[]byte, error] // an error is the last element; a row is valid until the next one
}

// A listEnd is what follows the files.
type listEnd struct {
	complete bool       // all files were added
	summary  any        // for JSON
	text     []string   // paragraphs of a table
	lead     string     // of a page: what the files have
	cells    [][]string // further lines of CSV
}

// incomplete follows a list that was interrupted.
const incomplete = "The list is incomplete: later inputs are missing."

// jsonFile is the JSON of a file in a list.
type jsonFile struct {
	Schema string `json:"schema,omitempty"` // only in NDJSON
	jsondoc.FilePath
	SHA256   string                    `json:"sha256,omitempty"`
	Size     int64                     `json:"size,omitempty"`
	Outcome  string                    `json:"outcome"`
	Reason   string                    `json:"reason,omitempty"`
	Captures *int                      `json:"captureCount,omitempty"`
	Matches  *int                      `json:"matchCount,omitempty"`
	Keys     map[string]map[string]int `json:"counts,omitempty"` // by tree and verdict
	Unread   []rule.Unread             `json:"unread"`
}

// fileOf returns the file of a record. done is its outcome if it was read completely; empty for that of the audit. text
// describes count rows.
func fileOf(rec *report.Record, done, text string, count int, rows iter.Seq2[[]byte, error]) *listedFile {
	f := &listedFile{rec: rec, text: text, count: count, rows: rows, json: jsonFile{FilePath: jsondoc.FilePathOf(rec.Path),
		SHA256: rec.SHA256, Size: rec.Size, Outcome: rec.Outcome().String(), Reason: rule.Text(rec.Reason()),
		Unread: []rule.Unread{}}}
	if o := rec.Outcome(); done != "" && (o == report.Clean || o == report.Findings) {
		f.json.Outcome = done
	}
	if rec.Report == nil {
		f.text = rec.Reason()
		return f
	}
	f.json.Unread = append(f.json.Unread, rec.Report.Unread...)
	if count == 0 && !rec.Report.Present {
		f.text = phrase.Contents(rec.Report)
	}
	return f
}

// fileCount counts the files of a list.
type fileCount struct {
	all     int
	partial int // files that were not read, or only in part
}

func (n *fileCount) add(rec *report.Record) {
	n.all++
	if rec.Report == nil && rec.Outcome() != report.Nothing || rec.Report != nil && len(rec.Report.Unread) > 0 {
		n.partial++
	}
}

// String returns a text such as "15 files, 2 of them not read completely".
func (n *fileCount) String() string {
	text := layout.Count(n.all, "file")
	if n.partial > 0 {
		text += fmt.Sprintf(", %d of them not read completely", n.partial)
	}
	return text
}

// missing describes the parts of the file that could not be read, for people.
func (f *listedFile) missing() []string {
	if f.rec.Report == nil {
		return nil
	}
	return phrase.UnreadLines(f.rec.Report)
}

// listTable writes tables for people.
type listTable struct {
	*list
	sheet *layout.Sheet
	begun bool
}

func (t *listTable) add(f *listedFile) error {
	t.gap()
	t.sheet.Headline(f.rec.Path, f.text)
	if err := t.rows(t.sheet, f); err != nil {
		return err
	}
	if t.hasUnread {
		for _, line := range f.missing() {
			t.sheet.Line("  ", "missing: "+line)
		}
	}
	return t.sheet.Flush()
}

func (t *listTable) end(e *listEnd) error {
	if !e.complete {
		e.text = append(e.text, incomplete)
	}
	for _, text := range e.text {
		t.gap()
		for line := range strings.SplitSeq(text, "\n") {
			t.sheet.Line("", line)
		}
	}
	return t.sheet.Flush()
}

// gap separates files and paragraphs.
func (t *listTable) gap() {
	if t.begun {
		t.sheet.Text("\n")
	}
	t.begun = true
}

// tableBatch is the maximum number of rows that are aligned with each other. They are in memory.
const tableBatch = 1000

// writeColumns writes a table of the rows of a file, which are cells.
func writeColumns(s *layout.Sheet, f *listedFile) error {
	var batch [][]string
	if f.count > 0 {
		batch = append(batch, strings.Split(strings.ToUpper(strings.Join(f.heads, cellEnd)), cellEnd))
	}
	for row, err := range f.rows {
		if err != nil {
			return err
		}
		if batch = append(batch, splitCells(row)); len(batch) == tableBatch {
			s.Columns(batch)
			batch = batch[:0]
			if err := s.Flush(); err != nil {
				return err
			}
		}
	}
	s.Columns(batch)
	return nil
}

// listJSON writes one JSON document. Its rows are JSON.
type listJSON struct {
	d      *jsondoc.Document
	member string // name of the rows of a file
	begun  bool
}

func newListJSON(w io.Writer, version string, l *list) *listJSON {
	d := jsondoc.New(w)
	d.Open(struct {
		Schema string       `json:"schema"`
		Tool   jsondoc.Tool `json:"tool"`
	}{l.schema, jsondoc.ToolOf(version)})
	d.Text(",\n\"files\":[")
	return &listJSON{d: d, member: l.member}
}

func (w *listJSON) add(f *listedFile) error {
	w.d.Element(!w.begun)
	w.begun = true
	w.d.Open(f.json)
	w.d.Text(`,"` + w.member + `":[`)
	first := true
	for row, err := range f.rows {
		if err != nil {
			return err
		}
		w.d.Element(first)
		first = false
		w.d.Write(row)
		if err := w.d.FlushIfLarge(); err != nil {
			return err
		}
	}
	w.d.Text("]}")
	return w.d.FlushIfLarge()
}

func (w *listJSON) end(e *listEnd) error {
	w.d.Text("\n],\n\"summary\":")
	w.d.Value(e.summary)
	w.d.Text("\n}\n")
	return w.d.Flush()
}

// listNDJSON writes a line for each file and each row, and then the summary. Its rows are JSON.
type listNDJSON struct {
	d      *jsondoc.Document
	schema string
}

func (w *listNDJSON) add(f *listedFile) error {
	file := f.json
	file.Schema = w.schema
	w.d.Value(file)
	w.d.Text("\n")
	id := jsondoc.New(nil)
	id.Open(struct {
		jsondoc.FilePath
		SHA256 string `json:"sha256,omitempty"`
	}{file.FilePath, file.SHA256})
	id.Text(",")
	for row, err := range f.rows {
		if err != nil {
			return err
		}
		w.d.Write(id.Bytes())
		w.d.Write(row[1:])
		w.d.Text("\n")
		if err := w.d.FlushIfLarge(); err != nil {
			return err
		}
	}
	return w.d.Flush()
}

func (w *listNDJSON) end(e *listEnd) error {
	return writeLine(w.d, struct {
		Summary any `json:"summary"`
	}{e.summary})
}

// listCSV writes a line for each row, and one for a file without rows. Its rows are cells. Each line begins with the
// path, SHA-256, and outcome of the file.
type listCSV struct {
	w     *csv.Writer
	cells int // number of cells of a line

	// reason is the index of the cell that says why a file was not read, or only in part. Rows that end before it get
	// this cell.
	reason int
}

func newListCSV(w io.Writer, header []string) *listCSV {
	out := csv.NewWriter(w)
	out.Write(header) // to its buffer
	return &listCSV{out, len(header), slices.Index(header, "reason")}
}

func (w *listCSV) add(f *listedFile) error {
	cells := []string{layout.Cell(f.rec.Path), f.rec.SHA256, f.json.Outcome}
	file := len(cells)
	reason := layout.Cell(f.rec.Reason())
	for row, err := range f.rows {
		if err != nil {
			return err
		}
		cells = append(cells[:file], splitCells(row)...)
		if len(cells) == w.reason {
			cells = append(cells, reason)
		}
		if err := w.w.Write(cells); err != nil {
			return err
		}
	}
	if len(cells) == file {
		cells = append(cells, make([]string, w.cells-file)...)
		cells[w.reason] = reason
		w.w.Write(cells)
	}
	w.w.Flush()
	return w.w.Error()
}

func (w *listCSV) end(e *listEnd) error {
	for _, cells := range e.cells {
		w.w.Write(cells)
	}
	w.w.Flush()
	return w.w.Error()
}

// cellEnd joins the cells of a row. No printable cell contains this byte.
const cellEnd = "\x00"

func splitCells(row []byte) []string { return strings.Split(string(row), cellEnd) }

// writeCells appends the cells of a row of CSV, safe for spreadsheets.
func writeCells(d *jsondoc.Document, cells []string) {
	for i, cell := range cells {
		if i > 0 {
			d.Text(cellEnd)
		}
		d.Text(layout.Cell(cell))
	}
}
