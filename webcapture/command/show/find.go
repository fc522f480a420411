package show

import (
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/find"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// findSchema is the name and version of the JSON format of find.
const findSchema = "webcap.find/1"

// A FindWriter writes the matches in files, in one format.
type FindWriter interface {
	// Add writes the matches in a file. matches is empty if the file could not be searched.
	Add(*report.Record, []find.Match) error
	// Close writes the end: the queries without a match. Complete reports whether all files were added.
	Close(complete bool) error
}

// FindFormats returns the names of the formats of find.
func FindFormats() []string { return []string{"table", "json", "ndjson", "csv"} }

// NewFindWriter returns a writer of a format, or nil if the format is unknown. width is the width of a terminal; 0
// means that lines are not broken.
func NewFindWriter(format string, w io.Writer, width int, version string, queries []find.Query) FindWriter {
	t := newFindTotal(queries)
	switch format {
	case "table":
		return &findText{findTotal: t, sheet: layout.NewSheet(w, width, false), width: width}
	case "json":
		return &findJSON{findTotal: t, d: jsondoc.New(w), version: version}
	case "ndjson":
		return &findNDJSON{findTotal: t, d: jsondoc.New(w)}
	case "csv":
		return &findCSV{findTotal: t, w: csv.NewWriter(w)}
	}
	return nil
}

// findTotal counts the outcomes of the queries in all files.
type findTotal struct {
	queries      []find.Query
	any          []bool // by query: whether there is a match
	found        []bool // by query: whether a viewer finds a match
	missed       []bool // by query: whether a viewer misses a match
	files, count int    // numbers of searched files and of matches
}

func newFindTotal(queries []find.Query) findTotal {
	return findTotal{queries: queries, any: make([]bool, len(queries)), found: make([]bool, len(queries)),
		missed: make([]bool, len(queries))}
}

func (t *findTotal) add(rec *report.Record, matches []find.Match) {
	if rec.Report != nil {
		t.files++
	}
	t.count += len(matches)
	for _, m := range matches {
		t.any[m.Query] = true
		t.found[m.Query] = t.found[m.Query] || m.Answer == find.Found
		t.missed[m.Query] = t.missed[m.Query] || m.Answer == find.Missed
	}
}

func countTrue(list []bool) (n int) {
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}

// findText writes text for people.
type findText struct {
	findTotal
	sheet *layout.Sheet
	width int
	begun bool
}

// Add writes a file with matches.
func (t *findText) Add(rec *report.Record, matches []find.Match) error {
	t.add(rec, matches)
	if len(matches) == 0 {
		return nil
	}
	t.gap()
	t.sheet.Text(layout.Printable(rec.Path) + "\n")
	for i := range matches {
		m := &matches[i]
		url := m.Capture.URL
		if url == "" {
			url = "ID " + hex.EncodeToString([]byte(m.Capture.ID))
		}
		url = layout.Printable(url)
		if t.width > 0 {
			url = layout.ShortenMiddle(url, max(t.width-2, 20))
		}
		t.sheet.Text("  " + url + "\n")
		t.sheet.Line("    ", answerText(m)+": "+captureText(m.Capture))
		if err := t.sheet.FlushIfLarge(); err != nil {
			return err
		}
	}
	return t.sheet.Flush()
}

func (t *findText) gap() {
	if t.begun {
		t.sheet.Text("\n")
	}
	t.begun = true
}

func answerText(m *find.Match) string {
	switch m.Answer {
	case find.Missed:
		text := "a viewer misses it"
		if len(m.Rules) > 0 {
			text += " (" + strings.Join(m.Rules, ", ") + ")"
		}
		return text
	case find.OtherCapture:
		return "the key leads to this other capture"
	case find.OtherForm:
		return "captured under another form (" + strings.Join(m.Differs, ", ") + ")"
	}
	return "found"
}

// captureText describes a capture: kind, pages, date, and title.
func captureText(c *catalog.Capture) string {
	parts := []string{map[catalog.Kind]string{catalog.Page: "page set", catalog.Image: "image set",
		catalog.Other: "other set"}[c.Kind]}
	switch {
	case len(c.Pages) > 1 || len(c.Pages) == 1 && c.Pages[0].First < c.Pages[0].Last:
		parts[0] = "pages " + pagesText(c.Pages)
	case len(c.Pages) == 1:
		parts[0] = "page " + pagesText(c.Pages)
	case c.Kind == catalog.Page:
		parts[0] += " without a page of the document"
	}
	if d := dateText(c.Captured()); d != "" {
		parts = append(parts, "captured "+d)
	}
	if c.Title != "" {
		parts = append(parts, layout.Printable(c.Title))
	}
	return strings.Join(parts, ", ")
}

// text returns how many queries have each outcome. The best outcome of a query counts.
func (t *findTotal) text() string {
	var n [4]int
	for i := range t.queries {
		switch {
		case t.found[i]:
			n[0]++
		case t.missed[i]:
			n[1]++
		case t.any[i]:
			n[2]++
		default:
			n[3]++
		}
	}
	var parts []string
	for i, what := range []string{"found", "missed by a viewer", "only in another form or as another capture", "not found"} {
		if n[i] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[i], what))
		}
	}
	return strings.Join(parts, ", ")
}

// Close writes the queries without a match, and the number of searched files. If there are several queries, it also
// writes a total.
func (t *findText) Close(complete bool) error {
	in := layout.Count(t.files, "file")
	if missing := len(t.queries) - countTrue(t.any); missing > 0 {
		t.gap()
		for i, q := range t.queries {
			if t.any[i] {
				continue
			}
			text := layout.Printable(q.Text)
			if q.Tree == webcapture.URLS && !q.Prefix && string(q.Key) != q.Text {
				text += " (looked up as " + layout.Printable(string(q.Key)) + ")"
			}
			t.sheet.Line("", "not found in "+in+": "+text)
			if err := t.sheet.FlushIfLarge(); err != nil {
				return err
			}
		}
	}
	switch {
	case len(t.queries) == 1 && t.any[0]:
		t.gap()
		t.sheet.Line("", "Searched "+in+".")
	case len(t.queries) > 1:
		t.gap()
		t.sheet.Line("", fmt.Sprintf("Total of %d in %s: %s", len(t.queries), in, t.text()))
	}
	if !complete {
		t.sheet.Text("\nThe search is incomplete: later inputs are missing.\n")
	}
	return t.sheet.Flush()
}

type (
	jsonQuery struct {
		Text   string      `json:"text"`
		Tree   string      `json:"tree"`
		Key    jsondoc.Key `json:"key"`
		Prefix bool        `json:"prefix"`
	}
	jsonFound struct {
		Query   string           `json:"query"`
		Answer  find.Answer      `json:"answer"`
		Rules   []string         `json:"rules,omitempty"`
		Differs []string         `json:"differs,omitempty"`
		Capture *jsondoc.Capture `json:"capture"`
	}
	jsonFindFile struct {
		jsondoc.FilePath
		Size    int64         `json:"size,omitempty"`
		Outcome string        `json:"outcome"`
		Reason  string        `json:"reason,omitempty"`
		Count   int           `json:"matchCount"`
		Unread  []rule.Unread `json:"unread"`
		Matches []jsonFound   `json:"matches,omitempty"` // written one by one
	}
	jsonFindSummary struct {
		Files    int      `json:"files"`
		Matches  int      `json:"matches"`
		Queries  int      `json:"queries"`
		Found    int      `json:"found"`
		NotFound []string `json:"notFound"`
		Complete bool     `json:"complete"`
	}
)

func (t *findTotal) jsonSummary(complete bool) jsonFindSummary {
	out := jsonFindSummary{Files: t.files, Matches: t.count, Queries: len(t.queries), Found: countTrue(t.found),
		NotFound: []string{}, Complete: complete}
	for i, q := range t.queries {
		if !t.any[i] {
			out.NotFound = append(out.NotFound, jsondoc.Text(q.Text))
		}
	}
	return out
}

func (t *findTotal) jsonFound(m *find.Match) jsonFound {
	return jsonFound{Query: jsondoc.Text(t.queries[m.Query].Text), Answer: m.Answer, Rules: m.Rules,
		Differs: m.Differs, Capture: jsondoc.CaptureOf(m.Capture)}
}

func findFileOf(rec *report.Record, matches []find.Match) jsonFindFile {
	out := jsonFindFile{FilePath: jsondoc.FilePathOf(rec.Path), Size: rec.Size, Outcome: findOutcome(rec),
		Reason: jsondoc.Text(rec.Reason()), Count: len(matches), Unread: []rule.Unread{}}
	if rec.Report != nil {
		out.Unread = append(out.Unread, rec.Report.Unread...)
	}
	return out
}

// findOutcome returns a word for whether a file was searched completely.
func findOutcome(rec *report.Record) string {
	if o := listOutcome(rec); o != "listed" {
		return o
	}
	return "searched"
}

// findJSON writes one document.
type findJSON struct {
	findTotal
	d       *jsondoc.Document
	version string
	begun   bool
}

func (w *findJSON) begin() {
	if w.begun {
		return
	}
	w.begun = true
	w.d.Open(jsonCaptureHead{findSchema, jsondoc.ToolOf(w.version)})
	w.d.Text(",\n\"queries\":[")
	for i, q := range w.queries {
		w.d.Element(i == 0)
		w.d.Value(jsonQuery{jsondoc.Text(q.Text), q.Tree.String(), jsondoc.Key(q.Key), q.Prefix})
	}
	w.d.Text("\n],\n\"files\":[")
}

// Add writes a file.
func (w *findJSON) Add(rec *report.Record, matches []find.Match) error {
	first := !w.begun
	w.begin()
	w.add(rec, matches)
	w.d.Element(first)
	w.d.Open(findFileOf(rec, matches))
	w.d.Text(",\"matches\":[")
	for i := range matches {
		w.d.Element(i == 0)
		w.d.Value(w.jsonFound(&matches[i]))
		if err := w.d.FlushIfLarge(); err != nil {
			return err
		}
	}
	w.d.Text("]}")
	return w.d.FlushIfLarge()
}

// Close writes the end.
func (w *findJSON) Close(complete bool) error {
	w.begin()
	w.d.Text("\n],\n\"summary\":")
	w.d.Value(w.jsonSummary(complete))
	w.d.Text("\n}\n")
	return w.d.Flush()
}

// findNDJSON writes a line for each file and each match.
type findNDJSON struct {
	findTotal
	d *jsondoc.Document
}

// Add writes the line of a file, and those of its matches.
func (w *findNDJSON) Add(rec *report.Record, matches []find.Match) error {
	w.add(rec, matches)
	file := findFileOf(rec, matches)
	w.d.Open(struct {
		Schema string `json:"schema"`
		jsonFindFile
	}{findSchema, file})
	w.d.Text("}\n")
	for i := range matches {
		w.d.Value(struct {
			jsondoc.FilePath
			jsonFound
		}{file.FilePath, w.jsonFound(&matches[i])})
		w.d.Text("\n")
		if err := w.d.FlushIfLarge(); err != nil {
			return err
		}
	}
	return w.d.Flush()
}

// Close writes the line of the summary.
func (w *findNDJSON) Close(complete bool) error {
	w.d.Value(struct {
		Summary jsonFindSummary `json:"summary"`
	}{w.jsonSummary(complete)})
	w.d.Text("\n")
	return w.d.Flush()
}

// findCSV writes a line for each match. A query without a match also gets a line.
type findCSV struct {
	findTotal
	w     *csv.Writer
	begun bool
}

var findHeader = []string{"query", "answer", "path", "captured", "url", "kind", "pages", "title", "rules", "differs",
	"canonical_url", "id", "object"}

func (w *findCSV) begin() {
	if !w.begun {
		w.w.Write(findHeader)
		w.begun = true
	}
}

// Add writes the lines of a file.
func (w *findCSV) Add(rec *report.Record, matches []find.Match) error {
	w.begin()
	w.add(rec, matches)
	for i := range matches {
		m := &matches[i]
		c, object := m.Capture, ""
		if c.Object.Num != 0 {
			object = c.Object.String()
		}
		cells := []string{w.queries[m.Query].Text, string(m.Answer), rec.Path, dateText(c.Captured()), c.URL,
			string(c.Kind), pagesText(c.Pages), c.Title, strings.Join(m.Rules, " "), strings.Join(m.Differs, ", "),
			c.Canonical, hex.EncodeToString([]byte(c.ID)), object}
		for i := range cells {
			cells[i] = layout.Cell(cells[i])
		}
		if err := w.w.Write(cells); err != nil {
			return err
		}
	}
	w.w.Flush()
	return w.w.Error()
}

// Close writes the queries without a match.
func (w *findCSV) Close(bool) error {
	w.begin()
	for i, q := range w.queries {
		if !w.any[i] {
			row := make([]string, len(findHeader))
			row[0], row[1] = layout.Cell(q.Text), "not found"
			w.w.Write(row)
		}
	}
	w.w.Flush()
	return w.w.Error()
}
