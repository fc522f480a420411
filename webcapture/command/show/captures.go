package show

import (
	"cmp"
	"encoding/hex"
	"fmt"
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

// capturesSchema is the name and version of the JSON format of captures.
const capturesSchema = "webcap.captures/2"

// A CaptureWriter writes the captures of files in one format.
type CaptureWriter struct {
	format listFormat
	encode func(*jsondoc.Document, *catalog.Capture, Elsewhere) // appends a row
	files  fileCount
	total  captureCounts
}

// CaptureFormats are the names of the formats of captures.
func CaptureFormats() []string { return []string{"table", "json", "ndjson", "csv", "html"} }

// NewCaptureWriter returns a writer of a format, or nil if the format is unknown. width is the width of a terminal;
// 0 means that lines are not shortened.
func NewCaptureWriter(format string, w io.Writer, width int, version string) *CaptureWriter {
	switch format {
	case "table":
		table := &listTable{sheet: layout.NewSheet(w, width, false), rows: writeColumns, hasUnread: true}
		return &CaptureWriter{format: table, encode: captureCells}
	case "json":
		return &CaptureWriter{format: newListJSON(w, version, capturesSchema, "captures", nil), encode: captureJSON}
	case "ndjson":
		return &CaptureWriter{format: &listNDJSON{d: jsondoc.New(w), schema: capturesSchema}, encode: captureJSON}
	case "csv":
		return &CaptureWriter{format: newListCSV(w, captureHeader, true), encode: captureCSV}
	case "html":
		return &CaptureWriter{format: &listPage{w: w, version: version, texts: &pageOfCaptures}, encode: captureHTML}
	}
	return nil
}

// Rows returns the rows of a file in the format. in looks up captures in the index of another archive; it is nil
// without an index. pay pays for the bytes of a row. After an error of pay, the rest of the rows is left out. The error
// is that of captures, or of a temporary file. Each goroutine may call Rows.
func (w *CaptureWriter) Rows(captures iter.Seq2[*catalog.Capture, error], in func(*catalog.Capture) Elsewhere,
	pay func(n int) error) (*CaptureRows, error) {
	out := new(CaptureRows)
	d := jsondoc.New(nil)
	for c, err := range captures {
		d.Truncate(0)
		if err == nil {
			var e Elsewhere
			if in != nil {
				e = in(c)
			}
			w.encode(d, c, e)
			out.counts.note(c, e)
			err = out.add(c, d.Bytes())
		}
		if err != nil {
			out.Close()
			return nil, err
		}
		if pay(d.Len()) != nil {
			break
		}
	}
	out.sort()
	return out, nil
}

// Add writes a file and its rows.
func (w *CaptureWriter) Add(rec *report.Record, rows *CaptureRows) error {
	w.files.add(rec)
	w.total.add(&rows.counts)
	f := fileOf(rec, "listed", rows.counts.String()+rows.counts.span(), rows.Len(), rows.all())
	f.json.Captures = &f.count
	f.heads = headsOf(rows.counts.compared)
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
	if w.total.compared {
		e.index = fmt.Sprintf("Not in the index: %d of %s", w.total.onlyHere, layout.Count(n, "capture"))
		e.text = append(e.text, e.index)
	}
	return w.format.end(e)
}

// captureCounts counts the captures of a file, or of all files.
type captureCounts struct {
	kinds       map[catalog.Kind]int
	first, last time.Time // of the captures with a date; zero without one
	compared    bool      // the captures were compared with the index of another archive
	onlyHere    int       // number of captures whose URL is not in the index
}

// note counts a capture.
func (n *captureCounts) note(c *catalog.Capture, e Elsewhere) {
	one := captureCounts{kinds: map[catalog.Kind]int{c.Kind: 1}, compared: e.Compared}
	if d := c.Captured(); d.OK() {
		one.first, one.last = d.Time, d.Time
	}
	if e.Compared && e.Nearest.IsZero() {
		one.onlyHere = 1
	}
	n.add(&one)
}

func (n *captureCounts) add(m *captureCounts) {
	if n.kinds == nil {
		n.kinds = map[catalog.Kind]int{}
	}
	for kind, count := range m.kinds {
		n.kinds[kind] += count
	}
	if n.first.IsZero() || !m.first.IsZero() && m.first.Before(n.first) {
		n.first = m.first
	}
	if m.last.After(n.last) {
		n.last = m.last
	}
	n.compared = n.compared || m.compared
	n.onlyHere += m.onlyHere
}

// n returns the number of captures.
func (n *captureCounts) n() (sum int) {
	for _, count := range n.kinds {
		sum += count
	}
	return sum
}

// kindNouns are the kinds of captures in words.
var kindNouns = map[catalog.Kind]string{
	catalog.Page: "page set", catalog.Image: "image set", catalog.Other: "other set",
}

// String returns a text such as "3 captures (2 page sets, 1 image set)".
func (n *captureCounts) String() string {
	text := layout.Count(n.n(), "capture")
	var parts []string
	for _, k := range catalog.Kinds() {
		if n.kinds[k] > 0 {
			parts = append(parts, layout.Count(n.kinds[k], kindNouns[k]))
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

// Elsewhere is the result of looking up a capture in the index of another archive.
type Elsewhere struct {
	Compared bool      // false if there is no index
	Nearest  time.Time // date in the index nearest to the date of the capture; zero if the URL is not in the index
}

// String returns the nearest date as text: no if the URL is not in the index, and "" without an index.
func (e Elsewhere) String() string {
	switch {
	case !e.Compared:
		return ""
	case e.Nearest.IsZero():
		return "no"
	}
	return e.Nearest.Format(dateLayout)
}

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

type (
	jsonListed struct {
		*jsondoc.Capture
		Indexed *jsonIndexed `json:"indexed,omitempty"` // only with an index
	}
	jsonIndexed struct {
		Nearest *time.Time `json:"nearest"` // null if the URL is not in the index
	}
)

func captureJSON(d *jsondoc.Document, c *catalog.Capture, e Elsewhere) {
	out := jsonListed{Capture: jsondoc.CaptureOf(c)}
	if e.Compared {
		out.Indexed = new(jsonIndexed)
		if !e.Nearest.IsZero() {
			out.Indexed.Nearest = &e.Nearest
		}
	}
	d.Value(out)
}

// headsOf returns the headings of cellsOf.
func headsOf(compared bool) []string {
	if compared {
		return []string{"Captured", "Indexed", "Kind", "Pages", "Type", "URL", "Title"}
	}
	return []string{"Captured", "Kind", "Pages", "Type", "URL", "Title"}
}

// cellsOf returns the printable cells of a row for people.
func cellsOf(c *catalog.Capture, e Elsewhere) []string {
	cells := []string{cmp.Or(dateText(c.Captured()), "-"), e.String(), string(c.Kind), pagesText(c.Pages),
		layout.Printable(c.ContentType), layout.Printable(c.URL), layout.Printable(c.Title)}
	if !e.Compared {
		return slices.Delete(cells, 1, 2)
	}
	return cells
}

func captureCells(d *jsondoc.Document, c *catalog.Capture, e Elsewhere) {
	d.Text(strings.Join(cellsOf(c, e), cellEnd))
}

func captureHTML(d *jsondoc.Document, c *catalog.Capture, e Elsewhere) {
	d.Text(`<tr data-kind="` + string(c.Kind) + `">`)
	cells := cellsOf(c, e)
	for i, cell := range cells {
		class := ""
		switch {
		case i == 0 || i == 1 && e.Compared:
			class = "date"
		case i == len(cells)-2:
			class = "path"
		}
		d.Text(`<td class="` + class + `">` + html.EscapeString(cell) + "</td>")
	}
	d.Text("</tr>")
}

var captureHeader = []string{"path", "sha256", "outcome", "captured", "url", "kind", "pages", "title", "content_type",
	"canonical_url", "id", "object", "ts", "expires", "sources", "redirects", "submitted_data", "command_url",
	"image_size", "image_md5", "members", "indexed", "reason"}

func captureCSV(d *jsondoc.Document, c *catalog.Capture, e Elsewhere) {
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
	writeCells(d, []string{dateText(c.Captured()), c.URL, string(c.Kind), pagesText(c.Pages), c.Title, c.ContentType,
		c.Canonical, hex.EncodeToString([]byte(c.ID)), refText(c.Object), c.TS.Stored,
		strings.Join(expires, "; "), strings.Join(sources, " "), strings.Join(redirects, "; "),
		strconv.FormatBool(c.HasSubmittedData()), strings.Join(commands, " "), strings.Join(sizes, " "),
		strings.Join(sums, " "), strconv.Itoa(len(c.Members)), e.String()})
}

func appendText(list []string, s string) []string {
	if s == "" {
		return list
	}
	return append(list, s)
}
