// Package show writes the results of commands other than audits: URLs and their forms, identifiers, names, sources,
// captures, lists of databases, comparisons, and plans of repairs. Package report writes the results of audits.
//
// Nearly all results have text for people and JSON for programs; some have further formats. In text, keys and paths
// are escaped, so that they cannot move a terminal's cursor. The JSON is described in docs. Unless documented
// otherwise, errors are those of the underlying writer.
package show

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A CanonResult is a URL and its forms. Parts that were not requested are zero.
type CanonResult struct {
	URL      []byte
	Result   []byte
	Op       CanonOp
	Profile  *canon.Profile // only if Op == Reduced
	Relative bool           // the result is relative, because no base was given
	Hash     string         // cache name of the result

	Explanation *CanonExplanation
	Forms       []CanonForm // forms in all profiles, for a comparison
}

// A CanonOp is the operation that produced a result.
type CanonOp uint8

const (
	Reduced CanonOp = iota
	Encoded         // encoded as one component, once
	Decoded         // decoded once
)

// String returns the name of the operation in JSON.
func (op CanonOp) String() string { return [...]string{"canonical", "encoded", "decoded"}[op] }

// A CanonExplanation explains a result.
type CanonExplanation struct {
	Changes   []canon.Change
	Diagnosis *canon.Diagnosis // nil for a canonical URL, and in profiles other than PDF
	Twice     *CanonTwice      // only if a second decoding would change the meaning
}

// A CanonTwice has both readings of a doubly escaped text: decoded once, and decoded twice.
type CanonTwice struct{ Once, Again []byte }

// A CanonForm is the form of a URL in one profile, and the steps that changed it.
type CanonForm struct {
	Profile *canon.Profile
	Form    []byte
	Changes []canon.Change
}

// changed returns the names of the steps that changed the URL.
func changed(changes []canon.Change) []string {
	names := []string{}
	for _, c := range changes {
		names = append(names, string(c.Step.Letter))
	}
	return names
}

// names returns the names of steps.
func names(steps []canon.Step) []string {
	names := []string{}
	for _, s := range steps {
		names = append(names, string(s.Letter))
	}
	return names
}

// text writes the URL. Below it, text writes the explanation and the comparison, if there are any.
func (r *CanonResult) text(s *layout.Sheet) {
	s.Labeled(printable(r.URL))
	if r.Explanation != nil {
		r.explain(s)
	}
	var rows [][]string
	for _, f := range r.Forms {
		rows = append(rows, []string{f.Profile.Name(), strings.Join(changed(f.Changes), ""), printable(f.Form)})
	}
	s.Columns(rows)
}

func (r *CanonResult) explain(s *layout.Sheet) {
	for _, c := range r.Explanation.Changes {
		s.Labeled(fmt.Sprintf("  %c", c.Step.Letter), c.Step.Title)
		s.Labeled("     before", layout.Printable(c.Before))
		s.Labeled("     after ", layout.Printable(c.After))
		s.Labeled("     clause", c.Step.Clause)
	}
	if d := r.Explanation.Diagnosis; d != nil && d.Profile != nil {
		s.Labeled(fmt.Sprintf("  already canonical by profile %s, which omits steps of %s: %s", d.Profile.Name(),
			r.Profile.Name(), strings.Join(names(d.Skipped), ", ")))
	}
	switch {
	case r.Op != Reduced:
		s.Labeled(fmt.Sprintf("  %v once: %s", r.Op, printable(r.Result)))
	case r.Relative:
		s.Labeled("  relative, and without a base it stays so: " + printable(r.Result))
	case bytes.Equal(r.URL, r.Result):
		s.Labeled("  canonical already, by " + r.Profile.Name())
	default:
		s.Labeled("  canonical, by " + r.Profile.Name() + ": " + printable(r.Result))
	}
	if d := r.Explanation.Twice; d != nil {
		s.Labeled("  coded twice: decoding once gives " + printable(d.Once) + ", and a second pass would change that to " +
			printable(d.Again))
	}
}

func printable(b []byte) string { return layout.Printable(string(b)) }

type (
	jsonCanon struct {
		URL       jsondoc.Key      `json:"url"`
		Profile   string           `json:"profile,omitempty"`
		Canonical *jsondoc.Key     `json:"canonical,omitempty"`
		Encoded   *jsondoc.Key     `json:"encoded,omitempty"`
		Decoded   *jsondoc.Key     `json:"decoded,omitempty"`
		Changed   *bool            `json:"changed,omitempty"`
		Relative  bool             `json:"relative,omitempty"`
		Hash      string           `json:"hash,omitempty"`
		Steps     *[]jsonCanonStep `json:"steps,omitempty"`
		FormOf    *jsonFormOf      `json:"formOf,omitempty"`
		Twice     *jsonTwice       `json:"codedTwice,omitempty"`
		Profiles  []jsonForm       `json:"profiles,omitempty"`
	}
	jsonCanonStep struct {
		Step   string      `json:"step"`
		Title  string      `json:"title"`
		Clause string      `json:"clause"`
		Before jsondoc.Key `json:"before"`
		After  jsondoc.Key `json:"after"`
	}
	jsonFormOf struct {
		Profile string   `json:"profile"`
		Skipped []string `json:"skipped"`
	}
	jsonTwice struct {
		Once  jsondoc.Key `json:"once"`
		Again jsondoc.Key `json:"again"`
	}
	jsonForm struct {
		Profile   string      `json:"profile"`
		Canonical jsondoc.Key `json:"canonical"`
		Steps     []string    `json:"steps"`
	}
)

func (r *CanonResult) json() any {
	out := jsonCanon{URL: bytesKey(r.URL), Relative: r.Relative, Hash: r.Hash}
	if len(r.Forms) == 0 {
		result, changed := bytesKey(r.Result), !bytes.Equal(r.URL, r.Result)
		out.Changed = &changed
		switch r.Op {
		case Reduced:
			out.Canonical = &result
		case Encoded:
			out.Encoded = &result
		case Decoded:
			out.Decoded = &result
		}
	}
	if r.Profile != nil {
		out.Profile = r.Profile.Name()
	}
	if r.Explanation != nil {
		out.explain(r)
	}
	for _, f := range r.Forms {
		out.Profiles = append(out.Profiles, jsonForm{f.Profile.Name(), bytesKey(f.Form), changed(f.Changes)})
	}
	return out
}

func (out *jsonCanon) explain(r *CanonResult) {
	e := r.Explanation
	if r.Op == Reduced {
		steps := []jsonCanonStep{}
		for _, c := range e.Changes {
			steps = append(steps, jsonCanonStep{string(c.Step.Letter), c.Step.Title, c.Step.Clause, bytesKey([]byte(c.Before)),
				bytesKey([]byte(c.After))})
		}
		out.Steps = &steps
	}
	if d := e.Diagnosis; d != nil && d.Profile != nil {
		out.FormOf = &jsonFormOf{d.Profile.Name(), names(d.Skipped)}
	}
	if d := e.Twice; d != nil {
		out.Twice = &jsonTwice{bytesKey(d.Once), bytesKey(d.Again)}
	}
}

func bytesKey(b []byte) jsondoc.Key { return jsondoc.Key(b) }
