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

// A CanonResult is a URL and its forms. Parts that were not requested are zero. One of Canonical, Encoded, Decoded, and
// Profiles is set.
type CanonResult struct {
	URL       nametree.Key  `json:"url"`
	Profile   string        `json:"profile,omitempty"` // profile of Canonical
	Canonical *nametree.Key `json:"canonical,omitempty"`
	Encoded   *nametree.Key `json:"encoded,omitempty"` // the URL encoded as one component, once
	Decoded   *nametree.Key `json:"decoded,omitempty"` // the URL decoded once
	Changed   *bool         `json:"changed,omitempty"`
	Relative  bool          `json:"relative,omitempty"` // the result is relative, because no base was given
	Hash      string        `json:"hash,omitempty"`     // cache name of the result
	Steps     []canonStep   `json:"steps,omitzero"`     // the steps that lead to Canonical
	FormOf    *canonFormOf  `json:"formOf,omitempty"`
	Twice     *CanonTwice   `json:"codedTwice,omitempty"` // only if a second decoding would change the meaning
	Profiles  []canonForm   `json:"profiles,omitempty"`   // forms in all profiles, for a comparison
	Explained bool          `json:"-"`                    // the text explains the result
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

// A CanonTwice has both readings of a doubly escaped text: decoded once, and decoded twice.
type CanonTwice struct {
	Once  nametree.Key `json:"once"`
	Again nametree.Key `json:"again"`
}

// A canonForm is the form of a URL in one profile, and the steps that changed it.
type canonForm struct {
	Profile   string       `json:"profile"`
	Canonical nametree.Key `json:"canonical"`
	Steps     []string     `json:"steps"`
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

// Compare adds the form of the URL in a profile.
func (r *CanonResult) Compare(p *canon.Profile, form []byte, changes []canon.Change) {
	steps := []string{}
	for _, c := range changes {
		steps = append(steps, string(c.Step.Letter))
	}
	r.Profiles = append(r.Profiles, canonForm{p.Name(), nametree.Key(form), steps})
}

// text writes the URL. Below it, text writes the explanation and the comparison, if there are any.
func (r *CanonResult) text(s *layout.Sheet) {
	s.Labeled(printable(r.URL))
	if r.Explained {
		r.explanation(s)
	}
	var rows [][]string
	for _, f := range r.Profiles {
		rows = append(rows, []string{f.Profile, strings.Join(f.Steps, ""), printable(f.Canonical)})
	}
	s.Columns(rows)
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
	case r.Encoded != nil:
		s.Labeled("  encoded once: " + printable(*r.Encoded))
	case r.Decoded != nil:
		s.Labeled("  decoded once: " + printable(*r.Decoded))
	case r.Relative:
		s.Labeled("  relative, and without a base it stays so: " + printable(*r.Canonical))
	case *r.Canonical == r.URL:
		s.Labeled("  canonical already, by " + r.Profile)
	default:
		s.Labeled("  canonical, by " + r.Profile + ": " + printable(*r.Canonical))
	}
	if d := r.Twice; d != nil {
		s.Labeled("  coded twice: decoding once gives " + printable(d.Once) + ", and a second pass would change that to " +
			printable(d.Again))
	}
}

func printable(k nametree.Key) string { return layout.Printable(string(k)) }
