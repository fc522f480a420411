// Package rewrite repairs Web Capture content databases.
//
//	p, err := rewrite.Open("site.pdf", rewrite.Options{})
//	…
//	defer p.Close()
//	for _, s := range p.Steps.All() {
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
// A repair drops no content set, changes no digital identifier and guesses nothing.
// [Options] chooses the rules whose findings are repaired. [Target] says where the new
// file goes, and how it is written: by default the bytes of the old one stay, with an
// update after them, so that signatures stay valid.
//
// [NewPlan] is for callers that have the file open, and [Plan.Permitted] for those that
// want to know what the document permits before they call Install.
package rewrite

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// Options says what to repair. The zero value repairs whatever can be repaired,
// except for what is left to a request.
type Options struct {
	Passwords []string // for encrypted files, tried in turn

	// Context is that of the plan and of all that is done with it, beside the one that
	// Install gets: when it is done, they fail with its cause. Nil is one that is never done.
	Context context.Context

	// Rules are those whose findings are repaired; nil for all that need no
	// request, see [audit.Rule].
	Rules []*audit.Rule

	Profile *canon.Profile // of canonical URLs; nil for canon.PDF
	Base    string         // what relative keys of URLS are resolved against; none are if it is empty
	Sources bool           // make the URLs in content sets canonical as well
	Rebuild bool           // search the file for content sets that no entry leads to

	// Witness has what was retrieved: it tells which URL is older where the key and the URL of a
	// content set are two encodings of one. Nil if nothing is known of that.
	Witness source.Source

	// From are files that the file was made of, by tools that dropped or broke the content
	// database: that of each is brought back, as far as its pages and images are there. Where
	// they disagree, the first counts.
	From []string
}

// A Plan is what a rewrite of one file would do. It belongs to one goroutine.
type Plan struct {
	Path   string        // what the file is called; Open sets it to where the file is
	Report *audit.Report // of the file as it is
	Steps  Steps         // in the order of their places
	Left   []Left        // errors and warnings that stay, in the order of their places

	Unmatched []string // what of the files in Options.From was not found again, or is otherwise in the file; a line each

	opened   *webcapture.File // that is closed with the plan
	file     *webcapture.File // to which what is expected refers: opened, or a preview
	at       string           // where the file is
	read     os.FileInfo      // of the file at Path, when it was opened
	db       *webcapture.Database
	opt      Options
	update   *webcapture.Update
	after    *audit.Report // of the preview of the update
	partial  partialAudit
	expect   [webcapture.TreeCount]*expectation // nil for a tree that stays as it is
	removed  map[string]bool                    // references to content sets that leave the database
	inherits map[string]int                     // findings that may come along, by rule: those of originals
	unseen   map[object.Ref]bool                // content sets that no entry led to before, or that had no number
	last     bool                               // Install was called, and no call after it counts

	excluded bool // some changes are, see exclusions
	follows  bool // the plan is of several rounds, and what is expected refers to the last one alone
}

// A Step is one change.
type Step struct {
	Rules  []*audit.Rule // that ask for it; none for what only an option asks for
	Action audit.Action
	Tree   string      // the tree that it changes; empty if it changes something else
	Place  audit.Place // of the first finding
	Old    string      // what is there, as PDF text; empty if nothing is
	New    string      // what will be there; empty if nothing will
	Reason string      // the first finding's message

	findings []int32  // numbers of those in the Report that ask for it, one of each rule
	changes  []change // that they ask for, if they are not in the Report; see Plan.follow
}

// String returns the step on one line.
func (s Step) String() string {
	return strings.TrimSuffix(fmt.Sprintf("%v: %s %s", s.Place, s.Action, s.Change()), " ")
}

// Change says what becomes of what.
func (s Step) Change() string {
	switch {
	case s.Old == "":
		return s.New
	case s.New == "":
		return s.Old + " goes"
	}
	return s.Old + " becomes " + s.New
}

// A Left is a finding that is not repaired.
type Left struct {
	Finding audit.Finding
	Reason  string // why not; sentences
}

// Open audits the PDF at path and plans its repair. The error says that the file
// could not be read. The caller closes the Plan.
func Open(path string, opt Options) (p *Plan, err error) {
	read, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f, err := webcapture.Open(path, webcapture.Options{Passwords: opt.Passwords, Context: opt.Context})
	if err != nil {
		return nil, err
	}
	err = f.Repairing(func() error {
		p, err = NewPlan(f, opt)
		return err
	})
	if err != nil {
		f.Close()
		return nil, err
	}
	p.Path, p.Report.Path, p.at, p.read = path, path, path, read
	return p, nil
}

// Close releases the file. The steps stay.
func (p *Plan) Close() error { return p.opened.Close() }

// Empty reports whether there is nothing to repair in the content database.
func (p *Plan) Empty() bool { return p.Steps.Len() == 0 }

// Worthwhile reports whether there is something to write: steps, or what is left of
// a file whose cross-reference data is damaged, written anew.
func (p *Plan) Worthwhile(t Target) bool { return !p.Empty() || t.Full && p.Report.Repaired }
