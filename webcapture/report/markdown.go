package report

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A markdownWriter writes records for pages that show Markdown: totals, then a section for each listed input with the
// text of a table.
//
// Text from files is code, so that renderers see neither links nor markup in it. In a line, the two characters that
// could end the code are escaped. The text of a table is a block of indented lines, which nothing in it can end.
type markdownWriter struct {
	inputList
	w   io.Writer
	doc *layout.Buffer
}

// newMarkdown returns a markdownWriter that writes to w.
func newMarkdown(w io.Writer, o Options) *markdownWriter {
	return &markdownWriter{inputList: inputList{opt: o}, w: w}
}

// codeWidth is the line width of a table in Markdown.
const codeWidth = 100

// Add stores the section of a record.
func (m *markdownWriter) Add(r *Record) error {
	to := m.add(r)
	if to == nil {
		return nil
	}
	result := r.Result()
	if r.Report == nil || r.Accepted != "" { // the reason comes from elsewhere
		result = markdownCode(result)
	}
	if _, err := io.WriteString(to, "\n## "+markdownCode(r.Path)+"\n\n"+result+"\n"); err != nil || r.Report == nil {
		return err
	}
	t := table{inputList: inputList{opt: m.opt}, sheet: layout.NewSheet(&codeBlock{w: to}, codeWidth, false),
		examples: maxShown}
	if err := t.details(r); err != nil {
		return err
	}
	return t.sheet.Flush()
}

// codeBlock writes lines as an indented block of code.
type codeBlock struct {
	w      io.Writer
	inLine bool // a line, and so the block, has begun
	begun  bool
}

// Write writes all of p to the underlying writer.
func (c *codeBlock) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		begin := "    "
		switch {
		case c.inLine:
			begin = ""
		case !c.begun:
			begin = "\n    "
		}
		c.begun, c.inLine = true, !bytes.HasSuffix(line, []byte("\n"))
		if _, err := io.WriteString(c.w, begin+string(line)); err != nil {
			return 0, err
		}
	}
	return len(p), nil
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
