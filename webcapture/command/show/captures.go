package show

import (
	"cmp"
	"html"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// A CaptureWriter writes the captures of files in one format.
type CaptureWriter struct {
	format listFormat
	encode func(*jsondoc.Document, *catalog.Capture) // appends a row
	files  fileCount
	total  captureCounts
}

// CaptureRows holds the captures of one file as rows of a format: page sets, then image sets, then others, each in the
// order of the file. Rows of a large file are in temporary files. The zero CaptureRows has no rows.
type CaptureRows struct {
	fileRows
	counts captureCounts
}

// captureEncoders are the formats of captures.
var captureEncoders = map[string]func(*jsondoc.Document, *catalog.Capture){
	"table": captureCells, "json": captureJSON, "ndjson": captureJSON, "csv": captureCSV, "html": captureHTML,
}

// CaptureFormats are the names of the formats of captures.
func CaptureFormats() []string { return []string{"table", "json", "ndjson", "csv", "html"} }

var captureList = list{schema: "webcap.captures/2", member: "captures", header: captureHeader, page: &pageOfCaptures,
	rows: writeColumns, hasUnread: true}

// NewCaptureWriter returns a writer of a format, or nil if the format is unknown. width is the width of a terminal;
// 0 means that lines are not broken.
func NewCaptureWriter(format string, w io.Writer, width int, version string) *CaptureWriter {
	if captureEncoders[format] == nil {
		return nil
	}
	return &CaptureWriter{format: captureList.in(format, w, width, version), encode: captureEncoders[format]}
}

// Rows returns the rows of a file in the format. pay pays for the bytes of a row. After an error of pay, the rest of
// the rows is left out. The error is that of captures, or of a temporary file. Each goroutine may call Rows.
func (w *CaptureWriter) Rows(captures iter.Seq2[*catalog.Capture, error], pay func(n int) error) (*CaptureRows, error) {
	out := new(CaptureRows)
	return out, fill(&out.fileRows, captures, pay, func(d *jsondoc.Document, c *catalog.Capture) (int, error) {
		w.encode(d, c)
		return out.counts.note(c), nil
	})
}

// Add writes a file and its rows.
func (w *CaptureWriter) Add(rec *report.Record, rows *CaptureRows) error {
	w.files.add(rec)
	w.total.add(&rows.counts)
	f := fileOf(rec, "listed", rows.counts.String()+rows.counts.span(), rows.Count, rows.all())
	f.json.Captures = &f.count
	f.heads = captureHeads
	return w.format.add(f)
}

// Close writes the end. complete reports whether all files were added.
func (w *CaptureWriter) Close(complete bool) error {
	e := &listEnd{complete: complete, lead: w.total.String() + " in " + w.files.String()}
	n := w.total.n()
	e.summary = struct {
		Files    int  `json:"files"`
		Captures int  `json:"captures"`
		Complete bool `json:"complete"`
	}{w.files.all, n, complete}
	if w.files.all > 1 {
		e.text = append(e.text, "Total: "+e.lead)
	}
	if n > 0 {
		e.text = append(e.text, "webcap audit checks these captures.")
	}
	return w.format.end(e)
}

// captureCounts counts the captures of a file, or of all files.
type captureCounts struct {
	kinds       [3]int    // by index in catalog.Kinds
	first, last time.Time // of the captures with a date; zero without one
}

// note counts a capture, and returns the index of its kind.
func (n *captureCounts) note(c *catalog.Capture) (kind int) {
	kind = slices.Index(catalog.Kinds(), c.Kind)
	one := captureCounts{first: c.Captured, last: c.Captured}
	one.kinds[kind] = 1
	n.add(&one)
	return kind
}

func (n *captureCounts) add(m *captureCounts) {
	for kind, count := range m.kinds {
		n.kinds[kind] += count
	}
	if n.first.IsZero() || !m.first.IsZero() && m.first.Before(n.first) {
		n.first = m.first
	}
	if m.last.After(n.last) {
		n.last = m.last
	}
}

// n returns the number of captures.
func (n *captureCounts) n() int { return n.kinds[0] + n.kinds[1] + n.kinds[2] }

// String returns a text such as "3 captures (2 page sets, 1 image set)".
func (n *captureCounts) String() string {
	text := layout.Count(n.n(), "capture")
	var parts []string
	for kind, noun := range [...]string{"page set", "image set", "other set"} {
		if n.kinds[kind] > 0 {
			parts = append(parts, layout.Count(n.kinds[kind], noun))
		}
	}
	if len(parts) == 0 {
		return text
	}
	return text + " (" + strings.Join(parts, ", ") + ")"
}

// span returns a text about the days of the captures; empty without a day.
func (n *captureCounts) span() string {
	if n.first.IsZero() {
		return ""
	}
	from, to := n.first.Format(time.DateOnly), n.last.Format(time.DateOnly)
	if from == to {
		return ", captured " + from
	}
	return ", captured " + from + " to " + to
}

// dateText returns the date of a capture as text, and marks an invalid one.
func dateText(c *catalog.Capture) string {
	if !c.Captured.IsZero() {
		return c.Captured.Format("2006-01-02 15:04")
	}
	stored := c.TS.Stored
	for _, s := range c.Sources {
		stored = cmp.Or(stored, s.TS.Stored)
	}
	if stored == "" {
		return ""
	}
	return layout.Printable(string(stored)) + " (not a date)"
}

func pagesText(list []catalog.PageRange) string {
	var parts []string
	for _, p := range list {
		parts = append(parts, p.String())
	}
	return strings.Join(parts, ",")
}

func captureJSON(d *jsondoc.Document, c *catalog.Capture) { d.Value(c) }

// captureHeads are the headings of cellsOf.
var captureHeads = []string{"Captured", "Kind", "Pages", "Type", "URL", "Title"}

// cellsOf returns the printable cells of a row for people.
func cellsOf(c *catalog.Capture) []string {
	return []string{cmp.Or(dateText(c), "-"), string(c.Kind), pagesText(c.Pages),
		layout.Printable(string(c.ContentType)), layout.Printable(string(c.URL)), layout.Printable(c.Title)}
}

func captureCells(d *jsondoc.Document, c *catalog.Capture) {
	d.Text(strings.Join(cellsOf(c), cellEnd))
}

func captureHTML(d *jsondoc.Document, c *catalog.Capture) {
	d.Text(`<tr data-kind="` + string(c.Kind) + `">`)
	for i, cell := range cellsOf(c) {
		d.Text(`<td class="` + captureClasses[i] + `">` + html.EscapeString(cell) + "</td>")
	}
	d.Text("</tr>")
}

// captureClasses are the style classes of cellsOf.
var captureClasses = []string{"date", "", "", "", "path", ""}

var captureHeader = []string{"path", "sha256", "outcome", "captured", "url", "kind", "pages", "title", "content_type",
	"canonical_url", "id", "object", "ts", "submitted_data", "members", "reason"}

func captureCSV(d *jsondoc.Document, c *catalog.Capture) {
	writeCells(d, []string{dateText(c), string(c.URL), string(c.Kind), pagesText(c.Pages), c.Title,
		string(c.ContentType), string(c.Canonical), c.ID.String(), refText(c.Object), string(c.TS.Stored),
		strconv.FormatBool(c.Submitted), strconv.Itoa(len(c.Members))})
}
