package command

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

func (p *program) explain() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "Explain rules",
		UsageText: "webcap explain [RULE|WORDS...]",
		Description: `A RULE is an ID such as WC302 or 302, a prefix such as WC3, or a group: ` + groupNames() + `.
WORDS search the symptoms that users notice. Without arguments, webcap lists all
rules.

  webcap explain WC302
  webcap explain urls
  webcap explain pdfcpu merge

` + details("rules.md"),
		Action: p.runExplain,
	}
}

func (p *program) runExplain(c *cli.Context) error {
	var asked [][]*rule.Rule
	for _, name := range c.Args().Slice() {
		rules := audit.Select(name)
		if len(rules) > 0 {
			asked = append(asked, rules)
			continue
		}
		seen := audit.SymptomsWith(strings.Fields(strings.Join(c.Args().Slice(), " ")))
		if len(asked) > 0 || len(seen) == 0 {
			return usagef("explain", "no rule is named %q, and no symptom has these words; \"webcap explain\" lists all", name)
		}
		p.listSymptoms(seen)
		return nil
	}
	if len(asked) == 0 {
		p.listRules(audit.Rules())
	}
	for i, rules := range asked {
		if i > 0 {
			p.stdout.WriteByte('\n')
		}
		if len(rules) == 1 {
			p.explainRule(rules[0])
		} else {
			p.listRules(rules)
		}
	}
	return nil
}

// listSymptoms lists symptoms, each with the rules that may explain it.
func (p *program) listSymptoms(list []audit.Symptom) {
	for i, s := range list {
		if i > 0 {
			p.stdout.WriteByte('\n')
		}
		p.paragraph("", s.What, p.width)
		for _, r := range s.Rules() {
			p.paragraph(fmt.Sprintf("  %s  %-7s  ", r.ID, r.Level), r.Problem, p.width)
		}
	}
}

// paragraph writes text in lines of at most width characters, or in one line if width is 0. Only the first line
// begins with label. It ignores errors, because Run checks p.stdout when it flushes it.
func (p *program) paragraph(label, text string, width int) {
	if width > 0 {
		width = max(width-len(label), 20)
	}
	for _, l := range layout.Wrap(text, width) {
		p.stdout.WriteString(label + l + "\n")
		label = strings.Repeat(" ", len(label))
	}
}

// listRules lists sorted rules by group.
func (p *program) listRules(rules []*rule.Rule) {
	listed := false
	for _, g := range rule.Groups() {
		first := true
		for _, r := range rules {
			if !strings.HasPrefix(r.ID, g.Prefix) {
				continue
			}
			if first && listed {
				p.stdout.WriteByte('\n')
			}
			if first {
				p.stdout.WriteString(g.Prefix + "xx  " + g.Title + "\n")
			}
			first, listed = false, true
			p.paragraph(fmt.Sprintf("  %s  %-7s  ", r.ID, r.Level), r.Title, p.width)
		}
	}
}

func (p *program) explainRule(r *rule.Rule) {
	width := 80 // maximum line length of running text, even in files and wide windows
	if p.width > 0 {
		width = min(width, p.width)
	}
	p.paragraph(r.ID+"  ", r.Problem, width)
	p.stdout.WriteByte('\n')
	p.paragraph("Rule:   ", r.Title, width)
	p.paragraph("Level:  ", r.Level.String(), width)
	p.paragraph("Clause: ", r.Clause, width)
	p.paragraph("Why:    ", r.Doc, width)
	p.paragraph("Repair: ", r.Remedy(), width)
	e := audit.ExamplesOf(r)
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

// verbatim writes indented lines without wrapping.
func (p *program) verbatim(text string) {
	for line := range strings.Lines(text) {
		p.stdout.WriteString(strings.TrimRight("  "+line, " \n") + "\n")
	}
}
