package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/diff"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
)

// plan is the plan of a repair.
type plan struct {
	Steps      []step          `json:"steps"`
	Text       string          `json:"text"` // plan as text, as webcap rewrite prints it
	Plan       json.RawMessage `json:"plan"` // plan as JSON, as webcap rewrite --format json prints it
	Worthwhile bool            `json:"worthwhile"`
	Refused    *failure        `json:"refused,omitempty"` // reason why the plan may not be carried out
	Notes      []string        `json:"notes"`             // notes about the original
}

// step is a step of a plan, as text.
type step struct {
	Place  string   `json:"place"`
	Action string   `json:"action"`
	Change string   `json:"change"`
	Reason string   `json:"reason"`
	Rules  []string `json:"rules"`
}

// openPlan plans the repair of a file. It omits the steps that the request excludes.
func openPlan(ctx context.Context, r *request) (*rewrite.Plan, error) {
	opt := rewrite.Options{Passwords: passwordsFor(r)}
	if r.From != "" {
		opt.From = []string{r.From}
	}
	p, err := rewrite.Open(ctx, r.Path, opt)
	if err != nil || len(r.Without) == 0 {
		return p, err
	}
	for _, i := range r.Without {
		if i < 0 || i >= len(p.Steps) {
			p.Close()
			return nil, fmt.Errorf("the plan has no step %d", i+1)
		}
	}
	less, err := p.Without(ctx, r.Without)
	if err != nil {
		p.Close()
		return nil, err
	}
	return less, nil
}

// target returns the target of the repaired file.
func (r *request) target() rewrite.Target {
	return rewrite.Target{Path: r.Out, Full: r.Full, BreakSignatures: r.BreakSignatures}
}

// planRepair plans the repair of a file.
func planRepair(ctx context.Context, r *request, phase func(string)) (any, error) {
	phase("planning the repair")
	p, err := openPlan(ctx, r)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	out := &plan{Steps: []step{}, Notes: append([]string{}, p.Unmatched...), Worthwhile: p.Worthwhile(r.target())}
	for _, s := range p.Steps {
		out.Steps = append(out.Steps, step{s.Place.String(), s.Action.String(), s.Change(), s.Reason, s.Rules})
	}
	for i := range p.Restored {
		out.Notes = append(out.Notes, p.Restored[i].String())
	}
	if err := p.Permitted(r.target()); err != nil {
		f := failureOf(err)
		out.Refused = &f
	}
	var text, doc bytes.Buffer
	res := &show.Rewrite{Plan: p, Target: r.target()}
	if err := errors.Join(show.WritePlan(&text, res, 0), show.WritePlanJSON(&doc, res, version)); err != nil {
		return nil, err
	}
	out.Text, out.Plan = text.String(), doc.Bytes()
	return out, nil
}

// repaired describes the file that was written.
type repaired struct {
	Text string `json:"text"`
}

// repairFile writes a repaired file. Install audits the file before it gets its name.
func repairFile(ctx context.Context, r *request, phase func(string)) (any, error) {
	phase("planning the repair")
	p, err := openPlan(ctx, r)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if !p.Worthwhile(r.target()) {
		return nil, errors.New("there is nothing to repair")
	}
	phase("writing the repaired file and auditing it")
	res, err := p.Install(ctx, r.target())
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = show.WritePlan(&text, &show.Rewrite{Plan: p, Target: r.target(), Output: r.Out, Result: res}, 0)
	return &repaired{text.String()}, err
}

// remedyOf returns the field of a request that allows a refused operation, or "".
func remedyOf(err error) string {
	switch {
	case errors.Is(err, rewrite.ErrForbidden):
		return "breakSignatures"
	case errors.Is(err, rewrite.ErrAppend):
		return "full"
	}
	return ""
}

// comparison is the difference between a file and its original.
type comparison struct {
	Text string          `json:"text"` // comparison as text, as webcap diff prints it
	Diff json.RawMessage `json:"diff"` // comparison as JSON, as webcap diff --format json prints it
}

// compareFiles compares a file with its original.
func compareFiles(ctx context.Context, r *request, phase func(string)) (any, error) {
	phase("comparing with the original")
	res, err := diff.Files(ctx, r.From, r.Path, webcapture.Options{Passwords: passwordsFor(r)})
	if err != nil {
		return nil, err
	}
	var text, doc bytes.Buffer
	if err := errors.Join(show.WriteDiff(&text, res, 0), show.WriteDiffJSON(&doc, res, version)); err != nil {
		return nil, err
	}
	return &comparison{text.String(), doc.Bytes()}, nil
}
