package report

import (
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

type jsonSummary struct {
	Inputs     int          `json:"inputs"`
	Outcomes   jsonOutcomes `json:"outcomes"`
	Findings   Levels       `json:"findings"`
	Identities *Proofs      `json:"identities,omitempty"`
	Ignored    int          `json:"ignored,omitempty"` // number of ignored findings
	Complete   bool         `json:"complete"`
	End        string       `json:"end,omitempty"` // reason if the results are incomplete
}

// Levels counts findings by level.
type Levels struct {
	Error   int `json:"error"`
	Warning int `json:"warning"`
	Note    int `json:"note"`
}

// LevelsOf returns the numbers of findings by level.
func LevelsOf(rep *audit.Report) Levels {
	return Levels{rep.Count(rule.Error), rep.Count(rule.Warning), rep.Count(rule.Note)}
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
		Findings: Levels{t.Levels[rule.Error], t.Levels[rule.Warning], t.Levels[rule.Note]},
		Ignored:  t.ignored,
		Complete: end == Complete,
	}
	if end != Complete {
		s.End = end.String()
	}
	if t.WithSources {
		s.Identities = &t.Proofs
	}
	return s
}

// A Tally counts records and their findings. The zero Tally is ready for use.
type Tally struct {
	Inputs      int
	Outcomes    [outcomes]int
	Verdicts    [verdicts]int
	Levels      [levels]int    // findings by level
	ByRule      map[string]int // findings by rule ID
	WithSources bool           // the run had sources
	Proofs      Proofs         // identities by proof

	rules   []*rule.Rule // keys of ByRule, in order of first occurrence
	ignored int          // number of ignored findings
	repair  repairFolder // files that a finding has a fix for
}

// Proofs counts identities by the result of comparing them with their sources.
type Proofs struct {
	Verified     int `json:"verified"`
	Mismatch     int `json:"mismatch"`
	NotCheckable int `json:"notCheckable"`
}

// ProofsOf counts the identities of a report.
func ProofsOf(rep *audit.Report) Proofs {
	var n [rule.Proofs]int
	for i := range rep.Identities {
		n[rep.Identities[i].Proof]++
	}
	return Proofs{n[rule.Verified], n[rule.Mismatch], n[rule.NotCheckable]}
}

// String returns the counts as text.
func (n Proofs) String() string {
	return phrase.Matches(n.Verified, n.Mismatch, n.NotCheckable, "match their source")
}

// String returns the numbers of inputs by verdict, of findings by level, and of identities, on one line.
func (t *Tally) String() string {
	text := t.InputsText() + "; " + t.LevelsText()
	if t.WithSources {
		text += "; identifiers: " + t.Proofs.String()
	}
	return text
}

// hasIdentities reports whether content sets were compared with sources.
func hasIdentities(rep *audit.Report) bool { return rep.Present && rep.Identities != nil }

const levels = rule.Error + 1

// Add counts a record.
func (t *Tally) Add(r *Record) {
	t.Inputs++
	t.Outcomes[r.Outcome()]++
	t.ignored += len(r.Ignored)
	t.Verdicts[r.Verdict()]++
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
	repairable := false
	for i := range r.Report.Findings {
		t.count(r.Report.Findings[i].Rule, 1)
		repairable = repairable || r.Report.Findings[i].Repairable()
	}
	if repairable && !isUnwritable(r.Report) {
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

// RepairCommand returns the command line that repairs all files; "" if there are none that one command can repair.
func (t *Tally) RepairCommand(o *Options) string { return t.repair.Command(o) }

// Rules returns the violated rules, in the order of byWeight.
func (t *Tally) Rules() []*rule.Rule {
	return slices.SortedFunc(slices.Values(t.rules), func(a, b *rule.Rule) int {
		return byWeight(a, b, t.ByRule[a.ID], t.ByRule[b.ID])
	})
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
