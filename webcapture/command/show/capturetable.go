package show

import (
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// A CaptureWriter writes the captures of files in one format.
type CaptureWriter interface {
	// Rows returns a function that encodes a capture, with its Elsewhere, as a row. A row is valid only until the
	// next call. Each goroutine needs its own function.
	Rows() func(*catalog.Capture, Elsewhere) []byte
	// Add writes a file and its rows.
	Add(*report.Record, *CaptureRows) error
	// Close writes the end. Complete reports whether all files were added.
	Close(complete bool) error
}

// CaptureFormats are the names of the formats of captures.
func CaptureFormats() []string { return []string{"table", "json", "ndjson", "csv", "html"} }

// NewCaptureWriter returns a writer of a format, or nil if the format is unknown. width is the width of a terminal;
// 0 means that lines are not shortened.
func NewCaptureWriter(format string, w io.Writer, width int, version string) CaptureWriter {
	switch format {
	case "table":
		return &captureTable{sheet: layout.NewSheet(w, width, false), width: width}
	case "json":
		return &captureJSON{d: jsondoc.New(w), version: version}
	case "ndjson":
		return newCaptureNDJSON(w)
	case "html":
		return newCaptureHTML(w, version)
	case "csv":
		return &captureCSV{w: csv.NewWriter(w)}
	}
	return nil
}

// cellEnd joins the cells of a row. No printable cell contains this byte.
const cellEnd = "\x00"

func joinCells(cells []string) []byte { return []byte(strings.Join(cells, cellEnd)) }

func splitCells(row []byte) []string { return strings.Split(string(row), cellEnd) }

const dateLayout = "2006-01-02 15:04"

// dateText returns a date as text, and marks an invalid one.
func dateText(d catalog.Date) string {
	switch {
	case d.Stored == "":
		return ""
	case d.OK():
		return d.Time.Format(dateLayout)
	}
	return layout.Printable(d.Stored) + " (not a date)"
}

func pagesText(list []catalog.PageRange) string {
	var parts []string
	for _, p := range list {
		parts = append(parts, p.String())
	}
	return strings.Join(parts, ",")
}

// captureTable writes tables for people.
type captureTable struct {
	sheet           *layout.Sheet
	width           int
	files, captures int
	kinds           map[catalog.Kind]int
	compared        bool // with the index of another archive
	onlyHere        int  // number of captures that are not in the index
}

// captureColumns are the columns of the table. URL and TITLE share the rest of the line.
var captureColumns = []string{"CAPTURED", "INDEXED", "KIND", "PAGES", "TYPE", "URL", "TITLE"}

const (
	typeColumn = 4
	urlColumn  = 5
	titleWidth = 40 // width of a title next to a URL on a terminal
	typeWidth  = 100
	maxCell    = 80 // maximum width of aligned columns
)

func (t *captureTable) Rows() func(*catalog.Capture, Elsewhere) []byte {
	return func(c *catalog.Capture, e Elsewhere) []byte {
		return joinCells([]string{dateText(c.Captured()), e.text("no"), string(c.Kind), pagesText(c.Pages),
			layout.Printable(c.ContentType), layout.Printable(c.URL), layout.Printable(c.Title)})
	}
}

// Add writes the table of a file.
func (t *captureTable) Add(rec *report.Record, rows *CaptureRows) error {
	if t.files > 0 {
		t.sheet.Text("\n")
	}
	t.files++
	t.captures += rows.Len()
	t.onlyHere += rows.OnlyHere
	t.compared = t.compared || rows.Compared
	if t.kinds == nil {
		t.kinds = map[catalog.Kind]int{}
	}
	for kind, n := range rows.Kinds {
		t.kinds[kind] += n
	}
	t.sheet.Headline(rec.Path, fileText(rec, rows))
	if err := t.rows(rows); err != nil {
		return err
	}
	if rec.Report != nil {
		for _, line := range phrase.UnreadLines(rec.Report) {
			t.sheet.Line("  ", "missing: "+line)
		}
	}
	return t.sheet.Flush()
}

// fileText describes the contents of a file, and the dates of its captures.
func fileText(rec *report.Record, rows *CaptureRows) string {
	if rec.Report == nil {
		return rec.Reason()
	}
	if rows.Len() == 0 && !rec.Report.Present && len(rec.Report.Unread) == 0 {
		return "no Web Capture content database"
	}
	text := layout.Count(rows.Len(), "capture") + kindsText(rows.Kinds)
	if !rows.First.IsZero() {
		text += ", captured " + spanText(rows.First, rows.Last)
	}
	return text
}

func spanText(first, last time.Time) string {
	from, to := first.Format(time.DateOnly), last.Format(time.DateOnly)
	if from == to {
		return from
	}
	return from + " to " + to
}

func kindsText(kinds map[catalog.Kind]int) string {
	var parts []string
	for _, k := range catalog.Kinds() {
		if n := kinds[k]; n > 0 {
			parts = append(parts, layout.Count(n, map[catalog.Kind]string{catalog.Page: "page set",
				catalog.Image: "image set", catalog.Other: "other set"}[k]))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func (t *captureTable) rows(rows *CaptureRows) error {
	widths := make([]int, len(captureColumns))
	for row := range rows.All() {
		for i, cell := range splitCells(row) {
			widths[i] = max(widths[i], min(utf8.RuneCountInString(cell), maxCell))
		}
	}
	if t.width > 0 && t.width < typeWidth {
		widths[typeColumn] = 0
	}
	heads := slices.Clone(captureColumns)
	for i, title := range heads {
		if widths[i] == 0 {
			heads[i] = ""
			continue
		}
		widths[i] = max(widths[i], len(title))
	}
	if rows.Len() > 0 {
		t.row(heads, widths)
	}
	for row := range rows.All() {
		t.row(splitCells(row), widths)
		if err := t.sheet.FlushIfLarge(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// row writes a row without the columns that are empty in all rows. On a terminal, it shortens the URL to the rest
// of the line. If there is no room for a title next to the URL, the title is on the next line.
func (t *captureTable) row(cells []string, widths []int) {
	var line strings.Builder
	line.WriteString(" ")
	for i, cell := range cells[:urlColumn] {
		if widths[i] > 0 {
			fmt.Fprintf(&line, " %-*s ", widths[i], cell)
		}
	}
	head := line.String()
	url, title := cells[urlColumn], cells[urlColumn+1]
	if t.width == 0 {
		t.sheet.Text(strings.TrimRight(fmt.Sprintf("%s %-*s  %s", head, widths[urlColumn], url, title), " ") + "\n")
		return
	}
	room := max(t.width-utf8.RuneCountInString(head)-1, 20)
	if widths[urlColumn]+2+min(widths[urlColumn+1], titleWidth) <= room {
		title = layout.ShortenMiddle(title, room-widths[urlColumn]-2)
		t.sheet.Text(strings.TrimRight(fmt.Sprintf("%s %-*s  %s", head, widths[urlColumn], url, title), " ") + "\n")
		return
	}
	t.sheet.Text(strings.TrimRight(head+" "+layout.ShortenMiddle(url, room), " ") + "\n")
	if title != "" && title != captureColumns[urlColumn+1] {
		t.sheet.Text(strings.Repeat(" ", utf8.RuneCountInString(head)+1) + layout.ShortenMiddle(title, room) + "\n")
	}
}

// Close writes the total.
func (t *captureTable) Close(complete bool) error {
	if t.files > 1 {
		t.sheet.Text(fmt.Sprintf("\nTotal: %s%s in %s\n", layout.Count(t.captures, "capture"), kindsText(t.kinds),
			layout.Count(t.files, "file")))
	}
	if t.captures > 0 {
		t.sheet.Text("\nwebcap audit checks these captures.\n")
	}
	if t.compared {
		t.sheet.Text(fmt.Sprintf("\nNot in the index: %d of %s\n", t.onlyHere, layout.Count(t.captures, "capture")))
	}
	if !complete {
		t.sheet.Text("\nThe list is incomplete: later inputs are missing.\n")
	}
	return t.sheet.Flush()
}

// captureCSV writes a line for each capture. A file without captures also gets a line.
type captureCSV struct {
	w     *csv.Writer
	begun bool
}

var captureHeader = []string{"path", "sha256", "outcome", "captured", "url", "kind", "pages", "title", "content_type",
	"canonical_url", "id", "object", "ts", "expires", "sources", "redirects", "submitted_data", "command_url",
	"image_size", "image_md5", "members", "indexed"}

func (w *captureCSV) Rows() func(*catalog.Capture, Elsewhere) []byte {
	return func(c *catalog.Capture, e Elsewhere) []byte {
		var expires, sources, redirects, commands, sizes, sums []string
		for _, s := range c.Sources {
			sources = appendText(sources, s.URL)
			expires = appendText(expires, dateText(s.E))
			for _, chain := range s.Redirects {
				redirects = appendText(redirects, strings.Join(chain, " > "))
			}
			if s.Command != nil {
				commands = appendText(commands, s.Command.URL)
			}
		}
		for _, im := range c.Images {
			sizes = append(sizes, fmt.Sprintf("%dx%d", im.Width, im.Height))
			if im.Proven {
				sums = append(sums, im.MD5.String())
			}
		}
		object := ""
		if c.Object.Num != 0 {
			object = c.Object.String()
		}
		cells := []string{dateText(c.Captured()), c.URL, string(c.Kind), pagesText(c.Pages), c.Title, c.ContentType,
			c.Canonical, hex.EncodeToString([]byte(c.ID)), object, c.TS.Stored,
			strings.Join(expires, "; "), strings.Join(sources, " "), strings.Join(redirects, "; "),
			strconv.FormatBool(c.HasSubmittedData()), strings.Join(commands, " "), strings.Join(sizes, " "),
			strings.Join(sums, " "), strconv.Itoa(len(c.Members)), e.text("no")}
		for i := range cells {
			cells[i] = layout.Cell(cells[i])
		}
		return joinCells(cells)
	}
}

func appendText(list []string, s string) []string {
	if s == "" {
		return list
	}
	return append(list, s)
}

// Add writes the lines of a file.
func (w *captureCSV) Add(rec *report.Record, rows *CaptureRows) error {
	w.begin()
	file := []string{layout.Cell(rec.Path), rec.SHA256, listOutcome(rec)}
	if rows.Len() == 0 {
		w.w.Write(append(file, make([]string, len(captureHeader)-len(file))...))
	}
	for row := range rows.All() {
		if err := w.w.Write(slices.Concat(file, splitCells(row))); err != nil {
			return err
		}
	}
	w.w.Flush()
	if err := w.w.Error(); err != nil {
		return err
	}
	return rows.Err()
}

func (w *captureCSV) begin() {
	if !w.begun {
		w.w.Write(captureHeader)
		w.begun = true
	}
}

// Close writes the header if no file was added.
func (w *captureCSV) Close(bool) error {
	w.begin()
	w.w.Flush()
	return w.w.Error()
}
