package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

type jsonSummary struct {
	Inputs     int             `json:"inputs"`
	Outcomes   jsonOutcomes    `json:"outcomes"`
	Findings   jsondoc.Levels  `json:"findings"`
	Identities *jsondoc.Proofs `json:"identities,omitempty"`
	Entries    int             `json:"entries,omitempty"` // rows of them
	Complete   bool            `json:"complete"`
	End        string          `json:"end,omitempty"` // why it is not
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

func (t *tally) summary(end End) jsonSummary {
	s := jsonSummary{
		Inputs:   t.inputs,
		Outcomes: jsonOutcomes{t.outcomes[Clean], t.outcomes[Findings], t.outcomes[Nothing], t.outcomes[Partial], t.outcomes[Failed], t.outcomes[TimedOut], t.outcomes[Skipped]},
		Findings: jsondoc.Levels{Error: t.levels[audit.Error], Warning: t.levels[audit.Warning], Note: t.levels[audit.Note]},
		Entries:  t.entries,
		Complete: end == Complete,
	}
	if end != Complete {
		s.End = end.String()
	}
	if t.withSources {
		s.Identities = new(jsondoc.Proofs(t.proofs))
	}
	return s
}

// A tally counts records.
type tally struct {
	inputs      int
	outcomes    [outcomes]int
	noFiles     int            // of outcomes[Nothing]: folders without a PDF file
	noMembers   int            // of outcomes[Nothing]: archives without one
	levels      [levels]int    // findings
	byRule      map[string]int // findings
	rules       []*audit.Rule  // of byRule, in the order in which they came up
	repairable  int            // findings
	ignored     int            // findings
	withSources bool           // sources were given
	proofs      proofCounts    // identities
	entries     int            // of which there are rows
}

// proofCounts are numbers of identities.
type proofCounts struct{ Verified, Mismatch, NotCheckable int }

func proofs(rep *audit.Report) (n proofCounts) {
	n.Verified, n.Mismatch, n.NotCheckable = rep.Proofs()
	return n
}

// A Summary says on one line what all records come to.
type Summary struct{ tally tally }

// Add counts a record.
func (s *Summary) Add(r *Record) { s.tally.add(r) }

// String returns the numbers of inputs by outcome, and of findings by level.
func (s *Summary) String() string { return s.tally.inputsText() + "; " + s.tally.levelsText() }

// hasIdentities reports whether content sets were held against sources.
func hasIdentities(rep *audit.Report) bool { return rep.Present && rep.Identities != nil }

const levels = audit.Error + 1

func (t *tally) add(r *Record) {
	t.inputs++
	t.outcomes[r.Outcome()]++
	t.ignored += len(r.Ignored)
	switch {
	case errors.Is(r.Err, ErrNoFiles):
		t.noFiles++
	case errors.Is(r.Err, ErrNoMembers):
		t.noMembers++
	}
	if r.Report == nil {
		return
	}
	t.entries += r.Report.Entries.Len()
	if hasIdentities(r.Report) {
		n := proofs(r.Report)
		t.withSources = true
		t.proofs.Verified += n.Verified
		t.proofs.Mismatch += n.Mismatch
		t.proofs.NotCheckable += n.NotCheckable
	}
	for i := range r.Report.Findings.Len() {
		t.count(r.Report.Findings.Rule(i), 1)
		if r.Report.Findings.Repairable(i) {
			t.repairable++
		}
	}
	for _, o := range r.Report.Omitted {
		t.count(o.Rule, o.Count)
	}
}

// count counts n findings of a rule.
func (t *tally) count(rule *audit.Rule, n int) {
	t.levels[rule.Level] += n
	if t.byRule == nil {
		t.byRule = make(map[string]int)
	}
	if t.byRule[rule.ID] == 0 {
		t.rules = append(t.rules, rule)
	}
	t.byRule[rule.ID] += n
}

// found returns how many findings there are.
func (t *tally) found() int {
	return t.levels[audit.Error] + t.levels[audit.Warning] + t.levels[audit.Note]
}

// sorted returns the rules that are broken, in the order of byWeight.
func (t *tally) sorted() []*audit.Rule {
	return slices.SortedFunc(slices.Values(t.rules), func(a, b *audit.Rule) int {
		return byWeight(a, b, t.byRule[a.ID], t.byRule[b.ID])
	})
}

// notAudited returns how many inputs were not audited, for whatever reason.
func (t *tally) notAudited() int {
	return t.outcomes[Failed] + t.outcomes[TimedOut] + t.outcomes[Skipped]
}

// text says the counts in words.
func (n proofCounts) text() string {
	return matches(n.Verified, n.Mismatch, n.NotCheckable, "match their source")
}

// inputsText says how many inputs there were, by outcome.
func (t *tally) inputsText() string {
	if t.inputs == 0 {
		return "no file was audited"
	}
	files := layout.Count(t.inputs-t.noFiles-t.noMembers, "file")
	var parts []string
	for _, p := range []struct {
		n    int
		text string
	}{
		{t.outcomes[Clean], "clean"},
		{t.outcomes[Findings], "with findings"},
		{t.outcomes[Partial], "checked in part"},
		{t.outcomes[Failed], "not audited"},
		{t.outcomes[TimedOut], "given up"},
		{t.outcomes[Skipped], "skipped"},
		{t.outcomes[Nothing] - t.noFiles - t.noMembers, "without a content database"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.text))
		}
	}
	if t.noFiles > 0 {
		parts = append(parts, layout.Count(t.noFiles, "folder")+" without PDF files")
	}
	if t.noMembers > 0 {
		parts = append(parts, layout.Count(t.noMembers, "archive")+" without PDF files")
	}
	if len(parts) == 0 {
		return files
	}
	return files + ": " + strings.Join(parts, ", ")
}

// levelsText says how many findings there were, by level.
func (t *tally) levelsText() string {
	var parts []string
	for l := audit.Error; l >= audit.Note; l-- {
		parts = append(parts, layout.Count(t.levels[l], l.String()))
	}
	return strings.Join(parts, ", ")
}
