// Package audit checks a Web Capture content database against the rules of the
// standard, and of what real files taught.
//
//	rep, err := audit.File("site.pdf", audit.Options{})
//	for _, f := range rep.Findings.All() {
//		fmt.Println(f)
//	}
//
// Most callers need no more than this. [File] audits a PDF, and [Bytes] one in memory.
// The error says that the file could not be read. The [Report] has the rest: a
// [rule.Finding] says which [rule.Rule] the file breaks, at which [rule.Place], and with which
// [rule.Fix] it would keep it; a [rule.Unread] is a part that could not be checked. A file without
// findings is clean only if Report.Present is true and Report.Unread is empty.
// Nothing is changed: package rewrite carries fixes out.
//
// [Rules], [Lookup] and [Select] find rules, for Options.Rules or to explain them; each
// has examples. [Run] audits a file that is open.
//
// Some options add results. With Options.Source each [rule.Identity] says whether the ID of a
// content set matches the retrieved file. With Options.Outline an [outline.Outline] has the shape
// of the database for drawings. With Options.Entries, [Entries] lists the keys and their content
// sets, row by row. Package rule serves authors of rules.
package audit

import (
	"context"
	"time"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/engine"
	"github.com/webcap-tools/webcap/webcapture/audit/outline"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/witness"
)

// Options says how to audit. The zero value suits most.
type Options struct {
	Passwords []string     // for encrypted files, tried in this order
	Rules     []*rule.Rule // the rules to check; nil for all

	// Database is that of the file, for callers of Run that have read it already;
	// nil for the others.
	Database *webcapture.Database

	// Source has what was retrieved from URLs: the ID of every content set is held
	// against what it has. With Embedded, so it is against the files that are
	// embedded in the PDF (7.11.4). Nil and false leave Report.Identities nil.
	Source   source.Source
	Embedded bool

	// Witness tells which of two URLs was retrieved, where the key and the URL of a content set are
	// two encodings of one. Nil for Source.
	Witness source.Source

	// Prefer is what the user chose, keys or content sets, where these contradict each other and no
	// witness decides. Open leaves both.
	Prefer witness.Side

	// HasBase says that the caller knows what relative keys of URLS are relative to, and can make
	// them absolute.
	HasBase bool

	// SourceLost says that a part of what was given as Source cannot be read. It may have captures of any
	// URL, so that those of Source prove no mismatch.
	SourceLost bool

	// Outline asks for Report.Outline, which is of the database as a whole.
	Outline bool

	// Entries asks for Report.Entries, and for Producer and Creator.
	Entries bool

	// Phase is called with a few words about each part of the audit, for people who wait; nil for
	// no calls.
	Phase func(what string)

	allUnresolved bool      // for tests: take the long way for every set
	budget        int64     // for tests: of work, 0 for the usual one
	findings      int64     // for tests: how many may be kept, 0 for the usual number
	now           time.Time // for tests: when the audit takes place; zero for the present
}

// File audits the PDF at path. A file whose cross-reference data turns out not
// to lead to its objects is repaired in memory, and audited anew. The error says
// that the file could not be read; its findings are in the Report.
func File(path string, opt Options) (*Report, error) {
	f, err := webcapture.Open(context.Background(), path, webcapture.Options{Passwords: opt.Passwords})
	return repairing(f, err, path, opt)
}

// Bytes audits the PDF that data holds, under the name path.
func Bytes(path string, data []byte, opt Options) (*Report, error) {
	f, err := webcapture.New(context.Background(), data, webcapture.Options{Passwords: opt.Passwords})
	return repairing(f, err, path, opt)
}

func (o *Options) begins(what string) {
	if o.Phase != nil {
		o.Phase(what)
	}
}

// Run audits an open file. The Report keeps nothing of the file: it may be used
// after the file is closed.
func Run(f *webcapture.File, opt Options) (*Report, error) {
	db := opt.Database
	if db == nil {
		opt.begins("reading the name trees")
		var err error
		if db, err = f.Database(); err != nil {
			return nil, err
		}
	}
	res, err := engine.Run(f, db, opt.engine())
	if err != nil {
		return nil, err
	}
	rep := &Report{
		Facts: f.Facts(db), Findings: res.Findings, Omitted: res.Omitted, Unread: res.Unread,
		Identities: res.Identities, Subjects: res.Subjects, Positions: res.Positions,
		DigestsVerified: res.Digests[rule.Verified], DigestsDiffer: res.Digests[rule.Mismatch],
		DigestsUnchecked: res.Digests[rule.NotCheckable],
	}
	for subtype, n := range res.Sets {
		rep.CountSets(webcapture.Subtype(subtype), n)
	}
	if opt.Outline {
		if rep.Outline, err = outline.New(res.Audit, db, rep.Findings,
			rep.PageSets+rep.ImageSets+rep.OtherSets); err != nil {
			return nil, err
		}
	}
	if opt.Entries {
		if rep.Entries, err = newEntries(res.Audit, res.Work, res.Records); err != nil {
			return nil, err
		}
		if rep.Producer, rep.Creator, err = writersOf(f); err != nil {
			return nil, err
		}
	}
	return rep, nil
}

// engine returns the options as the engine takes them.
func (o *Options) engine() engine.Options {
	e := engine.Options{
		Rules: o.Rules, Source: o.Source, Embedded: o.Embedded, Witness: o.Witness, Prefer: o.Prefer,
		HasBase: o.HasBase, SourceLost: o.SourceLost,
		Phase: o.begins, AllUnresolved: o.allUnresolved, Budget: o.budget, Findings: o.findings, Now: o.now,
	}
	if e.Rules == nil {
		e.Rules = checks.Rules
	}
	return e
}

// repairing audits a file that was opened, unless that failed, and closes it.
func repairing(f *webcapture.File, err error, path string, opt Options) (rep *Report, _ error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = f.Repairing(func() error {
		rep, err = Run(f, opt)
		return err
	})
	if err != nil {
		return nil, err
	}
	rep.Path = path
	return rep, nil
}
