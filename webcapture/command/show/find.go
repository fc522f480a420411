package show

import (
	"fmt"
	"io"
	"slices"
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
	best         []int // by query: index of the best answer in find.Answers; that after the last one without a match
	files, count int   // numbers of searched files and of matches
}

// FindFormats returns the names of the formats of find.
func FindFormats() []string { return []string{"table", "json", "ndjson", "csv"} }

// NewFindWriter returns a writer of a format, or nil if the format is unknown. width is the width of a terminal; 0
// means that lines are not broken.
func NewFindWriter(format string, w io.Writer, width int, version string, queries []find.Query) *FindWriter {
	out := &FindWriter{format: findList.in(format, w, width, version), isTable: format == "table", queries: queries,
		best: slices.Repeat([]int{len(find.Answers)}, len(queries))}
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
		w.best[m.Query] = min(w.best[m.Query], slices.Index(find.Answers, m.Answer))
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
// queries, a table also has how many have each answer. The best answer to a query counts.
func (w *FindWriter) Close(complete bool) error {
	e := &listEnd{complete: complete}
	in := layout.Count(w.files, "file")
	sum := jsonFindSummary{Files: w.files, Matches: w.count, Queries: len(w.queries), NotFound: []string{},
		Complete: complete}
	n := make([]int, len(find.Answers)+1) // numbers of queries by best answer
	var missing []string
	for i, q := range w.queries {
		if n[w.best[i]]++; w.best[i] < len(find.Answers) {
			continue
		}
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
	sum.Found = n[slices.Index(find.Answers, find.Found)]
	e.summary = sum
	if n[slices.Index(find.Answers, find.Missed)] > 0 {
		e.text = append(e.text, "webcap audit says why a viewer misses a capture.")
	}
	if len(missing) > 0 {
		e.text = append(e.text, strings.Join(missing, "\n"))
	}
	var parts []string
	for i, count := range n {
		switch {
		case count > 0 && i < len(find.Answers):
			parts = append(parts, fmt.Sprintf("%d %s", count, find.Answers[i]))
		case count > 0:
			parts = append(parts, fmt.Sprintf("%d not found", count))
		}
	}
	switch {
	case len(w.queries) > 1:
		e.text = append(e.text, fmt.Sprintf("Total of %d in %s: %s", len(w.queries), in, strings.Join(parts, ", ")))
	case len(missing) == 0:
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
