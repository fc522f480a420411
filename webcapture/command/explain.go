package command

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

func (p *program) explain() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "say what a rule demands, and why",
		UsageText: "webcap explain [RULE...]",
		Description: `Without a RULE it lists all rules. The level of a rule follows from the verb of
its clause: shall is an error, should a warning, anything else a note. A rule's
examples are small documents: entries of the catalog, and objects.

  webcap explain
  webcap explain WC302`,
		Action: p.runExplain,
	}
}

func (p *program) runExplain(c *cli.Context) error {
	var rules []*audit.Rule
	for _, id := range c.Args().Slice() {
		r, ok := audit.Lookup(strings.ToUpper(id))
		if !ok {
			return usagef("explain", "there is no rule %q; \"webcap explain\" lists all", id)
		}
		rules = append(rules, r)
	}
	if len(rules) == 0 {
		p.listRules()
		return nil
	}
	for i, r := range rules {
		if i > 0 {
			p.stdout.WriteByte('\n')
		}
		p.explainRule(r)
	}
	return nil
}

// paragraph writes text after a label, which only the first line has, in lines
// of at most width characters, or one line if width is 0. Run sees the errors of
// p.stdout when it flushes it.
func (p *program) paragraph(label, text string, width int) {
	if width > 0 {
		width = max(width-len(label), 20)
	}
	for _, l := range layout.Wrap(text, width) {
		p.stdout.WriteString(label + l + "\n")
		label = strings.Repeat(" ", len(label))
	}
}

func (p *program) listRules() {
	rules := audit.Rules()
	for i, g := range audit.Groups() {
		first := true
		for _, r := range rules {
			if !strings.HasPrefix(r.ID, g.Prefix) {
				continue
			}
			if first && i > 0 {
				p.stdout.WriteByte('\n')
			}
			if first {
				p.stdout.WriteString(g.Prefix + "xx  " + g.Title + "\n")
			}
			first = false
			p.paragraph("  "+r.ID+"  "+pad(r.Level.String(), len("warning"))+"  ", r.Title, p.width)
		}
	}
}

func (p *program) explainRule(r *audit.Rule) {
	width := 80 // of running text, in a file and in a wide window too
	if p.width > 0 {
		width = min(width, p.width)
	}
	p.paragraph(r.ID+"  ", r.Problem+".", width)
	p.stdout.WriteByte('\n')
	p.paragraph("Rule:   ", r.Title, width)
	p.paragraph("Level:  ", r.Level.String(), width)
	p.paragraph("Clause: ", r.Clause, width)
	p.paragraph("Why:    ", r.Doc, width)
	p.paragraph("Repair: ", r.Repair, width)
	e := r.Examples()
	if e.Broken.Objects != "" {
		p.example("Broken:", e.Broken, width)
		p.stdout.WriteByte('\n')
		p.verbatim(e.Finding)
	}
	if e.Kept.Objects != "" {
		p.example("Kept:", e.Kept, width)
	}
}

func (p *program) example(label string, e audit.Example, width int) {
	p.stdout.WriteString("\n" + label + "\n")
	p.paragraph("  ", e.Comment, width)
	p.stdout.WriteByte('\n')
	p.verbatim(e.Objects)
}

// verbatim writes lines as they are, but for an indent. A window that is too
// narrow breaks them, and what follows the break is indented further.
func (p *program) verbatim(text string) {
	const indent = "  "
	for line := range strings.Lines(text) {
		first, rest := strings.TrimSuffix(line, "\n"), ""
		if p.width > 0 {
			lines := layout.Wrap(first, max(p.width-len(indent), 20))
			first, rest = lines[0], strings.TrimPrefix(first, lines[0])
		}
		p.stdout.WriteString(strings.TrimRight(indent+first, " ") + "\n")
		if rest = strings.TrimLeft(rest, " "); rest != "" {
			p.paragraph(indent+indent, rest, p.width)
		}
	}
}

func pad(s string, width int) string { return s + strings.Repeat(" ", max(width-len(s), 0)) }
