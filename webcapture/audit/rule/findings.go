package rule

import (
	"slices"
	"strings"
)

// Findings is a list of findings.
type Findings []Finding

// String returns the findings, one per line.
func (l Findings) String() string {
	var lines []string
	for _, f := range l {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

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
