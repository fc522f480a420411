// Package rewrite repairs Web Capture content databases.
//
//	p, err := rewrite.Open(ctx, "site.pdf", rewrite.Options{})
//	…
//	defer p.Close()
//	for _, s := range p.Steps {
//		fmt.Println(s)
//	}
//	res, err := p.Install(ctx, rewrite.Target{Path: "repaired.pdf"})
//
// Most callers need these two calls. [Open] audits the file and makes a [Plan]; it
// writes nothing. Each [Step] has the rules that ask for it, its place, and what is there
// before and after; each [Left] is a finding that stays, with the reason. [Plan.Install]
// writes the new file, reads it again, and only if it is what was planned and audited gives it its name: after
// an error the target is as it was.
//
// A repair drops no content set. Where records contradict each other it changes one only if a witness decides, and
// a digital identifier only back to a proven value: docs/repairs.md says which.
// [Options] chooses the rules whose findings are repaired. [Target] says where the new
// file goes, and how it is written: by default the bytes of the old one stay, with an
// update after them, so that signatures stay valid.
//
// [NewPlan] is for callers that have the file open, and [Plan.Permitted] for those that
// want to know what the document permits before they call Install.
package rewrite

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/rewrite/restore"
	"github.com/webcap-tools/webcap/webcapture/witness"
)

// Options says what to repair. The zero value repairs everything that can be repaired,
// except for what is left to a request.
type Options struct {
	Passwords []string // for encrypted files, tried in this order

	// Rules are those whose findings are repaired; nil for all that need no
	// request, see [rule.Rule].
	Rules []*rule.Rule

	Profile *canon.Profile // of canonical URLs; nil for canon.PDF
	Base    string         // what relative keys of URLS are resolved against; none are if it is empty
	Sources bool           // make the URLs in content sets canonical as well
	Rebuild bool           // search the file for content sets that no entry leads to

	// Witness has what was retrieved: it tells which URL is older where the key and the URL of a
	// content set are two encodings of one. Nil if nothing is known of that.
	Witness source.Source

	// Prefer is what the user chose, keys or content sets, where these contradict each other and no
	// witness decides. Open leaves both.
	Prefer witness.Side

	// From are files that the file was made of, by tools that dropped or broke the content
	// database: that of each is brought back, as far as its pages and images are there. Where
	// they disagree, the first counts.
	From []string

	leftOut []restore.Records // see origin
}

// Plan is what a rewrite of one file would do. It is a value to read, print, and marshal;
// [Plan.Install] carries it out. It belongs to one goroutine.
type Plan struct {
	Path   string        `json:"path"`  // what the file is called; Open sets it to where the file is
	Report *audit.Report `json:"-"`     // of the file as it is
	Steps  []Step        `json:"steps"` // in the order of their places
	Left   []Left        `json:"left"`  // errors and warnings of the result, in the order of their places

	// Unmatched says which pages of the files in Options.From are not recognized, and what of them is otherwise in the
	// file; a line each.
	Unmatched []string `json:"unmatched,omitempty"`

	// Restored says of each of the files in Options.From how many of its content sets are in the file then, and names
	// those that are missing.
	Restored []Outcome `json:"restored,omitempty"`

	repair *repair
}

// Step is one change. A plan may have a million: steps share slices and places, which no caller changes.
type Step struct {
	Rules  []string // IDs of the rules that ask for it; none if only an option does
	Action rule.Action
	Tree   string      // the tree that it changes; empty if it changes something else
	Place  *rule.Place // of the first finding
	Old    string      // what is there, as PDF text; empty if nothing is
	New    string      // what will be there; empty if nothing will
	Reason string      // the first finding's message
	Chosen bool        // Options.Prefer decides, because no evidence does

	findings []*rule.Finding // that ask for it, one of each rule
	restored restoredSet     // content set of an original that it brings back; zero if it is about none
}

// String returns the steps, and the findings that stay, on a line each.
func (p *Plan) String() string {
	var b strings.Builder
	for _, s := range p.Steps {
		fmt.Fprintln(&b, s)
	}
	for _, l := range p.Left {
		fmt.Fprintf(&b, "left: %v. %s\n", l.Finding, l.Reason)
	}
	return b.String()
}

// String returns the step on one line.
func (s Step) String() string {
	return strings.TrimSuffix(fmt.Sprintf("%v: %s %s", s.Place, s.Action, s.Change()), " ")
}

// Change describes the change in words.
func (s Step) Change() string {
	switch {
	case s.Old == "":
		return s.New
	case s.New == "":
		return s.Old + " goes"
	}
	return s.Old + " becomes " + s.New
}

// MarshalJSON returns the step as an object of strings.
func (s Step) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Rules  []string `json:"rules"`
		Action string   `json:"action"`
		Tree   string   `json:"tree,omitempty"`
		Place  string   `json:"place"`
		Old    string   `json:"old,omitempty"`
		New    string   `json:"new,omitempty"`
		Reason string   `json:"reason"`
		Chosen bool     `json:"chosen,omitempty"`
	}{s.Rules, s.Action.String(), s.Tree, s.Place.String(), s.Old, s.New, s.Reason, s.Chosen})
}

// Left is a finding that is not repaired.
type Left struct {
	Finding *rule.Finding // in the audit of the result, which is the file if there are no steps
	Reason  string        // why not; sentences
}

// MarshalJSON returns the finding and the reason as an object of strings.
func (l Left) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Rule    string `json:"rule"`
		Place   string `json:"place"`
		Message string `json:"message"`
		Reason  string `json:"reason"`
	}{l.Finding.Rule.ID, l.Finding.Place.String(), l.Finding.Message, l.Reason})
}

// Open audits the PDF at path and plans its repair. The error says that the file
// could not be read, or is the cause of ctx. The caller closes the Plan, which is of no use
// after ctx is done.
func Open(ctx context.Context, path string, opt Options) (p *Plan, err error) {
	read, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f, err := webcapture.Open(ctx, path, webcapture.Options{Passwords: opt.Passwords})
	if err != nil {
		return nil, err
	}
	err = f.Repairing(func() error {
		p, err = NewPlan(ctx, f, opt)
		return err
	})
	if err != nil {
		f.Close()
		return nil, err
	}
	p.Path, p.Report.Path, p.repair.input = path, path, input{path, read}
	return p, nil
}

// Close releases the file. The steps stay.
func (p *Plan) Close() error { return p.repair.opened.Close() }

// Empty reports whether there is nothing to repair in the content database.
func (p *Plan) Empty() bool { return len(p.Steps) == 0 }

// Worthwhile reports whether there is something to write: steps, or what is left of
// a file whose cross-reference data is damaged, written anew.
func (p *Plan) Worthwhile(t Target) bool { return !p.Empty() || t.Full && p.Report.Repaired }
