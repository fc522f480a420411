// Package html writes the results of audits as one page for browsers.
package html

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Limits of an HTML page. The page says how many items it omits; JSON has all of them.
const (
	maxRows       = 2000     // findings of one file in the markup, which browsers without scripts show
	maxData       = 100_000  // findings as data, for the search
	maxMarkup     = 24 << 20 // bytes of sections; further files get no section
	maxFiles      = 2000     // files in the overview
	maxNotAudited = 20       // names of files that were not audited, in the overview
	maxSets       = 256      // content sets of one file that were compared with sources
	maxNotices    = 50       // notices of one file, and unread parts
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
		"group": group, "printable": layout.Printable,
		"count": func(n int, noun string) string { return group(n) + " " + plural(n, noun) },
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

// A writer writes records as one self-contained page. The page works without scripts, and can be searched with
// them.
//
// The page begins with an overview, which needs all records. So the text about each file waits in temporary files,
// and Close writes the page. Styles could move an overview at the end to the top, but without styles, and in screen
// readers, it would still come last.
//
// Two steps make text from files harmless: [layout.Printable] escapes control and format characters, and
// html/template and encoding/json escape markup. All text passes through both steps.
type writer struct {
	w     io.Writer
	opt   report.Options
	tally report.Tally

	files          []fileRow // rows of the overview
	filesLeft      int       // number of files not in files
	notAudited     []string  // paths of the first files that were not audited
	withoutSection int       // number of files without a section
	data           int       // number of findings in the data of the script
	todos          []*todo
	todo           map[string]*todo // by cause
	sections       spool.Spool
	rows           spool.Spool
}

// Format is the format of results.
var Format = report.Format{
	Name: "html", Doc: "one page, for browsers",
	New: func(w io.Writer, o report.Options) report.Writer { return newWriter(w, o) },
}

// newWriter returns a writer that writes to w.
func newWriter(w io.Writer, o report.Options) *writer {
	return &writer{w: w, opt: o, todo: map[string]*todo{}}
}

// A fileRow is a file in the overview.
type fileRow struct {
	Number                  int
	Path                    string
	Outcome                 report.Outcome
	Errors, Warnings, Notes int
	Class                   string // style class of the outcome
	Verdict                 string // damage by a tool; empty if unknown
	Next, Command           string // see report.Groups.NextStep
	Section                 bool   // the page has a section for the file
}

// Add stores a record for Close. The error is that of a temporary file.
func (h *writer) Add(r *report.Record) error {
	h.tally.Add(r)
	if r.Verdict() == report.NotAudited && len(h.notAudited) < maxNotAudited {
		h.notAudited = append(h.notAudited, layout.Printable(r.Path))
	}
	row := fileRow{Number: h.tally.Inputs, Path: layout.Printable(r.Path), Outcome: r.Outcome()}
	row.Class = "is-" + row.Outcome.String()
	if row.Outcome == report.Findings {
		row.Class = r.Report.Worst().String()
	}
	if r.Verdict() == report.IsAccepted {
		row.Class = "is-none"
	}
	var blocks report.Groups
	if r.Report != nil {
		blocks = report.GroupsOf(r.Report, report.SomeShown)
		row.Verdict = blocks.Verdict(r.Report)
		row.Next, row.Command = blocks.NextStep(r.Report, r.Path, &h.opt)
		row.Errors, row.Warnings, row.Notes = r.Report.Count(rule.Error), r.Report.Count(rule.Warning),
			r.Report.Count(rule.Note)
	}
	h.addTodo(r, blocks, row.Path)
	names := report.Fingerprints(r, report.FingerprintPath(r.Path, h.opt.Base, h.opt.Directory))
	known := min(len(names), maxData-h.data)
	if row.Section = h.sections.Len() < maxMarkup; !row.Section {
		h.withoutSection++
	} else if err := templates().ExecuteTemplate(&h.sections, "file", newFileSection(r, row, names, known)); err != nil {
		return err
	}
	if len(h.files) < maxFiles {
		h.files = append(h.files, row)
	} else {
		h.filesLeft++
	}
	return h.addData(r, row, names[:known])
}

// addData adds findings to the data that the script searches.
func (h *writer) addData(r *report.Record, row fileRow, names []string) error {
	if len(names) == 0 {
		return nil
	}
	type file struct {
		Path     string     `json:"path"`
		Number   int        `json:"number"`
		Section  bool       `json:"section"`
		Findings [][]string `json:"findings"`
	}
	proofs := proofsOf(r.Report)
	out := file{Path: row.Path, Number: row.Number, Section: row.Section}
	for i, name := range names {
		f := r.Report.Findings[i]
		at := f.Place.String()
		out.Findings = append(out.Findings, []string{name, layout.Printable(f.Rule.ID), layout.Printable(at),
			layout.Printable(f.Message), fixText(f.Fix), proofs[setPlace(f.Place)], layout.Printable(r.Report.Subjects[at]),
			layout.Printable(r.Report.Positions[at])})
	}
	b, err := json.Marshal(out) // Marshal escapes <
	if err != nil {
		return err
	}
	if h.data > 0 {
		b = append([]byte(",\n"), b...)
	}
	h.data += len(names)
	_, err = h.rows.Write(b)
	return err
}

// proofsOf returns the results of comparing content sets with sources, by place.
func proofsOf(rep *audit.Report) map[string]string {
	proofs := make(map[string]string, len(rep.Identities))
	for i := range rep.Identities {
		id := &rep.Identities[i]
		proofs[id.Place.String()] = id.Proof.String()
	}
	return proofs
}

// pageData holds the totals of the page, over all files.
type pageData struct {
	Policy, Style, Title  string
	Version               string
	Incomplete            string // reason; "" if the results are complete
	Inputs                string // as text
	Tiles                 []tile
	Outcomes              []tile
	Rules                 []ruleInfo
	Files                 []fileRow // worst first
	Next                  []*todo
	Date, Folder, Command string // "" if unknown
	FilesLeft, Undrawn    int
	Verdict               string
	NotAudited            []string
	NotAuditedLeft        int // number of further paths
	Sources               []report.Source
	Proofs                string // as text; empty without sources
	Configuration         string // effect of the configuration on the results; empty if there is none
	Findings, Data        int
}

// A tile is a highlighted number.
type tile struct {
	Level        bool // for a level of findings, with a link to them
	Class, Label string
	N            int
	X, Width     float64 // position and width in a bar, as percentages
}

// A ruleInfo is a violated rule with its explanation.
type ruleInfo struct {
	ID     string `json:"id"`
	Level  string `json:"level"`
	Title  string `json:"title"`
	Clause string `json:"clause"`
	Doc    string `json:"doc"`
	Repair string `json:"repair"`
	Count  int    `json:"count"`
	Part   int    `json:"-"` // relative to the most frequent rule, as a percentage
}

func newRuleInfo(r *rule.Rule, count, most int) ruleInfo {
	out := ruleInfo{
		ID: layout.Printable(r.ID), Level: r.Level.String(), Title: layout.Printable(r.Problem),
		Clause: layout.Printable(r.Clause),
		Doc:    layout.Printable(r.Doc), Repair: layout.Printable(r.Remedy()), Count: count,
		Part: max(1, 100*count/max(1, most)),
	}
	if known, ok := audit.Lookup(r.ID); ok && r.Doc == "" { // a rule that was read from results has no explanation
		out.Doc, out.Repair = known.Doc, known.Remedy()
	}
	return out
}

// Close writes the page.
func (h *writer) Close(end report.End) error {
	defer h.sections.Close()
	defer h.rows.Close()
	page := h.page(end)
	rules, err := json.Marshal(page.Rules)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(h.w)
	text := func(s string) func() error {
		return func() error {
			_, err := w.WriteString(s)
			return err
		}
	}
	for _, part := range []func() error{
		func() error { return templates().ExecuteTemplate(w, "begin", page) },
		func() error { return h.sections.CopyTo(w) },
		func() error { return templates().ExecuteTemplate(w, "end", page) },
		text("<script type=\"application/json\" id=\"data\">{\"rules\":" + string(rules) + ",\n\"files\":["),
		func() error { return h.rows.CopyTo(w) },
		text("]}</script>\n<script>" + script + "</script>\n</body>\n</html>\n"),
		w.Flush,
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (h *writer) page(end report.End) pageData {
	t := &h.tally
	page := pageData{
		Policy: Policy(Style, script), Style: Style,
		Title:   t.LevelsText() + " in " + layout.Count(t.Inputs-t.Verdicts[report.NoFiles], "file"),
		Version: layout.Printable(h.opt.Version), Incomplete: end.Reason(), Inputs: t.InputsText(),
		Configuration: t.ConfigurationText(&h.opt.Head),
		Files:         h.files, FilesLeft: h.filesLeft, Undrawn: h.withoutSection, Sources: h.opt.Sources,
		Findings: t.Found(), Data: h.data,
	}
	for l := rule.Error; l >= rule.Note; l-- {
		page.Tiles = append(page.Tiles, tile{Level: true, Class: l.String(), Label: plural(t.Levels[l], l.String()),
			N: t.Levels[l]})
	}
	if t.WithSources {
		page.Proofs = t.Proofs.String()
		for _, p := range []struct {
			n     int
			proof rule.Proof
		}{{t.Proofs.Verified, rule.Verified}, {t.Proofs.Mismatch, rule.Mismatch},
			{t.Proofs.NotCheckable, rule.NotCheckable}} {
			page.Tiles = append(page.Tiles, tile{Class: proofClass(p.proof.String()), Label: "identifiers " + p.proof.String(),
				N: p.n})
		}
	}
	x := 0.0
	for _, o := range []tile{
		{Class: "is-clean", N: t.Verdicts[report.IsClean], Label: report.IsClean.String()},
		{Class: "warning", N: t.Verdicts[report.WithWarnings], Label: report.WithWarnings.String()},
		{Class: "error", N: t.Verdicts[report.WithErrors], Label: report.WithErrors.String()},
		{Class: "is-partial", N: t.Verdicts[report.InPart], Label: report.InPart.String()},
		{Class: "is-error", N: t.Verdicts[report.NotAudited], Label: report.NotAudited.String()},
		{Class: "is-none", N: t.Verdicts[report.IsAccepted], Label: report.IsAccepted.String()},
		{Class: "is-none", N: t.Outcomes[report.Nothing], Label: "with nothing to audit"},
	} {
		if o.N > 0 {
			o.X, o.Width = x, 100*float64(o.N)/float64(t.Inputs)
			x += o.Width
			page.Outcomes = append(page.Outcomes, o)
		}
	}
	page.Verdict = verdict(t)
	page.NotAudited, page.NotAuditedLeft = h.notAudited, t.Verdicts[report.NotAudited]-len(h.notAudited)
	page.Rules = rulesOf(t)
	slices.SortStableFunc(page.Files, fileRow.compare)
	page.Next = slices.SortedStableFunc(slices.Values(h.todos), func(a, b *todo) int { return b.Files - a.Files })
	page.Command, page.Folder = layout.Printable(h.opt.Command), layout.Printable(h.folder())
	if !h.opt.Time.IsZero() {
		page.Date = h.opt.Time.UTC().Format("2006-01-02 15:04 UTC")
	}
	return page
}

// verdict summarizes the audit in one to three sentences.
func verdict(t *report.Tally) string {
	text := "No file was audited."
	skipped := t.Verdicts[report.NotAudited] + t.Verdicts[report.IsAccepted] + t.Verdicts[report.NoFiles]
	switch files := t.Inputs - skipped; {
	case t.Verdicts[report.WithErrors] > 0:
		text = fmt.Sprintf("Errors in %d of %s.", t.Verdicts[report.WithErrors], layout.Count(files, "audited file"))
	case t.Levels[rule.Error] > 0:
		text = "Files that were checked in part have errors."
	case t.Verdicts[report.WithWarnings] > 0:
		text = fmt.Sprintf("No errors; warnings in %d of %s.", t.Verdicts[report.WithWarnings],
			layout.Count(files, "audited file"))
	case files > 0:
		text = fmt.Sprintf("No errors and no warnings in %s.", layout.Count(files, "audited file"))
	}
	if n := t.Verdicts[report.InPart]; n > 0 {
		text += fmt.Sprintf(" webcap could check %s only in part.", layout.Count(n, "file"))
	}
	if n := t.Verdicts[report.NotAudited]; n > 0 {
		text += fmt.Sprintf(" webcap could not audit %s.", layout.Count(n, "file"))
	}
	return text
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

// rulesOf returns the violated rules. The list is never nil: JSON needs an empty array.
func rulesOf(t *report.Tally) []ruleInfo {
	most := 0
	for _, n := range t.ByRule {
		most = max(most, n)
	}
	list := []ruleInfo{}
	for _, r := range t.Rules() {
		list = append(list, newRuleInfo(r, t.ByRule[r.ID], most))
	}
	return list
}

// compare orders files by severity: by errors, then by whether they could not be audited completely, then by warnings
// and notes.
func (r fileRow) compare(s fileRow) int {
	unchecked := func(r fileRow) int {
		if r.Outcome == report.Partial || !r.Outcome.Audited() {
			return 1
		}
		return 0
	}
	return cmp.Or(s.Errors-r.Errors, unchecked(s)-unchecked(r), s.Warnings-r.Warnings, s.Notes-r.Notes)
}

// StyleElement returns the style element as trusted markup.
func (p pageData) StyleElement() template.HTML {
	return template.HTML("<style>" + p.Style + "</style>")
}

// Left returns the number of findings that the data of the script lack.
func (p pageData) Left() int { return p.Findings - p.Data }

// plural returns the form of a noun for n items.
func plural(n int, noun string) string {
	_, s, _ := strings.Cut(layout.Count(n, noun), " ")
	return s
}

// group formats n with commas between groups of thousands.
func group(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
