package report

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
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// What an HTML page shows at most. It says what it leaves out; JSON has it all.
const (
	maxHTMLRows    = 2000     // findings of one file in the markup, for readers without scripts
	maxHTMLData    = 100_000  // findings as data, for the search
	maxHTMLMarkup  = 24 << 20 // bytes about files; those that come after that many are left out
	maxHTMLFiles   = 2000     // in the overview
	maxHTMLNext    = 3        // files with what to do next in the overview: their sections have it, too
	maxHTMLSets    = 256      // content sets of one file
	maxHTMLNotices = 50       // notices of one file, and parts that could not be checked
)

var (
	//go:embed html/*.tmpl
	htmlFiles embed.FS
	//go:embed html/style.css
	htmlStyle string
	//go:embed html/script.js
	htmlScript string
)

var htmlTemplates = template.Must(template.New("").Funcs(template.FuncMap{
	"group": group, "printable": layout.Printable, "count": func(n int, noun string) string { return group(n) + " " + plural(n, noun) },
}).ParseFS(htmlFiles, "html/*.tmpl"))

// htmlPolicy lets the page load nothing and run nothing but its own style and
// script, whatever should have got into it.
var htmlPolicy = "default-src 'none'; style-src '" + htmlHash(htmlStyle) + "'; script-src '" + htmlHash(htmlScript) +
	"'; img-src data:; base-uri 'none'; form-action 'none'"

func htmlHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// An htmlWriter writes records as one page that needs nothing beside itself: to be
// read without scripts, and searched with them.
//
// The page begins with an overview, for which the last record has to be known.
// What is said of each file therefore waits in temporary files, and all is written
// by Close. To write the overview last, and put it first by style, would spare
// them; but then readers without style, and those who listen, would come to it last.
//
// Two things make text of files harmless: [layout.Printable], which leaves no control or
// format character in it, and the escaping of html/template and encoding/json.
// There is no other way into the page.
type htmlWriter struct {
	w     io.Writer
	opt   Options
	tally tally

	files          []htmlRow   // of the overview
	filesLeft      int         // not among files
	withoutSection int         // without a section
	worst          [levels]int // files with findings, by the worst of them
	data           int         // findings that the script knows
	sections       spool
	rows           spool
}

// newHTML returns a htmlWriter that writes to w. Its trees and content sets are
// those of Report.Outline; it takes Head, OnlyFailures and Base of the options.
func newHTML(w io.Writer, o Options) *htmlWriter { return &htmlWriter{w: w, opt: o} }

// An htmlRow is a file in the overview.
type htmlRow struct {
	Number                  int
	Path                    string
	Outcome                 Outcome
	Errors, Warnings, Notes int
	Class                   string // of what shows the outcome
	Verdict                 string // what a tool has made of it; empty if that is not known
	Next, Command           string // how much can be repaired, and the command that does it
	Section                 bool   // the page has one for the file
}

// Add notes a record. The error is that of a temporary file.
func (h *htmlWriter) Add(r *Record) error {
	h.tally.add(r)
	if r.Outcome() == Findings {
		h.worst[r.Report.Worst()]++
	}
	if h.opt.leavesOut(r) {
		return nil
	}
	row := htmlRow{Number: h.tally.inputs, Path: layout.Printable(r.Path), Outcome: r.Outcome()}
	row.Class = "is-" + row.Outcome.String()
	if row.Outcome == Findings {
		row.Class = r.Report.Worst().String()
	}
	if r.Report != nil {
		blocks := blocksOf(r.Report, someShown)
		row.Verdict = verdict(r.Report, blocks)
		row.Next, row.Command = nextStep(r.Path, blocks)
		row.Errors, row.Warnings, row.Notes = r.Report.Count(audit.Error), r.Report.Count(audit.Warning), r.Report.Count(audit.Note)
	}
	names := Fingerprints(r, h.opt.Base, h.opt.Directory)
	known := min(len(names), maxHTMLData-h.data)
	if row.Section = h.sections.n < maxHTMLMarkup; !row.Section {
		h.withoutSection++
	} else if err := htmlTemplates.ExecuteTemplate(&h.sections, "file", newHTMLFile(r, row, names, known)); err != nil {
		return err
	}
	if len(h.files) < maxHTMLFiles {
		h.files = append(h.files, row)
	} else {
		h.filesLeft++
	}
	return h.addData(r, row, names[:known])
}

// addData adds findings to what the script searches.
func (h *htmlWriter) addData(r *Record, row htmlRow, names []string) error {
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
		f := r.Report.Findings.At(i)
		at := f.Place.String()
		out.Findings = append(out.Findings, []string{name, layout.Printable(f.Rule.ID), layout.Printable(at), layout.Printable(f.Message), fixText(f.Fix), proofs[setPlace(f.Place)], layout.Printable(r.Report.Subjects[at]), layout.Printable(r.Report.Positions[at])})
	}
	b, err := json.Marshal(out) // which leaves no < in it
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

// proofsOf returns what is known of the content sets that findings may name, by
// their places.
func proofsOf(rep *audit.Report) map[string]string {
	proofs := make(map[string]string, len(rep.Identities))
	for i := range rep.Identities {
		id := &rep.Identities[i]
		proofs[id.Place.String()] = id.Proof.String()
	}
	return proofs
}

// An htmlPage is what the page says of all files together.
type htmlPage struct {
	Policy, Style, Title string
	Version              string
	Incomplete           string // why; "" if it is not
	Inputs               string // in words
	Tiles                []htmlTile
	Outcomes             []htmlTile
	Rules                []htmlRule
	Files                []htmlRow // the worst first
	Next                 []htmlRow // those of them that can be repaired, and have the most to repair
	NextLeft             int
	FilesLeft, Undrawn   int
	Sources              []Source
	Proofs               string // in words; empty without sources
	Findings, Data       int
}

// An htmlTile is a number that stands out.
type htmlTile struct {
	Level        bool // of findings, which it leads to
	Class, Label string
	N            int
	X, Width     float64 // of its part of a bar, in percent
}

// An htmlRule is a rule that is broken, with what explains it.
type htmlRule struct {
	ID     string `json:"id"`
	Level  string `json:"level"`
	Title  string `json:"title"`
	Clause string `json:"clause"`
	Doc    string `json:"doc"`
	Repair string `json:"repair"`
	Count  int    `json:"count"`
	Part   int    `json:"-"` // of the most, in percent
}

func newHTMLRule(r *audit.Rule, count, most int) htmlRule {
	out := htmlRule{
		ID: layout.Printable(r.ID), Level: r.Level.String(), Title: layout.Printable(r.Problem), Clause: layout.Printable(r.Clause),
		Doc: layout.Printable(r.Doc), Repair: layout.Printable(r.Repair), Count: count, Part: max(1, 100*count/max(1, most)),
	}
	if known, ok := audit.Lookup(r.ID); ok && r.Doc == "" { // results name rules, and do not explain them
		out.Doc, out.Repair = known.Doc, known.Repair
	}
	return out
}

// Close writes the page.
func (h *htmlWriter) Close(end End) error {
	defer h.sections.close()
	defer h.rows.close()
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
		func() error { return htmlTemplates.ExecuteTemplate(w, "begin", page) },
		func() error { return h.sections.copyTo(w) },
		func() error { return htmlTemplates.ExecuteTemplate(w, "end", page) },
		text("<script type=\"application/json\" id=\"data\">{\"rules\":" + string(rules) + ",\n\"files\":["),
		func() error { return h.rows.copyTo(w) },
		text("]}</script>\n<script>" + htmlScript + "</script>\n</body>\n</html>\n"),
		w.Flush,
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (h *htmlWriter) page(end End) htmlPage {
	t := &h.tally
	page := htmlPage{
		Policy: htmlPolicy, Style: htmlStyle, Title: t.levelsText() + " in " + layout.Count(t.inputs-t.noFiles, "file"),
		Version: layout.Printable(h.opt.Version), Incomplete: end.reason(), Inputs: t.inputsText(),
		Files: h.files, FilesLeft: h.filesLeft, Undrawn: h.withoutSection, Sources: h.opt.Sources,
		Findings: t.found(), Data: h.data,
	}
	for l := audit.Error; l >= audit.Note; l-- {
		page.Tiles = append(page.Tiles, htmlTile{Level: true, Class: l.String(), Label: plural(t.levels[l], l.String()), N: t.levels[l]})
	}
	if t.withSources {
		page.Proofs = t.proofs.text()
		for _, p := range []struct {
			n     int
			proof audit.Proof
		}{{t.proofs.Verified, audit.Verified}, {t.proofs.Mismatch, audit.Mismatch}, {t.proofs.NotCheckable, audit.NotCheckable}} {
			page.Tiles = append(page.Tiles, htmlTile{Class: proofClass(p.proof.String()), Label: "identifiers " + p.proof.String(), N: p.n})
		}
	}
	x := 0.0
	for _, o := range []htmlTile{
		{Class: "is-clean", Label: "clean", N: t.outcomes[Clean]},
		{Class: "note", Label: "with notes at worst", N: h.worst[audit.Note]},
		{Class: "warning", Label: "with warnings at worst", N: h.worst[audit.Warning]},
		{Class: "error", Label: "with errors", N: h.worst[audit.Error]},
		{Class: "is-partial", Label: "checked in part", N: t.outcomes[Partial]},
		{Class: "is-error", Label: "not audited", N: t.notAudited()},
		{Class: "is-none", Label: "with nothing to audit", N: t.outcomes[Nothing]},
	} {
		if o.N > 0 {
			o.X, o.Width = x, 100*float64(o.N)/float64(t.inputs)
			x += o.Width
			page.Outcomes = append(page.Outcomes, o)
		}
	}
	list := t.sorted()
	most := 0
	for _, n := range t.byRule {
		most = max(most, n)
	}
	page.Rules = []htmlRule{} // an array in JSON, without rules too
	for _, r := range list {
		page.Rules = append(page.Rules, newHTMLRule(r, t.byRule[r.ID], most))
	}
	slices.SortStableFunc(page.Files, htmlRow.compare)
	for _, f := range page.Files {
		switch {
		case f.Next == "":
		case len(page.Next) < maxHTMLNext:
			page.Next = append(page.Next, f)
		default:
			page.NextLeft++
		}
	}
	return page
}

// compare orders files, the worst first: by errors, then those that could not be checked, then
// by warnings and notes.
func (r htmlRow) compare(s htmlRow) int {
	unchecked := func(r htmlRow) int {
		if r.Outcome == Partial || !r.Outcome.Audited() {
			return 1
		}
		return 0
	}
	return cmp.Or(s.Errors-r.Errors, unchecked(s)-unchecked(r), s.Warnings-r.Warnings, s.Notes-r.Notes)
}

// StyleElement returns the element, which is markup of our own.
func (p htmlPage) StyleElement() template.HTML {
	return template.HTML("<style>" + p.Style + "</style>")
}

// Left returns how many findings the script does not know.
func (p htmlPage) Left() int { return p.Findings - p.Data }

// plural returns a noun as it stands after n.
func plural(n int, noun string) string {
	_, s, _ := strings.Cut(layout.Count(n, noun), " ")
	return s
}

// group returns n with a comma between thousands.
func group(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
