package show

import (
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

// A FindWriter writes the matches in files, in one format.
type FindWriter struct {
	format  listFormat
	encode  func(*jsondoc.Document, *find.Match) // appends a row of the format
	isTable bool                                 // only files with matches are listed

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
	out := &FindWriter{format: findList.in(format, w, width, version), isTable: format == "table", queries: queries,
		outcomes: make([]queryOutcome, len(queries))}
	switch format {
	case "table":
		out.encode = matchCells
	case "json", "ndjson":
		out.encode = out.json
	case "csv":
		out.encode = out.csv
	default:
		return nil
	}
	return out
}

var findList = list{schema: "webcap.find/1", member: "matches", header: findHeader, rows: writeColumns}

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
			w.encode(d, &matches[i])
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
			row[3], row[4] = layout.Cell(q.Text), "not found"
			e.cells = append(e.cells, row)
			text := "not found in " + in + ": " + layout.Printable(q.Text)
			if q.Tree == webcapture.URLS && string(q.Key) != q.Text {
				text += " (looked up as " + layout.Printable(string(q.Key)) + ")"
			}
			missing = append(missing, text)
		}
	}
	sum.Found = n[0]
	if n[1] > 0 {
		e.text = append(e.text, "webcap audit says why a viewer misses a capture.")
	}
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
var findHeads = append([]string{"Answer"}, captureHeads...)

// matchCells appends the cells of a row for people.
func matchCells(d *jsondoc.Document, m *find.Match) {
	cells := cellsOf(m.Capture)
	if url := &cells[len(cells)-2]; *url == "" {
		*url = "ID " + m.Capture.ID.String()
	}
	d.Text(answerTexts[m.Answer] + cellEnd + strings.Join(cells, cellEnd))
}

var answerTexts = map[find.Answer]string{find.Found: "found", find.Missed: "a viewer misses it",
	find.OtherCapture: "the key leads to this other capture", find.OtherForm: "captured under another form",
	find.Redirected: "redirected to this capture"}

type jsonFindSummary struct {
	Files    int      `json:"files"`
	Matches  int      `json:"matches"`
	Queries  int      `json:"queries"`
	Found    int      `json:"found"`
	NotFound []string `json:"notFound"`
	Complete bool     `json:"complete"`
}

func (w *FindWriter) json(d *jsondoc.Document, m *find.Match) {
	d.Value(struct {
		Query   string           `json:"query"`
		Answer  find.Answer      `json:"answer"`
		Capture *catalog.Capture `json:"capture"`
	}{rule.Text(w.queries[m.Query].Text), m.Answer, m.Capture})
}

var findHeader = []string{"path", "sha256", "outcome", "query", "answer", "captured", "url", "kind", "pages", "title",
	"canonical_url", "id", "object", "reason"}

func (w *FindWriter) csv(d *jsondoc.Document, m *find.Match) {
	c := m.Capture
	writeCells(d, []string{w.queries[m.Query].Text, string(m.Answer), dateText(c), string(c.URL), string(c.Kind),
		pagesText(c.Pages), c.Title, string(c.Canonical), c.ID.String(), refText(c.Object)})
}
