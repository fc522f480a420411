// Package audit checks a Web Capture content database against the rules of the standard, and against experience with
// real files.
//
//	rep, err := audit.File(ctx, "site.pdf", audit.Options{})
//	for _, f := range rep.Findings {
//		fmt.Println(f)
//	}
//
// Most callers need only this. [File] audits a PDF, and [Bytes] one in memory. The error means that the file could not
// be read. The [Report] has the results: a [rule.Finding] is a violation of a [rule.Rule] at a [rule.Place], with the
// [rule.Fix] that would repair it; a [rule.Unread] is a part that could not be checked. A file without findings is
// clean only if Report.Present is true and Report.Unread is empty. An audit changes nothing: package rewrite carries
// out fixes.
//
// [Rules], [Lookup] and [Select] find rules, for Options.Rules or to explain them. [ExamplesOf] returns the examples of
// a rule. [Run] audits an open file.
//
// Some options add results. With Options.Source, each [rule.Identity] tells whether the ID of a content set matches the
// retrieved file. Package rule is for authors of rules.
package audit

import (
	"context"
	"time"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/engine"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Options are the options of an audit. The zero value suits most callers.
type Options struct {
	Passwords []string     // passwords for encrypted files, tried in order
	Rules     []*rule.Rule // rules to check; nil for all

	// Database is the content database of the file, if the caller of Run has already read it; otherwise nil.
	Database *webcapture.Database

	// Source has files retrieved from URLs. If it is not nil, the audit compares the ID of each content set with them,
	// and sets Report.Identities.
	Source source.Source

	// Prefer is the user's choice between keys, content sets, and data of images that contradict each other. Open decides
	// for none.
	Prefer rule.Side

	// Base makes relative keys of URLS, and relative URLs of content sets, absolute. Without a URL in it, they are
	// reported and get no fix.
	Base rule.Base

	// Keys sets Report.Keys.
	Keys bool

	// SourceLost means that a part of the given sources is missing in Source, because it is unreadable. That part may
	// have captures of any URL, so a capture in Source cannot prove a mismatch.
	SourceLost bool

	// Phase is called at the start of each part of the audit, with a description for users; may be nil.
	Phase func(what string)

	allDeferred bool      // for tests: treat all content sets as inconsistent
	budget      int64     // for tests: limit of work; 0 for the default
	findings    int64     // for tests: maximum number of kept findings; 0 for the default
	now         time.Time // for tests: time of the audit; zero for the present
}

// File audits the PDF at path. If the cross-reference data of the file does not lead to its objects, File repairs it in
// memory and audits it again. The error means that the file could not be read; findings are in the Report. If ctx is
// done, it is the cause.
func File(ctx context.Context, path string, opt Options) (*Report, error) {
	f, err := webcapture.Open(ctx, path, webcapture.Options{Passwords: opt.Passwords})
	return repairing(f, err, path, opt)
}

// Bytes audits a PDF in memory like [File]. path is its name in the Report.
func Bytes(ctx context.Context, path string, data []byte, opt Options) (*Report, error) {
	f, err := webcapture.New(ctx, data, webcapture.Options{Passwords: opt.Passwords})
	return repairing(f, err, path, opt)
}

func (o *Options) begins(what string) {
	if o.Phase != nil {
		o.Phase(what)
	}
}

// Run audits an open file. The Report does not refer to the file, so it stays valid after the file is closed.
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
		Identities: res.Identities, Keys: res.Keys, Subjects: res.Subjects, Positions: res.Positions,
	}
	rep.Digests = Digests{res.Digests[rule.Verified], res.Digests[rule.Mismatch], res.Digests[rule.NotCheckable]}
	rep.Present = rep.Present || db.Traces.Any()
	for subtype, n := range res.Sets {
		rep.CountSets(webcapture.Subtype(subtype), n)
	}
	return rep, nil
}

// engine returns the options for package engine.
func (o *Options) engine() engine.Options {
	e := engine.Options{
		Rules: o.Rules, Source: o.Source, SourceLost: o.SourceLost, Prefer: o.Prefer, Base: o.Base, Keys: o.Keys,
		Phase: o.begins, AllDeferred: o.allDeferred, Budget: o.budget, Findings: o.findings, Now: o.now,
	}
	if e.Rules == nil {
		e.Rules = checks.Rules
	}
	return e
}

// repairing audits an opened file, with a repair in memory if necessary, and closes it. err is the error of opening it.
func repairing(f *webcapture.File, err error, path string, opt Options) (rep *Report, _ error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = f.RetryWithoutXRef(func() error {
		rep, err = Run(f, opt)
		return err
	})
	if err != nil {
		return nil, err
	}
	rep.Path = path
	return rep, nil
}
