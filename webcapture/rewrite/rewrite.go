// Package rewrite repairs Web Capture content databases.
//
//	p, err := rewrite.Open(ctx, "site.pdf", rewrite.Options{})
//	…
//	defer p.Close()
//	for _, s := range p.Steps {
//		fmt.Println(s)
//	}
//	after, err := p.Install(ctx, rewrite.Target{Path: "repaired.pdf"})
//
// Most callers need these two calls. [Open] audits the file and makes a [Plan]; it writes nothing. Each [Step] has
// its rules, its place, and the old and new value; each [Left] is a finding that stays, with the reason.
// [Plan.Install] writes the new file, reads it back, and renames it only if it matches the audited plan: after an
// error the target is unchanged, unless the error says otherwise.
//
// A repair drops no content set with members, and never replaces a valid value: see docs/repairs.md. [Options] chooses
// the rules whose findings are repaired. [Target] is the destination of the new file, and the way of writing it: by
// default the bytes of the old one stay, with an update after them, so that signatures stay valid.
//
// [NewPlan] is for an open file, and [Plan.Permitted] returns what the document permits before a call of Install.
package rewrite

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Options are the options of planning. The zero value repairs everything that needs no request.
type Options struct {
	Passwords []string // passwords for encrypted files, tried in order

	// Rules are the rules whose findings are repaired; nil for all that need no request, see [rule.Rule].
	Rules []*rule.Rule

	Profile *canon.Profile // profile of canonical URLs; nil for canon.PDF
	Base    string         // absolute base URL of relative keys and sources; if empty, these do not change
	Rebuild bool           // search the file for content sets without an entry

	// Prefer is the user's choice between keys, content sets, and data of images that contradict each other. By default
	// neither changes.
	Prefer rule.Side

	// From are the names of originals. Tools made the file from them, and dropped or damaged its content database.
	// Content sets are restored if their pages or images are in the file. If originals disagree, the first decides.
	From []string

	without exclusions // see Plan.Without
}

// base returns the base of relative URLs.
func (o *Options) base() rule.Base { return rule.Base{URL: o.Base, Profile: o.Profile} }

// audit audits a file. db is its database.
func (o *Options) audit(f *webcapture.File, db *webcapture.Database) (*audit.Report, error) {
	return audit.Run(f, audit.Options{Database: db, Prefer: o.Prefer, Base: o.base()})
}

// Plan is a plan to rewrite one file. Callers may read and print it; [Plan.Install] carries it out. Only one
// goroutine may use it.
type Plan struct {
	Path   string        // name of the file in messages; Open sets it to its argument
	Report *audit.Report // audit of the old file
	Steps  []Step        // in the order of their places
	Left   []Left        // errors and warnings that remain, in the order of their places

	// Unmatched describes the unrecognized pages of the files in Options.From, with possible matches, and what else
	// could not be restored; one line each.
	Unmatched []string

	// Restored has an Outcome for each file in Options.From.
	Restored []Outcome

	rounds *combinedPlan
	opt    Options
	opened *webcapture.File // closed with the plan
	path   string           // path of the file that Open opened; empty for NewPlan
	read   os.FileInfo      // state of this file before it was opened
}

// Step is one change. A plan may have a million: steps share places, which callers must not change.
type Step struct {
	Rules  []string    `json:"rules"` // IDs of its rules; none if only an option causes it
	Action rule.Action `json:"action"`
	Tree   string      `json:"tree,omitempty"`   // changed tree; empty for another object
	Place  *rule.Place `json:"place"`            // place of the first finding
	Old    string      `json:"old,omitempty"`    // old value as text; empty if there is none
	New    string      `json:"new,omitempty"`    // new value; empty if it is removed
	Reason string      `json:"reason"`           // the first finding's message, or the reason of a step without findings
	Chosen bool        `json:"chosen,omitempty"` // Options.Prefer decided

	findings []*rule.Finding // findings that cause it
	restored restoredSet     // restored content set of an original; zero if there is none
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
		return s.Old + " is removed"
	}
	return s.Old + " becomes " + s.New
}

// Left is a finding that is not repaired.
type Left struct {
	Finding *rule.Finding // finding in the result; if there are no steps, in the file
	Reason  string        // why it is not repaired, in sentences
}

// Open audits the PDF at path and plans its repair. It returns errors of reading the file, or the cause of ctx. The
// caller closes the Plan, which becomes unusable when ctx is done.
func Open(ctx context.Context, path string, opt Options) (p *Plan, err error) {
	read, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f, err := webcapture.Open(ctx, path, webcapture.Options{Passwords: opt.Passwords})
	if err != nil {
		return nil, err
	}
	err = f.RetryWithoutXRef(func() error {
		p, err = NewPlan(ctx, f, opt)
		return err
	})
	if err != nil {
		f.Close()
		return nil, err
	}
	p.Path, p.Report.Path, p.path, p.read = path, path, path, read
	return p, nil
}

// Close closes the file. The steps stay readable.
func (p *Plan) Close() error { return p.opened.Close() }

// Without returns a plan without some steps of p, given by index, and without the findings that cause them. A step that
// another step implies stays. Both plans share one file, so the caller closes only one of them. Afterwards p can only
// be read.
func (p *Plan) Without(ctx context.Context, steps []int) (*Plan, error) {
	opt := p.opt
	opt.without = opt.without.clone()
	for _, i := range steps {
		for _, c := range p.Steps[i].changes() {
			opt.without[c] = "Not selected."
		}
	}
	less, err := planRounds(ctx, p.rounds.before, opt)
	if err != nil {
		return nil, err
	}
	less.Path, less.path, less.read = p.Path, p.path, p.read
	return less, nil
}

// Empty reports whether the plan has no steps.
func (p *Plan) Empty() bool { return len(p.Steps) == 0 }

// Worthwhile reports whether an Install with t has something to write: steps, or a new file in place of one with
// damaged cross-reference data.
func (p *Plan) Worthwhile(t Target) bool { return !p.Empty() || t.Full && p.Report.WithoutXRef }
