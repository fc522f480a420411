package show

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/find"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// findSchema is the name and version of the JSON format of find.
const findSchema = "webcap.find/1"

// A FindWriter writes the matches in files, in one format.
type FindWriter struct {
	format  listFormat
	encode  func(*jsondoc.Document, *report.Record, *find.Match) // appends a row of the format
	isTable bool                                                 // only files with matches are listed

	queries      []find.Query
	outcomes     []queryOutcome // by query
	files, count int            // numbers of searched files and of matches
}

// A queryOutcome says which matches a query has in all files.
type queryOutcome struct {
	any    bool
	found  bool // a viewer finds a match
	missed bool // a viewer misses a match
}

// FindFormats returns the names of the formats of find.
func FindFormats() []string { return []string{"table", "json", "ndjson", "csv"} }

// NewFindWriter returns a writer of a format, or nil if the format is unknown. width is the width of a terminal; 0
// means that lines are not broken.
func NewFindWriter(format string, w io.Writer, width int, version string, queries []find.Query) *FindWriter {
	out := &FindWriter{queries: queries, outcomes: make([]queryOutcome, len(queries))}
	switch format {
	case "table":
		out.format = &listTable{sheet: layout.NewSheet(w, width, false), rows: writeColumns}
		out.encode, out.isTable = matchCells, true
	case "json":
		list := []jsonQuery{}
		for _, q := range queries {
			list = append(list, jsonQuery{rule.Text(q.Text), q.Tree.String(), nametree.Key(q.Key)})
		}
		out.format = newListJSON(w, version, findSchema, "matches", list)
		out.encode = out.json
	case "ndjson":
		out.format, out.encode = &listNDJSON{d: jsondoc.New(w), schema: findSchema, summary: true}, out.json
	case "csv":
		out.format, out.encode = newListCSV(w, findHeader, false), out.csv
	default:
		return nil
	}
	return out
}

// Add writes the matches in a file. matches is empty if the file could not be searched.
func (w *FindWriter) Add(rec *report.Record, matches []find.Match) error {
	if rec.Report != nil {
		w.files++
	}
	w.count += len(matches)
	for _, m := range matches {
		o := &w.outcomes[m.Query]
		o.any = true
		o.found = o.found || m.Answer == find.Found
		o.missed = o.missed || m.Answer == find.Missed
	}
	if w.isTable && len(matches) == 0 {
		return nil
	}
	f := fileOf(rec, "searched", matchCount(len(matches)), len(matches), func(yield func([]byte, error) bool) {
		d := jsondoc.New(nil)
		for i := range matches {
			d.Truncate(0)
			w.encode(d, rec, &matches[i])
			if !yield(d.Bytes(), nil) {
				return
			}
		}
	})
	f.json.Matches = &f.count
	f.heads = findHeads
	return w.format.add(f)
}

func matchCount(n int) string {
	if n == 1 {
		return "1 match"
	}
	return fmt.Sprintf("%d matches", n)
}

// Close writes the end: the queries without a match. complete reports whether all files were added. If there are several
// queries, a table also has how many have each outcome. The best outcome of a query counts.
func (w *FindWriter) Close(complete bool) error {
	e := &listEnd{complete: complete}
	in := layout.Count(w.files, "file")
	sum := jsonFindSummary{Files: w.files, Matches: w.count, Queries: len(w.queries), NotFound: []string{},
		Complete: complete}
	var n [4]int
	var missing []string
	for i, q := range w.queries {
		switch o := w.outcomes[i]; {
		case o.found:
			n[0]++
		case o.missed:
			n[1]++
		case o.any:
			n[2]++
		default:
			n[3]++
			sum.NotFound = append(sum.NotFound, rule.Text(q.Text))
			row := make([]string, len(findHeader))
			row[0], row[1] = layout.Cell(q.Text), "not found"
			e.cells = append(e.cells, row)
			text := "not found in " + in + ": " + layout.Printable(q.Text)
			if q.Tree == webcapture.URLS && string(q.Key) != q.Text {
				text += " (looked up as " + layout.Printable(string(q.Key)) + ")"
			}
			missing = append(missing, text)
		}
	}
	sum.Found = n[0]
	e.summary = sum
	if len(missing) > 0 {
		e.text = append(e.text, strings.Join(missing, "\n"))
	}
	var parts []string
	for i, what := range []string{"found", "missed by a viewer", "only in another form or as another capture",
		"not found"} {
		if n[i] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[i], what))
		}
	}
	switch {
	case len(w.queries) > 1:
		e.text = append(e.text, fmt.Sprintf("Total of %d in %s: %s", len(w.queries), in, strings.Join(parts, ", ")))
	case n[3] == 0:
		e.text = append(e.text, "Searched "+in+".")
	}
	return w.format.end(e)
}

// findHeads are the headings of matchCells.
var findHeads = append([]string{"Answer"}, headsOf(false)...)

// matchCells appends the cells of a row for people.
func matchCells(d *jsondoc.Document, _ *report.Record, m *find.Match) {
	cells := cellsOf(m.Capture, Elsewhere{})
	if url := &cells[len(cells)-2]; *url == "" {
		*url = "ID " + hex.EncodeToString([]byte(m.Capture.ID))
	}
	d.Text(answerText(m) + cellEnd + strings.Join(cells, cellEnd))
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

type (
	jsonQuery struct {
		Text string       `json:"text"`
		Tree string       `json:"tree"`
		Key  nametree.Key `json:"key"`
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

func (w *FindWriter) json(d *jsondoc.Document, _ *report.Record, m *find.Match) {
	d.Value(struct {
		Query   string           `json:"query"`
		Answer  find.Answer      `json:"answer"`
		Rules   []string         `json:"rules,omitempty"`
		Differs []string         `json:"differs,omitempty"`
		Capture *jsondoc.Capture `json:"capture"`
	}{rule.Text(w.queries[m.Query].Text), m.Answer, m.Rules, m.Differs, jsondoc.CaptureOf(m.Capture)})
}

var findHeader = []string{"query", "answer", "path", "captured", "url", "kind", "pages", "title", "rules", "differs",
	"canonical_url", "id", "object"}

func (w *FindWriter) csv(d *jsondoc.Document, rec *report.Record, m *find.Match) {
	c := m.Capture
	writeCells(d, []string{w.queries[m.Query].Text, string(m.Answer), rec.Path, dateText(c.Captured()), c.URL,
		string(c.Kind), pagesText(c.Pages), c.Title, strings.Join(m.Rules, " "), strings.Join(m.Differs, ", "),
		c.Canonical, hex.EncodeToString([]byte(c.ID)), refText(c.Object)})
}
