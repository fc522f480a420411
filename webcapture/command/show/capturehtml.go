package show

import (
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
	"github.com/webcap-tools/webcap/webcapture/report"
	page "github.com/webcap-tools/webcap/webcapture/report/html"
)

var (
	//go:embed captures.tmpl
	capturesPage string
	//go:embed captures.css
	capturesStyle string
	//go:embed captures.js
	capturesScript string
)

// capturesTemplate parses the template once, and only for a page.
var capturesTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"count": layout.Count}).Parse(capturesPage))
})

const (
	maxPageRows  = 20_000 // captures on a page; CSV has no such limit
	maxPageFiles = 2_000  // files on a page
	maxBars      = 60     // bars of the timeline
)

// captureHTML writes a page for browsers, with a timeline, a filter, and a table for each file. Close writes the
// whole page, because the timeline at its start includes all files.
type captureHTML struct {
	w        io.Writer
	version  string
	sections spool.Spool
	days     map[int64]int // number of captures by day, counted from 1970

	files, captures, shown, filesShown int
	kinds                              map[catalog.Kind]int
	compared                           bool
	onlyHere                           int
}

func newCaptureHTML(w io.Writer, version string) *captureHTML {
	return &captureHTML{w: w, version: version, days: map[int64]int{}, kinds: map[catalog.Kind]int{}}
}

func (w *captureHTML) Rows() func(*catalog.Capture, Elsewhere) []byte {
	var b strings.Builder
	return func(c *catalog.Capture, e Elsewhere) []byte {
		b.Reset()
		fmt.Fprintf(&b, `<tr data-kind="%s">`, c.Kind)
		cell := func(class, text string) {
			fmt.Fprintf(&b, `<td class="%s">%s</td>`, class, html.EscapeString(layout.Printable(text)))
		}
		cell("date", dateText(c.Captured()))
		if e.Compared {
			cell("date", e.text("no"))
		}
		cell("", string(c.Kind))
		cell("", pagesText(c.Pages))
		cell("", c.ContentType)
		cell("path", c.URL)
		cell("", c.Title)
		b.WriteString("</tr>\n")
		return []byte(b.String())
	}
}

// captureSection is a file on the page.
type captureSection struct {
	Path, Text string
	Compared   bool
	Rows       int // number of rows that follow
	Left       int // number of captures that are not shown
	Missing    []string
}

// Add stores a file for Close. The error is that of a temporary file.
func (w *captureHTML) Add(rec *report.Record, rows *CaptureRows) error {
	w.files++
	w.captures += rows.Len()
	for kind, n := range rows.Kinds {
		w.kinds[kind] += n
	}
	w.compared = w.compared || rows.Compared
	w.onlyHere += rows.OnlyHere
	for when := range rows.Dates() {
		w.days[floorDiv(when.Unix(), secondsADay)]++
	}
	if w.filesShown >= maxPageFiles {
		return rows.Err()
	}
	w.filesShown++
	section := captureSection{Path: layout.Printable(rec.Path), Text: fileText(rec, rows), Compared: rows.Compared,
		Rows: min(rows.Len(), maxPageRows-w.shown)}
	section.Left = rows.Len() - section.Rows
	w.shown += section.Rows
	if rec.Report != nil {
		section.Missing = phrase.UnreadLines(rec.Report)
	}
	if err := capturesTemplate().ExecuteTemplate(&w.sections, "file", section); err != nil {
		return err
	}
	n := 0
	for row := range rows.All() {
		if n++; n > section.Rows {
			break
		}
		if _, err := w.sections.Write(row); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return capturesTemplate().ExecuteTemplate(&w.sections, "file end", section)
}

const secondsADay = 24 * 60 * 60

func floorDiv(a, b int64) int64 {
	if a%b < 0 {
		return a/b - 1
	}
	return a / b
}

// captureOverview is the data of the first part of the page.
type captureOverview struct {
	Policy, Version string
	Style           template.CSS
	Text            string
	Index           string // captures that are missing in the index; empty without an index
	Bars            []timelineBar
	First, Last     string
	Left            int // number of captures that are not shown
	FilesLeft       int
	Interrupted     bool
	Shown           int
}

// Close writes the page.
func (w *captureHTML) Close(complete bool) error {
	defer w.sections.Close()
	style := page.Style + capturesStyle
	o := captureOverview{Policy: page.Policy(style, capturesScript), Version: w.version, Style: template.CSS(style),
		Text: layout.Count(w.captures, "capture") + kindsText(w.kinds) + " in " + layout.Count(w.files, "file"),
		Left: w.captures - w.shown, FilesLeft: w.files - w.filesShown, Interrupted: !complete, Shown: w.shown}
	if w.compared {
		o.Index = fmt.Sprintf("Not in the index: %d of %s", w.onlyHere, layout.Count(w.captures, "capture"))
	}
	if o.Bars = timeline(w.days); len(o.Bars) > 0 {
		o.First, o.Last = o.Bars[0].Name, o.Bars[len(o.Bars)-1].Name
	}
	if err := capturesTemplate().ExecuteTemplate(w.w, "begin", o); err != nil {
		return err
	}
	if err := w.sections.CopyTo(w.w); err != nil {
		return err
	}
	if err := capturesTemplate().ExecuteTemplate(w.w, "end", o); err != nil {
		return err
	}
	_, err := io.WriteString(w.w, "<script>"+capturesScript+"</script>\n</body>\n</html>\n")
	return err
}

// A timelineBar represents the captures of a day, a month, or some years.
type timelineBar struct {
	Name              string
	Count             int
	X, Y, Width, High float64 // in a box of 100 × 20
}

// timeline returns bars for the captures by day, by month, or by a number of years, so that there are few bars. It
// omits bars without captures, and returns no bars if only one is left.
func timeline(days map[int64]int) []timelineBar {
	if len(days) == 0 {
		return nil
	}
	sorted := slices.Sorted(maps.Keys(days))
	date := func(day int64) time.Time { return time.Unix(day*secondsADay, 0).UTC() }
	first, last := date(sorted[0]), date(sorted[len(sorted)-1])
	months := func(t time.Time) int { return 12*t.Year() + int(t.Month()) - 1 }
	slot := func(t time.Time) int { return int(t.Sub(first).Hours() / 24) }
	name := func(t time.Time) string { return t.Format(time.DateOnly) }
	switch years := (last.Year()-first.Year())/maxBars + 1; {
	case months(last)-months(first) >= maxBars:
		slot = func(t time.Time) int { return (t.Year() - first.Year()) / years }
		name = func(t time.Time) string {
			from := first.Year() + slot(t)*years
			if years == 1 {
				return fmt.Sprintf("%04d", from)
			}
			return fmt.Sprintf("%04d to %04d", from, from+years-1)
		}
	case slot(last) >= maxBars:
		slot = func(t time.Time) int { return months(t) - months(first) }
		name = func(t time.Time) string { return t.Format("2006-01") }
	}
	slots := slot(last) + 1
	if slots == 1 {
		return nil
	}
	var bars []timelineBar
	most, width := 0, 100/float64(slots)
	for _, day := range sorted {
		t := date(day)
		x := float64(slot(t)) * width
		if n := len(bars); n == 0 || bars[n-1].X != x {
			bars = append(bars, timelineBar{Name: name(t), X: x, Width: 0.9 * width})
		}
		b := &bars[len(bars)-1]
		b.Count += days[day]
		most = max(most, b.Count)
	}
	for i := range bars {
		bars[i].High = max(20*float64(bars[i].Count)/float64(most), 0.5)
		bars[i].Y = 20 - bars[i].High
	}
	return bars
}
