package report

import (
	"io"
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// A markdownWriter writes records for pages that show Markdown: totals, then a section for each listed input. It shows
// some examples of each kind of finding, and the number of the others; JSON has all.
//
// Text from files is formatted as code, so that renderers see neither links nor markup in it. The two characters
// that could end the code are escaped.
type markdownWriter struct {
	inputList
	w   io.Writer
	doc *layout.Buffer
}

// newMarkdown returns a markdownWriter that writes to w.
func newMarkdown(w io.Writer, o Options) *markdownWriter {
	return &markdownWriter{inputList: inputList{opt: o}, w: w}
}

// Add stores the section of a record.
func (m *markdownWriter) Add(r *Record) error {
	to := m.add(r)
	if to == nil {
		return nil
	}
	m.doc = layout.NewBuffer(to)
	return m.section(r)
}

// section writes the section of a record.
func (m *markdownWriter) section(r *Record) error {
	m.headline(r)
	if r.Report == nil {
		return m.doc.Flush()
	}
	m.structure(r.Report)
	if err := m.findings(r); err != nil {
		return err
	}
	m.ignoredFindings(r.Ignored)
	m.identities(r.Report)
	m.unread(r.Report.Unread)
	return m.doc.Flush()
}

// headline writes the path and the result of the input.
func (m *markdownWriter) headline(r *Record) {
	m.doc.Text("\n## " + markdownCode(r.Path) + "\n\n")
	if r.Report == nil {
		m.doc.Text(markdownCode(r.Result()) + "\n")
		return
	}
	m.doc.Text(r.Result() + "\n")
}

func (m *markdownWriter) structure(rep *audit.Report) {
	if !rep.WithoutXRef && len(rep.Notices) == 0 {
		return
	}
	m.doc.Text("\n")
	if rep.WithoutXRef {
		m.doc.Text("- structure: " + phrase.Repaired + "\n")
	}
	for i, n := range rep.Notices {
		if i == phrase.MaxNotices {
			m.doc.Text("- " + phrase.MoreOf(len(rep.Notices)-i) + "\n")
			break
		}
		m.doc.Text("- structure: " + markdownCode(n) + "\n")
	}
}

// findings writes the state of a file, its findings by rule with some examples, and the next step. The highest
// level comes first.
func (m *markdownWriter) findings(r *Record) error {
	blocks := GroupsOf(r.Report, maxShown)
	listed := m.opt.listed(blocks)
	if len(listed) == 0 {
		return nil
	}
	if text := blocks.Verdict(r.Report); text != "" {
		m.doc.Text("\n" + text + "\n")
	}
	if what, command := blocks.NextStep(r.Report, r.Path, &m.opt); what != "" {
		m.doc.Text("\n" + what + " " + markdownCode(command) + "\n")
	}
	m.header("Level", "Rule", "Place", "Finding")
	for _, b := range listed {
		for _, f := range b.Examples {
			m.row(f.Level().String(), ruleLink(f.Rule), markdownCode(f.Place.String()), markdownCode(f.Message))
		}
		if more := b.more(Options{Verbose: true}); more != "" {
			m.row(b.Rule.Level.String(), ruleLink(b.Rule), "", more)
		}
		if err := m.doc.FlushIfLarge(); err != nil {
			return err
		}
	}
	return nil
}

func (m *markdownWriter) ignoredFindings(list []Ignored) {
	if len(list) == 0 {
		return
	}
	m.header("Ignored", "Rule", "Place", "Finding", "Reason")
	for i := range list {
		if i == maxShown {
			m.row("", "", "", phrase.MoreOf(len(list)-i), "")
			break
		}
		f := &list[i]
		m.row(f.Level().String(), ruleLink(f.Rule), markdownCode(f.Place.String()), markdownCode(f.Message),
			markdownCode(f.Reason))
	}
}

func (m *markdownWriter) identities(rep *audit.Report) {
	if len(rep.Identities) == 0 {
		return
	}
	m.doc.Text("\nIdentifiers: " + ProofsOf(rep).String() + "\n")
	m.header("Identifier", "Content set")
	for _, row := range IdentityRows(rep, maxShown) {
		m.row(row[0], markdownCode(row[1]))
	}
}

func (m *markdownWriter) unread(list []rule.Unread) {
	if len(list) == 0 {
		return
	}
	m.doc.Text("\nCould not be checked:\n\n")
	for i, u := range list {
		if i == phrase.MaxUnread {
			m.doc.Text("- " + phrase.MoreOf(len(list)-i) + "\n")
			break
		}
		m.doc.Text("- " + markdownCode(phrase.Unread(u)) + "\n")
	}
}

func (m *markdownWriter) header(names ...string) {
	m.doc.Text("\n")
	m.row(names...)
	m.doc.Text(strings.Repeat("| --- ", len(names)) + "|\n")
}

func (m *markdownWriter) row(cells ...string) {
	for _, c := range cells {
		m.doc.Text("| ")
		m.doc.Text(c)
		m.doc.Text(" ")
	}
	m.doc.Text("|\n")
}

// Close writes totals and sections.
func (m *markdownWriter) Close(end End) error {
	defer m.close()
	m.doc = layout.NewBuffer(m.w)
	m.totals(end)
	if err := m.doc.Flush(); err != nil {
		return err
	}
	return m.copyTo(m.w)
}

// totals writes the title and the totals of all records.
func (m *markdownWriter) totals(end End) {
	t := &m.tally
	m.doc.Text("# Web Capture audit\n")
	if m.opt.Version != "" {
		m.doc.Text("\nwebcap " + markdownCode(m.opt.Version) + "\n")
	}
	if end != Complete {
		m.doc.Text("\n**The results are incomplete: " + end.Reason() + ".**\n")
	}
	m.doc.Text("\n" + t.InputsText() + "\n")
	if text := t.ConfigurationText(&m.opt.Head); text != "" {
		m.doc.Text("\n" + markupEscapes.Replace(text) + "\n")
	}
	if t.Proofs != (Proofs{}) {
		m.doc.Text("\nIdentifiers: " + t.Proofs.String() + "\n")
	}
	if len(t.rules) > 0 {
		m.doc.Text("\n" + t.LevelsText() + ":\n")
		m.header("Level", "Rule", "Findings", "What is wrong")
		for _, r := range t.Rules() {
			m.row(r.Level.String(), ruleLink(r), strconv.Itoa(t.ByRule[r.ID]), problemOf(r))
		}
	}
	if command := t.RepairCommand(&m.opt); command != "" && t.Inputs > 1 {
		m.doc.Text("\n" + showsRepairs + " " + markdownCode(command) + "\n")
	}
	if text := m.unlistedText(); text != "" {
		m.doc.Text("\n" + text + "\n")
	}
}

// markdownCode formats text from a file as code.
func markdownCode(s string) string {
	if s == "" {
		return ""
	}
	return "`" + codeEscapes.Replace(layout.Printable(s)) + "`"
}

var codeEscapes = strings.NewReplacer("`", `\x60`, "|", `\x7c`)

// ruleLink returns the ID of a rule with a link to its documentation. There is no link if this version of webcap
// does not have the rule, which may come from results of another version.
func ruleLink(r *rule.Rule) string {
	if url := ruleURL(r); url != "" {
		return "[" + r.ID + "](" + url + ")"
	}
	return markdownCode(r.ID)
}

// projectURL is the address of the project with its documentation.
const projectURL = "https://github.com/webcap-tools/webcap"

// ruleURL returns the address of a rule's documentation. It is empty for an unknown rule.
func ruleURL(r *rule.Rule) string {
	known, ok := audit.Lookup(r.ID)
	if !ok {
		return ""
	}
	return projectURL + "/blob/main/docs/rules/" + known.Group().Page() + "#" + known.ID
}

// problemOf returns the problem text of a rule. Text that this version of webcap does not have comes from results,
// and is formatted as code.
func problemOf(r *rule.Rule) string {
	if known, ok := audit.Lookup(r.ID); ok && known.Problem == r.Problem {
		return markupEscapes.Replace(r.Problem)
	}
	return markdownCode(r.Problem)
}

var markupEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`, `#`, `\#`, `|`, `\|`, `~`,
	`\~`,
)
