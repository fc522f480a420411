package show

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
)

// planSchema is the name and version of the JSON format of plans.
const planSchema = "webcap.rewrite/1"

// A Rewrite is a plan and its result.
type Rewrite struct {
	Plan   *rewrite.Plan
	Target rewrite.Target // where to write the file
	Output string         // path of the written file; empty if no file was written
	Result *audit.Report  // nil if no file was written
}

// WritePlan writes a plan for people: a headline, the steps, the remaining findings with the reasons, and the
// result.
func WritePlan(w io.Writer, r *Rewrite, width int) error {
	s := layout.NewSheet(w, width, false)
	s.Headline(r.Plan.Path, r.headline())
	if err := writeSteps(s, r.Plan.Steps); err != nil {
		return err
	}
	if slices.ContainsFunc(r.Plan.Steps, func(s rewrite.Step) bool { return s.Action == rule.RecomputeID }) {
		s.Line("", "recompute-id gives up the recorded MD5 of the fetched file. If you have an original, use --from first.")
	}
	if len(r.Plan.Left) > 0 {
		s.Line("", "Left as they are:")
		if err := writeLeft(s, r.Plan.Left); err != nil {
			return err
		}
	}
	s.Line("", r.ending())
	return s.Flush()
}

// headline summarizes the plan.
func (r *Rewrite) headline() string {
	if !r.Plan.Report.Present && r.Plan.Empty() {
		return phrase.Contents(r.Plan.Report) + ": nothing to rewrite"
	}
	text := phrase.Contents(r.Plan.Report) + ": "
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

// ending says which file was written and what its audit found, or why nothing was written.
func (r *Rewrite) ending() string {
	switch {
	case !r.Plan.Worthwhile(r.Target):
		return "Nothing is written: there is nothing to do."
	case r.Result == nil && r.Plan.Empty():
		return "Nothing is written yet. Use -o FILE or --in-place to write it with new cross-reference data."
	case r.Result == nil:
		return "This is the plan; nothing is written yet. Use -o FILE or --in-place to carry it out."
	}
	rep := r.Result
	what := "the old file and an update"
	if r.Target.Full {
		what = "a new file"
	}
	return fmt.Sprintf("Wrote %s (%s). Its audit: %s, %s, %s.", layout.Printable(r.Output), what,
		layout.Count(rep.Count(rule.Error), "error"), layout.Count(rep.Count(rule.Warning), "warning"),
		layout.Count(rep.Count(rule.Note), "note"))
}

// maxRows is the maximum number of rows of steps with the same cause and action.
const maxRows = 20

// writeSteps writes a table with at most maxRows steps of each cause and action.
func writeSteps(s *layout.Sheet, steps []rewrite.Step) error {
	type labels struct {
		cause  string
		action rule.Action
	}
	return s.Table(limitRows(steps, maxRows, func(step *rewrite.Step) (labels, []string) {
		k := labels{causeOf(step), step.Action}
		text := strings.TrimSuffix(step.Place.String()+": "+step.Change(), ": ")
		return k, []string{k.cause, k.action.String(), text}
	}))
}

// causeOf returns the rules or the option that cause a step. It adds --prefer if that option decides.
func causeOf(s *rewrite.Step) string {
	cause := cmp.Or(strings.Join(s.Rules, " "), optionOf(s.Action))
	if s.Chosen {
		cause += " --prefer"
	}
	return cause
}

// optionOf returns the option that causes steps with this action. It is empty if rules cause them.
func optionOf(a rule.Action) string {
	return map[rule.Action]string{rule.Restore: "--from", rule.Rebuild: "--rebuild"}[a]
}

// writeLeft writes a table of remaining findings. For each rule and reason, it shows the first finding and the number
// of further ones.
func writeLeft(s *layout.Sheet, left []rewrite.Left) error {
	type kind struct {
		rule   *rule.Rule
		reason string
	}
	return s.Table(limitRows(left, 1, func(l *rewrite.Left) (kind, []string) {
		r := l.Finding.Rule
		text := fmt.Sprintf("%v: %s. %s", l.Finding.Place, l.Finding.Message, l.Reason)
		return kind{r, l.Reason}, []string{r.ID, r.Level.String(), text}
	}))
}

type (
	jsonRewrite struct {
		Schema string         `json:"schema"`
		Tool   jsondoc.Tool   `json:"tool"`
		Input  *report.Record `json:"input"`
		// Three members follow: steps, an array of rewrite.Step; left, an array of findings with jsonLeft, and
		// report.MissingSet; and written, a jsonWritten or null.
	}
	jsonLeft struct { // follows the members of a finding
		Reason string `json:"reason"`
	}
	jsonWritten struct {
		Path     string        `json:"path"`
		Full     bool          `json:"full"`
		Findings report.Levels `json:"findings"`
	}
)

// WritePlanJSON writes a plan as one JSON document. version is the version of webcap.
func WritePlanJSON(w io.Writer, r *Rewrite, version string) error {
	rep := *r.Plan.Report
	rep.Subjects, rep.Positions = nil, nil // this format has none
	d := jsondoc.New(w)
	d.Open(jsonRewrite{Schema: planSchema, Tool: jsondoc.ToolOf(version),
		Input: &report.Record{Path: rep.Path, Report: &rep}})
	d.Text(`,"steps":[`)
	err := jsondoc.Elements(d, slices.Values(r.Plan.Steps), func(s rewrite.Step) {
		s.Rules = append([]string{}, s.Rules...) // an empty list, not null
		d.Value(s)
	})
	if err != nil {
		return err
	}
	d.Text(`],"left":[`)
	if err := jsondoc.Elements(d, r.left(), d.Value); err != nil {
		return err
	}
	d.Text(`],"written":`)
	if r.Result == nil {
		d.Text("null")
	} else {
		d.Value(jsonWritten{Path: r.Output, Full: r.Target.Full, Findings: report.LevelsOf(r.Result)})
	}
	d.Text("}\n")
	return d.Flush()
}

// left yields the JSON of the remaining findings, and then of the content sets of originals that are not restored.
func (r *Rewrite) left() iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, l := range r.Plan.Left {
			if !yield(jsondoc.Marshal(l.Finding, jsonLeft{l.Reason})) {
				return
			}
		}
		for _, o := range r.Plan.Restored {
			for _, m := range o.Missing {
				if !yield(report.MissingSet{Kind: "contentSet", Original: o.Original, Subtype: m.Subtype.String(),
					ID: m.ID, URL: m.URL, Reason: m.Why}) {
					return
				}
			}
		}
	}
}
