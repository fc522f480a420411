package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
)

// PlanSchema names the form of the JSON that WritePlanJSON writes.
const PlanSchema = "webcap.rewrite/1"

// A Rewrite is a plan, and what became of it.
type Rewrite struct {
	Plan   *rewrite.Plan
	Output string          // where the file was written; empty if it was not
	Full   bool            // it was written anew
	Result *rewrite.Result // nil if it was not written
}

// WritePlan writes a plan for people: a headline, the steps, what is left as it
// is and why, and what became of it.
func WritePlan(w io.Writer, r *Rewrite, opt Options) error {
	t := NewTable(w, opt)
	t.headline(layout.Printable(r.Plan.Path)+":", r.headline())
	if err := t.steps(r.Plan.Steps); err != nil {
		return err
	}
	if len(r.Plan.Left) > 0 {
		t.line("", "Left as they are:")
		if err := t.left(r.Plan.Left); err != nil {
			return err
		}
	}
	t.line("", r.ending())
	_, err := w.Write(t.buf.Bytes())
	return err
}

// headline says how much there is to do.
func (r *Rewrite) headline() string {
	if !r.Plan.Report.Present && r.Plan.Empty() {
		return "no Web Capture content database: nothing to rewrite"
	}
	text := contents(r.Plan.Report) + ": "
	if r.Plan.Empty() {
		text += "nothing to repair"
	} else {
		text += layout.Count(len(r.Plan.Steps), "step")
	}
	if n := len(r.Plan.Left); n > 0 {
		text += ", " + layout.Count(n, "finding") + " left"
	}
	return text
}

// ending says what became of the plan.
func (r *Rewrite) ending() string {
	switch {
	case r.Plan.Empty():
		return "Nothing is written: there is nothing to do."
	case r.Result == nil:
		return "Nothing is written: this is the plan. With -o FILE or --in-place it is carried out."
	}
	rep := r.Result.Report
	what := "with an update behind what was there"
	if r.Full {
		what = "anew"
	}
	return fmt.Sprintf("%s is written, %s. Its audit: %s, %s, %s.", layout.Printable(r.Output), what,
		layout.Count(rep.Count(audit.Error), "error"), layout.Count(rep.Count(audit.Warning), "warning"), layout.Count(rep.Count(audit.Note), "note"))
}

// steps writes a table with at most maxRows steps of each kind.
func (t *Table) steps(steps []rewrite.Step) error {
	var list []labelled
	for _, s := range steps {
		list = append(list, labelled{ruleIDs(s.Rules), s.Action.String(), s.Place.String(), s.Change()})
	}
	return t.labelled(list)
}

// left writes a table of what stays as it is: of the findings of a rule that stay
// for one reason the first, and how many there are.
func (t *Table) left(left []rewrite.Left) error {
	type kind struct {
		rule   *audit.Rule
		reason string
	}
	count := map[kind]int{}
	for _, l := range left {
		count[kind{l.Finding.Rule, l.Reason}]++
	}
	var list []labelled
	for _, l := range left {
		k := kind{l.Finding.Rule, l.Reason}
		text := l.Finding.Message
		if n := count[k]; n > 1 {
			text += fmt.Sprintf(", and %d more", n-1)
		}
		if count[k] > 0 {
			list = append(list, labelled{l.Finding.Rule.ID, l.Finding.Level().String(), l.Finding.Place.String(), text + ". " + l.Reason})
		}
		count[k] = 0
	}
	return t.labelled(list)
}

func ruleIDs(rules []*audit.Rule) string {
	var ids []string
	for _, r := range rules {
		ids = append(ids, r.ID)
	}
	return strings.Join(ids, " ")
}

// A labelled is a row with two words before its place and text.
type labelled struct{ label, word, place, text string }

func (t *Table) labelled(list []labelled) error {
	if len(list) == 0 {
		return nil
	}
	seen := map[[2]string]int{}
	widest := [3]int{}
	for _, l := range list {
		for i, s := range []string{l.label, l.word, l.place} {
			widest[i] = max(widest[i], len(s))
		}
	}
	fixed := widest[0] + widest[1] + 6
	apart := t.opt.Width == 0 || t.opt.Width-fixed-widest[2]-2 >= minMessage
	width := t.room(fixed)
	if apart {
		width = t.room(fixed + widest[2] + 2)
	}
	rows := newTable(&t.buf)
	for _, l := range list {
		kind := [2]string{l.label, l.word}
		if seen[kind]++; seen[kind] > maxRows {
			continue
		}
		cells := []string{l.label, l.word}
		text := l.text
		if apart {
			cells = append(cells, l.place)
		} else {
			text = strings.TrimSuffix(l.place+": "+text, ": ")
		}
		if err := rows.Append(append(cells, strings.Join(layout.Wrap(shorten(layout.Printable(text)), width), "\n"))); err != nil {
			return err
		}
	}
	if err := t.render(rows); err != nil {
		return err
	}
	for _, l := range list {
		kind := [2]string{l.label, l.word}
		if n := seen[kind]; n > maxRows {
			t.line("  ", fmt.Sprintf("… and %d more %s for %s; --format json lists all", n-maxRows, l.word, l.label))
			seen[kind] = 0
		}
	}
	return nil
}

type (
	jsonRewrite struct {
		Schema  string       `json:"schema"`
		Tool    jsonTool     `json:"tool"`
		Input   jsonInput    `json:"input"`
		Steps   []jsonStep   `json:"steps"`
		Left    []jsonLeft   `json:"left"`
		Written *jsonWritten `json:"written"` // null if nothing was
	}
	jsonStep struct {
		Rules  []string  `json:"rules"`
		Action string    `json:"action"`
		Tree   string    `json:"tree,omitempty"`
		Place  jsonPlace `json:"place"`
		Old    string    `json:"old,omitempty"` // as PDF text
		New    string    `json:"new,omitempty"`
		Reason string    `json:"reason"`
	}
	jsonLeft struct {
		jsonFinding
		Reason string `json:"reason"`
	}
	jsonWritten struct {
		Path     string     `json:"path"`
		Full     bool       `json:"full"`
		Findings jsonLevels `json:"findings"`
		Lost     []jsonRef  `json:"lost"`
	}
)

// WritePlanJSON writes a plan as one JSON document.
func WritePlanJSON(w io.Writer, r *Rewrite, head Head) error {
	d := newDocument(w)
	out := jsonRewrite{
		Schema: PlanSchema, Tool: jsonTool{"webcap", head.Version},
		Input: input(&Record{Path: r.Plan.Path, Report: r.Plan.Report}), Steps: []jsonStep{}, Left: []jsonLeft{},
	}
	for _, s := range r.Plan.Steps {
		step := jsonStep{Rules: []string{}, Action: s.Action.String(), Tree: s.Tree, Place: place(s.Place), Old: s.Old, New: s.New, Reason: s.Reason}
		for _, rule := range s.Rules {
			step.Rules = append(step.Rules, rule.ID)
		}
		out.Steps = append(out.Steps, step)
	}
	for _, l := range r.Plan.Left {
		out.Left = append(out.Left, jsonLeft{finding(&l.Finding), l.Reason})
	}
	if res := r.Result; res != nil {
		rep := res.Report
		out.Written = &jsonWritten{
			Path: r.Output, Full: r.Full, Lost: []jsonRef{},
			Findings: jsonLevels{rep.Count(audit.Error), rep.Count(audit.Warning), rep.Count(audit.Note)},
		}
		for _, ref := range res.Lost {
			out.Written.Lost = append(out.Written.Lost, jsonRef{ref.Num, ref.Gen})
		}
	}
	d.value(out)
	d.text("\n")
	return d.flush()
}
