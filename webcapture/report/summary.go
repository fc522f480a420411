package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

type jsonSummary struct {
	Inputs     int             `json:"inputs"`
	Outcomes   jsonOutcomes    `json:"outcomes"`
	Findings   jsondoc.Levels  `json:"findings"`
	Identities *jsondoc.Proofs `json:"identities,omitempty"`
	Ignored    int             `json:"ignored,omitempty"` // number of ignored findings
	Complete   bool            `json:"complete"`
	End        string          `json:"end,omitempty"` // reason if the results are incomplete
}

type jsonOutcomes struct {
	Clean    int `json:"clean"`
	Findings int `json:"findings"`
	None     int `json:"none"`
	Partial  int `json:"partial"`
	Error    int `json:"error"`
	Timeout  int `json:"timeout,omitempty"`
	Skipped  int `json:"skipped,omitempty"`
}

func (t *Tally) summary(end End) jsonSummary {
	s := jsonSummary{
		Inputs: t.Inputs,
		Outcomes: jsonOutcomes{t.Outcomes[Clean], t.Outcomes[Findings], t.Outcomes[Nothing], t.Outcomes[Partial],
			t.Outcomes[Failed], t.Outcomes[TimedOut], t.Outcomes[Skipped]},
		Findings: jsondoc.Levels{Error: t.Levels[rule.Error], Warning: t.Levels[rule.Warning], Note: t.Levels[rule.Note]},
		Ignored:  t.ignored,
		Complete: end == Complete,
	}
	if end != Complete {
		s.End = end.String()
	}
	if t.WithSources {
		s.Identities = new(jsondoc.Proofs(t.Proofs))
	}
	return s
}

// A Tally counts records and their findings. The zero Tally is ready for use.
type Tally struct {
	Inputs      int
	Outcomes    [outcomes]int
	NoFiles     int            // part of Outcomes[Nothing]: folders without a PDF file
	NoMembers   int            // part of Outcomes[Nothing]: archives without a PDF file
	Levels      [levels]int    // findings by level
	Worst       [levels]int    // inputs with Outcomes[Findings], by the highest level of their findings
	ByRule      map[string]int // findings by rule ID
	WithSources bool           // the run had sources
	Proofs      Proofs         // identities by proof

	worst      [levels]int  // inputs by the highest level of their findings, also those checked in part
	rules      []*rule.Rule // keys of ByRule, in order of first occurrence
	repairable bool         // some finding has a fix
	ignored    int          // number of ignored findings
	repair     RepairFolder
}

// Proofs counts identities by the result of comparing them with their sources.
type Proofs struct{ Verified, Mismatch, NotCheckable int }

// ProofsOf counts the identities of a report.
func ProofsOf(rep *audit.Report) (n Proofs) {
	n.Verified, n.Mismatch, n.NotCheckable = rep.Proofs()
	return n
}

// String returns the counts as text.
func (n Proofs) String() string {
	return phrase.Matches(n.Verified, n.Mismatch, n.NotCheckable, "match their source")
}

// String returns the numbers of inputs by outcome, and of findings by level, on one line.
func (t *Tally) String() string { return t.InputsText() + "; " + t.LevelsText() }

// hasIdentities reports whether content sets were compared with sources.
func hasIdentities(rep *audit.Report) bool { return rep.Present && rep.Identities != nil }

const levels = rule.Error + 1

// Add counts a record.
func (t *Tally) Add(r *Record) {
	t.Inputs++
	t.Outcomes[r.Outcome()]++
	t.ignored += len(r.Ignored)
	if r.Outcome() == Findings {
		t.Worst[r.Report.Worst()]++
	}
	switch {
	case errors.Is(r.Err, ErrNoFiles):
		t.NoFiles++
	case errors.Is(r.Err, ErrNoMembers):
		t.NoMembers++
	}
	if r.Report == nil {
		return
	}
	if hasIdentities(r.Report) {
		n := ProofsOf(r.Report)
		t.WithSources = true
		t.Proofs.Verified += n.Verified
		t.Proofs.Mismatch += n.Mismatch
		t.Proofs.NotCheckable += n.NotCheckable
	}
	t.worst[r.Report.Worst()]++
	repairable := false
	for i := range r.Report.Findings.Len() {
		t.count(r.Report.Findings.Rule(i), 1)
		if r.Report.Findings.Repairable(i) {
			repairable = true
		}
	}
	if repairable {
		t.repairable = true
		t.repair.Add(r.Path, r.Report)
	}
	for _, o := range r.Report.Omitted {
		t.count(o.Rule, o.Count)
	}
}

// count counts n findings of a rule.
func (t *Tally) count(rule *rule.Rule, n int) {
	t.Levels[rule.Level] += n
	if t.ByRule == nil {
		t.ByRule = make(map[string]int)
	}
	if t.ByRule[rule.ID] == 0 {
		t.rules = append(t.rules, rule)
	}
	t.ByRule[rule.ID] += n
}

// Found returns the number of findings.
func (t *Tally) Found() int {
	return t.Levels[rule.Error] + t.Levels[rule.Warning] + t.Levels[rule.Note]
}

// Rules returns the violated rules, in the order of ByWeight.
func (t *Tally) Rules() []*rule.Rule {
	return slices.SortedFunc(slices.Values(t.rules), func(a, b *rule.Rule) int {
		return ByWeight(a, b, t.ByRule[a.ID], t.ByRule[b.ID])
	})
}

// NotAudited returns the number of inputs that were not audited.
func (t *Tally) NotAudited() int {
	return t.Outcomes[Failed] + t.Outcomes[TimedOut] + t.Outcomes[Skipped]
}

// verdict returns the result of all inputs in a few words, such as "3 errors in 1 of 2 files" or "clean". It counts
// findings from lowest on, or from warnings on if that is lower.
func (t *Tally) verdict(lowest rule.Level, end End) string {
	files, faulty := t.Inputs-t.NoFiles-t.NoMembers, 0
	var parts []string
	for l := rule.Error; l >= min(lowest, rule.Warning); l-- {
		faulty += t.worst[l]
		if n := t.Levels[l]; n > 0 {
			parts = append(parts, layout.Count(n, l.String()))
		}
	}
	if len(parts) > 0 {
		where := layout.Count(files, "file")
		if files > 1 {
			where = fmt.Sprintf("%d of %s", faulty, where)
		}
		parts = []string{strings.Join(parts, ", ") + " in " + where}
	}
	if n := t.NotAudited(); n > 0 {
		parts = append(parts, layout.Count(n, "file")+" not audited")
	}
	if n := t.Outcomes[Partial]; n > 0 {
		parts = append(parts, layout.Count(n, "file")+" checked in part")
	}
	text := strings.Join(parts, ", ")
	switch {
	case text != "":
	case t.Inputs == 0:
		text = "no file was audited"
	case t.Outcomes[Nothing] == t.Inputs:
		text = "nothing to audit"
	default:
		text = "clean"
	}
	if end != Complete {
		text = "incomplete, so far " + text
	}
	return text
}

// InputsText returns the number of inputs by outcome as text.
func (t *Tally) InputsText() string {
	if t.Inputs == 0 {
		return "no file was audited"
	}
	files := layout.Count(t.Inputs-t.NoFiles-t.NoMembers, "file")
	var parts []string
	for _, p := range []struct {
		n    int
		text string
	}{
		{t.Outcomes[Clean], "clean"},
		{t.Worst[rule.Error], "with errors"},
		{t.Worst[rule.Warning], "with warnings"},
		{t.Worst[rule.Note], "with notes"},
		{t.Outcomes[Partial], "checked in part"},
		{t.Outcomes[Failed], "not audited"},
		{t.Outcomes[TimedOut], "timed out"},
		{t.Outcomes[Skipped], "skipped"},
		{t.Outcomes[Nothing] - t.NoFiles - t.NoMembers, "without a content database"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.text))
		}
	}
	if t.NoFiles > 0 {
		parts = append(parts, layout.Count(t.NoFiles, "folder")+" without PDF files")
	}
	if t.NoMembers > 0 {
		parts = append(parts, layout.Count(t.NoMembers, "archive")+" without PDF files")
	}
	if len(parts) == 0 {
		return files
	}
	return files + ": " + strings.Join(parts, ", ")
}

// ConfigurationText describes on one line how configuration, baseline, and ignore entries changed the results. It
// is empty if they changed nothing.
func (t *Tally) ConfigurationText(h *Head) string {
	clauses := slices.Clone(h.Configuration)
	if t.ignored > 0 {
		clauses = append(clauses, layout.Count(t.ignored, "finding")+" ignored")
	}
	return layout.Printable(strings.Join(clauses, ", "))
}

// LevelsText returns the number of findings by level as text.
func (t *Tally) LevelsText() string {
	var parts []string
	for l := rule.Error; l >= rule.Note; l-- {
		parts = append(parts, layout.Count(t.Levels[l], l.String()))
	}
	return strings.Join(parts, ", ")
}
