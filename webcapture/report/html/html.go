// Package html writes the results of audits as one page for browsers.
package html

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Limits of an HTML page. The page says how many items it omits; JSON has all of them.
const (
	maxRows    = 500      // findings of a rule in a file
	maxMarkup  = 24 << 20 // bytes of sections; further files get no section
	maxFiles   = 2000     // files in the overview
	maxSets    = 100      // content sets of one file, of each kind of proof
	maxNotices = 50       // notices of one file, unread parts, and ignored findings
)

var (
	//go:embed *.tmpl
	templateFiles embed.FS
	// Style is the style sheet of all pages.
	//
	//go:embed style.css
	Style string
	//go:embed script.js
	script string
)

// templates parses the templates once, and only for a page: most runs write none.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"group": group, "printable": layout.Printable, "unread": phrase.Unread,
		"count": func(n int, noun string) string {
			_, noun, _ = strings.Cut(layout.Count(n, noun), " ")
			return group(n) + " " + noun
		},
	}).ParseFS(templateFiles, "*.tmpl"))
})

// Policy returns the Content-Security-Policy of a page with a style sheet and a script. The page cannot load or run
// anything else, even if text from a file contained markup.
func Policy(style, script string) string {
	return "default-src 'none'; style-src '" + policyHash(style) + "'; script-src '" + policyHash(script) +
		"'; img-src data:; base-uri 'none'; form-action 'none'"
}

func policyHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// A writer writes records as one self-contained page. The page works without scripts, and can be filtered with
// them.
//
// The page begins with an overview, which needs all records. So the text about each file waits in a temporary file,
// and Close writes the page. Styles could move an overview at the end to the top, but without styles, and in screen
// readers, it would still come last.
//
// Two steps make text from files harmless: [layout.Printable] escapes control and format characters, and
// html/template escapes markup. All text passes through both steps.
type writer struct {
	w     io.Writer
	opt   report.Options
	tally report.Tally

	files          []fileRow // rows of the overview
	withoutSection int       // number of files without a section
	sections       spool.Spool
}

// Format is the format of results.
var Format = report.Format{
	Name: "html", Doc: "one page, for browsers",
	New: func(w io.Writer, o report.Options) report.Writer { return newWriter(w, o) },
}

// newWriter returns a writer that writes to w.
func newWriter(w io.Writer, o report.Options) *writer { return &writer{w: w, opt: o} }

// A fileRow is a file in the overview.
type fileRow struct {
	Number  int
	Path    string
	Verdict report.Verdict
	report.Levels
	Section bool // the page has a section for the file
}

// Class returns the style class of the verdict.
func (r fileRow) Class() string {
	switch r.Verdict {
	case report.WithErrors:
		return "error"
	case report.WithWarnings, report.InPart:
		return "warning"
	case report.NotAudited:
		return "is-error"
	case report.IsClean:
		return "is-clean"
	}
	return "is-none"
}

// Add stores a record for Close. The error is that of a temporary file.
func (h *writer) Add(r *report.Record) error {
	h.tally.Add(r)
	row := fileRow{Number: h.tally.Inputs, Path: r.Path, Verdict: r.Verdict(), Section: h.sections.Len() < maxMarkup}
	if r.Report != nil {
		row.Levels = report.LevelsOf(r.Report)
	}
	if len(h.files) < maxFiles {
		h.files = append(h.files, row)
	}
	if !row.Section {
		h.withoutSection++
		return nil
	}
	return templates().ExecuteTemplate(&h.sections, "file", newFileSection(r, row, &h.opt))
}

// pageData holds the totals of the page, over all files.
type pageData struct {
	*report.Tally
	Opt           report.Options
	Policy, Style string
	Incomplete    string    // reason; "" if the results are complete
	Configuration string    // effect of the configuration on the results; empty if there is none
	Files         []fileRow // worst first
	FilesLeft     int       // number of files not in Files
	Undrawn       int       // number of files without a section
	Date, Where   string    // "" if unknown
	Repair        string    // command that repairs all files; "" if there is none
}

// Close writes the page.
func (h *writer) Close(end report.End) error {
	defer h.sections.Close()
	slices.SortStableFunc(h.files, fileRow.compare)
	page := pageData{
		Tally: &h.tally, Opt: h.opt, Policy: Policy(Style, script), Style: Style, Incomplete: end.Reason(),
		Configuration: h.tally.ConfigurationText(&h.opt.Head), Files: h.files, FilesLeft: h.tally.Inputs - len(h.files),
		Undrawn: h.withoutSection, Where: h.folder(), Repair: h.tally.RepairCommand(&h.opt),
	}
	if !h.opt.Time.IsZero() {
		page.Date = h.opt.Time.UTC().Format("2006-01-02 15:04 UTC")
	}
	w := bufio.NewWriter(h.w)
	if err := templates().ExecuteTemplate(w, "begin", page); err != nil {
		return err
	}
	if err := h.sections.CopyTo(w); err != nil {
		return err
	}
	if err := templates().ExecuteTemplate(w, "end", page); err != nil {
		return err
	}
	if _, err := w.WriteString("<script>" + script + "</script>\n</body>\n</html>\n"); err != nil {
		return err
	}
	return w.Flush()
}

// folder returns the audited folder, or the working directory. It is "" if unknown.
func (h *writer) folder() string {
	folder := h.opt.Folder
	for _, parent := range []string{h.opt.Directory, h.opt.Base} {
		if !path.IsAbs(folder) {
			folder = path.Join(parent, folder)
		}
	}
	return folder
}

// compare orders files by errors, then by verdict, then by warnings and notes.
func (r fileRow) compare(s fileRow) int {
	return cmp.Or(s.Error-r.Error, int(r.Verdict)-int(s.Verdict), s.Warning-r.Warning, s.Note-r.Note)
}

// Title returns the totals of the page.
func (p pageData) Title() string {
	return p.LevelsText() + " in " + layout.Count(p.Inputs-p.Verdicts[report.NoFiles], "file")
}

// StyleElement returns the style element as trusted markup.
func (p pageData) StyleElement() template.HTML {
	return template.HTML("<style>" + p.Style + "</style>")
}

// group formats n with commas between groups of thousands.
func group(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
