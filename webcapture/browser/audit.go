package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/report/format"
)

// aboutPage describes the program for the page.
type aboutPage struct {
	Version  string     `json:"version"`
	Rules    []ruleText `json:"rules"`
	Formats  []choice   `json:"formats"`
	Captures []string   `json:"captures"` // formats of lists of captures
}

// choice is an item that the user can choose, with a short description.
type choice struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// ruleText explains a rule.
type ruleText struct {
	ID      string `json:"id"`
	Level   string `json:"level"`
	Problem string `json:"problem"`
	Doc     string `json:"doc"`
	Repair  string `json:"repair"`
	Clause  string `json:"clause"`
	Right   string `json:"right"` // what the right value of a repair follows from
}

func about(context.Context, *request, func(string)) (any, error) {
	a := aboutPage{Version: version, Captures: show.CaptureFormats()}
	for _, r := range audit.Rules() {
		a.Rules = append(a.Rules, ruleText{r.ID, r.Level.String(), r.Problem, r.Doc, r.Repair, r.Clause,
			r.Basis.Right})
	}
	for _, f := range format.All() {
		a.Formats = append(a.Formats, choice{f.Name, f.Doc})
	}
	return a, nil
}

// auditResult is the result of one audit. The record itself is in the file Out, as NDJSON.
type auditResult struct {
	Outcome  string         `json:"outcome"`
	Result   string         `json:"result"`
	Verdict  string         `json:"verdict,omitempty"` // damage that a tool has done to the file
	Levels   map[string]int `json:"levels"`
	Worst    string         `json:"worst,omitempty"`
	Password bool           `json:"password,omitempty"`
}

// auditFile audits a file. If the file cannot be audited, the record has the error.
func auditFile(ctx context.Context, r *request, phase func(string)) (any, error) {
	rec := recordOf(ctx, r, phase)
	err := writeTo(r.Out, func(w io.Writer) error { return writeRecords(w, report.NDJSON, []*report.Record{rec}) })
	if err != nil {
		return nil, err
	}
	res := &auditResult{Outcome: rec.Outcome().String(), Result: rec.Result(), Levels: map[string]int{},
		Password: errors.Is(rec.Err, webcapture.ErrPassword)}
	if rec.Report == nil {
		return res, nil
	}
	groups := report.GroupsOf(rec.Report, report.SomeShown)
	res.Verdict = groups.Verdict(rec.Report)
	for l := rule.Error; l >= rule.Note; l-- {
		res.Levels[l.String()] = rec.Report.Count(l)
	}
	if len(rec.Report.Findings) > 0 {
		res.Worst = rec.Report.Worst().String()
	}
	return res, nil
}

// recordOf audits a file.
func recordOf(ctx context.Context, r *request, phase func(string)) *report.Record {
	start := time.Now()
	rec := &report.Record{Path: r.Path}
	rec.Err = open(ctx, r.Path, passwordsFor(r), func(f *webcapture.File) error {
		phase("computing the SHA-256")
		sum := sha256.New()
		_, err := f.WriteTo(sum)
		if err != nil {
			return err
		}
		rec.Size, rec.SHA256 = f.Size(), hex.EncodeToString(sum.Sum(nil))
		rec.Report, err = audit.Run(f, audit.Options{Phase: phase})
		return err
	})
	if rec.Err != nil {
		rec.Report = nil
	} else {
		rec.Report.Path = r.Path
	}
	rec.Seconds = time.Since(start).Seconds()
	return rec
}

func writeRecords(w io.Writer, f report.Format, list []*report.Record) error {
	out := f.New(w, report.Options{Head: report.Head{Version: version, Rules: audit.Rules()}})
	for _, rec := range list {
		if err := out.Add(rec); err != nil {
			return err
		}
	}
	return out.Close(report.Complete)
}

// writeReport writes the audit results in the files Paths, in one format.
func writeReport(_ context.Context, r *request, _ func(string)) (any, error) {
	f, ok := format.Lookup(r.Format)
	if !ok {
		return nil, fmt.Errorf("there is no format %q", r.Format)
	}
	opt := report.Options{Head: report.Head{Version: version, Rules: audit.Rules()}, Time: time.Now(), Verbose: true}
	return written{}, writeTo(r.Out, func(w io.Writer) error {
		out := f.New(w, opt)
		for _, path := range r.Paths {
			if err := addResults(out, path); err != nil {
				return err
			}
		}
		for _, in := range r.Failed {
			if err := out.Add(&report.Record{Path: in.Path, Err: report.ErrorOf(in.Outcome, in.Reason)}); err != nil {
				return err
			}
		}
		if r.Partial {
			return out.Close(report.Interrupted)
		}
		return out.Close(report.Complete)
	})
}

// addResults adds the records of an NDJSON file.
func addResults(out report.Writer, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	results, err := report.NewReader(in)
	if err != nil {
		return err
	}
	for {
		rec, err := results.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := out.Add(rec); err != nil {
			return err
		}
	}
}

// written is the answer of an operation whose result is in the file Out.
type written struct{}

// writeTo creates the file at path and calls write. It also returns errors of closing the file.
func writeTo(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
