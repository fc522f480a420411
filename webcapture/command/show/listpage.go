package show

import (
	_ "embed"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
	"github.com/webcap-tools/webcap/webcapture/keys"
	page "github.com/webcap-tools/webcap/webcapture/report/html"
)

var (
	//go:embed list.tmpl
	listTemplates string
	//go:embed list.css
	listStyle string
	//go:embed keys.css
	keysStyle string
	//go:embed list.js
	listScript string
)

// listTemplate parses the template once, and only for a page.
var listTemplate = sync.OnceValue(func() *template.Template {
	functions := template.FuncMap{"count": layout.Count, "lower": strings.ToLower}
	return template.Must(template.New("").Funcs(functions).Parse(listTemplates))
})

const (
	maxPageRows  = 20_000 // rows on a page; CSV has no such limit
	maxPageFiles = 2_000  // files on a page
)

// pageTexts are the texts of a page that depend on its command.
type pageTexts struct {
	Title, Command, Noun string
	Search               string // placeholder of the field for a search
	Property             string // property of a row by which the page filters
	Values               []string
	Dates                bool // the rows have dates
	style                string
}

var (
	pageOfCaptures = pageTexts{Title: "Web captures", Command: "list", Noun: "capture", Search: "URL, title, date, type …",
		Property: "Kind", Values: []string{string(catalog.Page), string(catalog.Image), string(catalog.Other)}, Dates: true,
		style: page.Style + listStyle}
	pageOfKeys = pageTexts{Title: "Keys", Command: "keys", Noun: "key", Search: "key, reason, rule …",
		Property: "Verdict", Values: verdicts(), style: page.Style + listStyle + keysStyle}
)

func verdicts() (list []string) {
	for v := range keys.Verdicts {
		list = append(list, v.String())
	}
	return list
}

// listPage writes a page for browsers, with a filter and a table for each file. Its rows are HTML. The end writes the whole page, because its start is about all files.
type listPage struct {
	w        io.Writer
	version  string
	texts    *pageTexts
	sections spool.Spool

	files, filesLeft int
	shown, left      int // numbers of rows
}

// pageSection is a file on the page.
type pageSection struct {
	*pageTexts
	Path, Text string
	Heads      []string
	Rows       int // number of rows that follow
	Left       int // number of rows that are not shown
	Missing    []string
}

// add stores a file for the end. The error is that of a temporary file.
func (w *listPage) add(f *listedFile) error {
	if w.files == maxPageFiles {
		w.filesLeft++
		w.left += f.count
		return nil
	}
	w.files++
	section := pageSection{pageTexts: w.texts, Path: layout.Printable(f.rec.Path), Text: f.text, Heads: f.heads,
		Rows: min(f.count, maxPageRows-w.shown), Missing: f.missing()}
	section.Left = f.count - section.Rows
	w.shown += section.Rows
	w.left += section.Left
	if err := listTemplate().ExecuteTemplate(&w.sections, "file", section); err != nil {
		return err
	}
	n := 0
	for row, err := range f.rows {
		if n++; n > section.Rows {
			break
		}
		if err == nil {
			_, err = w.sections.Write(row)
		}
		if err == nil {
			_, err = io.WriteString(&w.sections, "\n")
		}
		if err != nil {
			return err
		}
	}
	return listTemplate().ExecuteTemplate(&w.sections, "file end", section)
}

// pageOverview is the data of the first part of the page.
type pageOverview struct {
	*pageTexts
	Policy, Version string
	Style           template.CSS
	Text            string
	Left            int // number of rows that are not shown
	FilesLeft       int
	Interrupted     string
}

// end writes the page.
func (w *listPage) end(e *listEnd) error {
	defer w.sections.Close()
	o := pageOverview{pageTexts: w.texts, Policy: page.Policy(w.texts.style, listScript), Version: w.version,
		Style: template.CSS(w.texts.style), Text: e.lead, Left: w.left, FilesLeft: w.filesLeft}
	if !e.complete {
		o.Interrupted = incomplete
	}
	if err := listTemplate().ExecuteTemplate(w.w, "begin", o); err != nil {
		return err
	}
	if err := w.sections.CopyTo(w.w); err != nil {
		return err
	}
	if err := listTemplate().ExecuteTemplate(w.w, "end", o); err != nil {
		return err
	}
	_, err := io.WriteString(w.w, "<script>"+listScript+"</script>\n</body>\n</html>\n")
	return err
}
