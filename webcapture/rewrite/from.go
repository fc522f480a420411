package rewrite

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
	"github.com/webcap-tools/webcap/webcapture/rewrite/restore"
)

// ErrNoOriginal means that a file in Options.From has no content database to restore.
var ErrNoOriginal = restore.ErrNoOriginal

// Outcome describes how much of an original was restored.
type Outcome = restore.Outcome

// planFrom plans the restoration from originals, without other repairs: from each, the content sets that earlier
// originals lack. Direct content sets first become indirect; see ownObjects.
func planFrom(ctx context.Context, s state, opt Options, without exclusions) (*combinedPlan, error) {
	own, err := ownObjects(s, opt, without)
	if err != nil {
		return nil, err
	}
	c := newCombinedPlan(own)
	for i, name := range opt.From {
		if i > 0 || len(c.steps) > 0 {
			s.file = c.last.update.Preview()
			if s.db, err = s.file.Database(); err != nil {
				return nil, err
			}
		}
		d, back, err := planFromOne(ctx, s, opt, restore.Inputs{Name: name, LeftOut: without.leftOut(name)})
		if err != nil {
			return nil, err
		}
		c.appendPlan(newCombinedPlan(d))
		c.unmatched = append(c.unmatched, back.Unmatched...)
		c.outcomes = append(c.outcomes, back.Outcome)
	}
	return c, nil
}

// ownObjects plans to make direct content sets indirect. Only indirect objects can be matched with those of an
// original.
func ownObjects(s state, opt Options, without exclusions) (*draft, error) {
	rules := chosen(opt)[rule.OwnObject]
	isDirect := func(f rule.Finding) bool { return f.Rule.Action == rule.OwnObject }
	if len(rules) == 0 || !slices.ContainsFunc(s.rep.Findings, isDirect) {
		return newDraft(s), nil
	}
	opt.Rules, opt.Rebuild = rules, false
	return planFor(s, opt, without)
}

// planFromOne plans the restoration from one original.
func planFromOne(ctx context.Context, s state, opt Options, in restore.Inputs) (
	d *draft, back *restore.Changes, err error,
) {
	in.File, in.Database, in.Base = s.file, s.db, opt.base()
	if err := withOriginal(ctx, in.Name, opt, func(f *webcapture.File) (err error) {
		in.Original, in.Update = f, s.file.NewUpdate() // not that of a first call, if the original had to be repaired
		back, err = restore.From(in)
		return err
	}); err != nil {
		return nil, nil, err
	}

	// Restored objects are read like others when the trees are built.
	s.file = in.Update.Preview()
	if s.db, err = s.file.Database(); err != nil {
		return nil, nil, err
	}
	p := newPlanner(s, opt)
	if err := p.take(back, in.Name); err != nil {
		return nil, nil, err
	}
	return p.draft, back, p.build()
}

// take adds the parts that an original restores to the plan.
func (p *planner) take(back *restore.Changes, name string) error {
	p.catalog = back.Catalog
	for _, ref := range back.Sets {
		p.unseen[ref] = true
	}
	for i := range back.Steps {
		s := &back.Steps[i]
		step := Step{Action: rule.Restore, Tree: s.Tree, Place: &s.Place, Old: s.Old, New: s.New, Reason: name + " has it"}
		if s.From.Num != 0 {
			step.restored = restoredSet{name, s.From}
		}
		p.add(step)
	}
	for _, e := range back.Removals {
		if err := p.trees[e.Tree].takeOut(e.Key, e.Set); err != nil {
			return err
		}
	}
	for _, e := range back.Entries {
		p.trees[e.Tree].add(e.Key, object.MakeRef(e.Set))
	}
	p.dests.restored = back.Destinations
	return nil
}

// withOriginal calls do with an opened original. If the original has to be repaired, it calls do again. Errors name the
// original.
func withOriginal(ctx context.Context, name string, opt Options, do func(*webcapture.File) error) error {
	err := webcapture.Read(ctx, name, webcapture.Options{Passwords: opt.Passwords}, func(f *webcapture.File) error {
		return cmp.Or(do(f), f.Meter().Over())
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", name, oserror.ReasonOf(err, name))
	}
	return err
}
