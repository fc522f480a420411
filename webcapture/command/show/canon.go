// Package show writes the results of commands other than audits: URLs and their forms, identifiers, names, sources,
// captures, lists of databases, comparisons, and plans of repairs. Package report writes the results of audits.
//
// Nearly all results have text for people and JSON for programs; some have further formats. In text, keys and paths
// are escaped, so that they cannot move a terminal's cursor. The JSON is described in docs. Unless documented
// otherwise, errors are those of the underlying writer.
package show

import (
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A CanonResult is a URL and its canonical form.
type CanonResult struct {
	URL       nametree.Key `json:"url"`
	Profile   string       `json:"profile"`
	Canonical nametree.Key `json:"canonical"`
	Changed   bool         `json:"changed"`
	Relative  bool         `json:"relative,omitempty"` // the form is relative, because no base was given
	Steps     []canonStep  `json:"steps,omitzero"`     // the steps that lead to Canonical
	FormOf    *canonFormOf `json:"formOf,omitempty"`
	Explained bool         `json:"-"` // the text explains the result
}

// A canonStep is a step that changed a URL.
type canonStep struct {
	Step   string       `json:"step"`
	Title  string       `json:"title"`
	Clause string       `json:"clause"`
	Before nametree.Key `json:"before"`
	After  nametree.Key `json:"after"`
}

// A canonFormOf is a profile that leaves a URL as it is, and the steps that this profile omits.
type canonFormOf struct {
	Profile string   `json:"profile"`
	Skipped []string `json:"skipped"`
}

// Explain adds the steps that changed the URL, and the diagnosis if there is one.
func (r *CanonResult) Explain(changes []canon.Change, d *canon.Diagnosis) {
	r.Steps = []canonStep{}
	for _, c := range changes {
		r.Steps = append(r.Steps, canonStep{string(c.Step.Letter), c.Step.Title, c.Step.Clause, nametree.Key(c.Before),
			nametree.Key(c.After)})
	}
	if d != nil && d.Profile != nil {
		r.FormOf = &canonFormOf{d.Profile.Name(), []string{}}
		for _, s := range d.Skipped {
			r.FormOf.Skipped = append(r.FormOf.Skipped, string(s.Letter))
		}
	}
}

// text writes the URL, and the explanation below it.
func (r *CanonResult) text(s *layout.Sheet) {
	s.Labeled(printable(r.URL))
	if r.Explained {
		r.explanation(s)
	}
}

func (r *CanonResult) explanation(s *layout.Sheet) {
	for _, c := range r.Steps {
		s.Labeled("  "+c.Step, c.Title)
		s.Labeled("     before", printable(c.Before))
		s.Labeled("     after ", printable(c.After))
		s.Labeled("     clause", c.Clause)
	}
	if d := r.FormOf; d != nil {
		s.Labeled(fmt.Sprintf("  already canonical by profile %s, which omits steps of %s: %s", d.Profile, r.Profile,
			strings.Join(d.Skipped, ", ")))
	}
	switch {
	case r.Relative:
		s.Labeled("  relative, and without a base it stays so: " + printable(r.Canonical))
	case r.Canonical == r.URL:
		s.Labeled("  canonical already, by " + r.Profile)
	default:
		s.Labeled("  canonical, by " + r.Profile + ": " + printable(r.Canonical))
	}
}

func printable(k nametree.Key) string { return layout.Printable(string(k)) }
