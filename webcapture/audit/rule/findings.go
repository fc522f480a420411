package rule

import (
	"iter"
	"slices"
	"strings"
)

// Findings is a list of findings.
type Findings []Finding

// FindingsOf returns a list of findings.
func FindingsOf(list ...Finding) Findings { return list }

// Len returns the number of findings.
func (l Findings) Len() int { return len(l) }

// At returns finding i.
func (l Findings) At(i int) Finding { return l[i] }

// Rule returns the rule of finding i.
func (l Findings) Rule(i int) *Rule { return l[i].Rule }

// Place returns the place of finding i.
func (l Findings) Place(i int) Place { return l[i].Place }

// Repairable reports whether a rewrite repairs finding i without a request for its rule.
func (l Findings) Repairable(i int) bool { return l[i].Fix != nil && !l[i].Rule.OnRequest }

// All yields the findings with their indexes, in the order of the list.
func (l Findings) All() iter.Seq2[int, Finding] { return slices.All(l) }

// String returns the findings, one per line.
func (l Findings) String() string {
	var lines []string
	for _, f := range l {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// Add adds a finding to the end of the list.
func (l *Findings) Add(f Finding) { *l = append(*l, f) }

// DeleteFunc removes the findings for which del returns true. It calls del once for each finding, in order. Other lists
// that share the findings do not change.
func (l *Findings) DeleteFunc(del func(i int, f Finding) bool) {
	kept := make(Findings, 0, len(*l))
	for i, f := range *l {
		if !del(i, f) {
			kept = append(kept, f)
		}
	}
	*l = slices.Clip(kept)
}

// Sort puts the findings in the order of [Finding.Compare].
func (l Findings) Sort() { slices.SortFunc(l, Finding.Compare) }
