package rewrite

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/rewrite/restore"
)

// This file makes plans in rounds, so that no repair is left for a second plan. Each round previews the result of its
// steps, audits it, and plans again, until there are no more steps.
//
//	file ─ round 1 ─► preview ─ round 2 ─► preview ─ round 3: no steps
//
// Then the last preview is compared with the file. Steps that may have caused new findings are excluded, and the rounds
// start over. If steps were excluded, or an original may restore more in the result, the preview is then planned again
// like a separate file, until there are no more steps.

// state is a file or preview together with its audit.
type state struct {
	file *webcapture.File
	db   *webcapture.Database
	rep  *audit.Report
}

// combinedPlan has the combined steps and the result of a sequence of planning rounds.
type combinedPlan struct {
	before state // state before the first round
	last   *draft
	after  state // the result of the last round; equals before until the first preview
	steps  []Step
	left   []Left
	unseen map[object.Ref]bool // see draft

	unmatched []string          // see Plan
	outcomes  []restore.Outcome // see Plan.Restored
	inherits  map[string]int    // number of findings that may come from originals, by rule
	excluded  bool              // some changes were excluded
}

func newCombinedPlan(d *draft) *combinedPlan {
	return &combinedPlan{before: d.state, last: d, after: d.state, steps: d.steps, left: d.left,
		unseen: maps.Clone(d.unseen)}
}

// mayRestoreMore reports whether originals may restore more in the result than in the file. They may if steps changed
// or removed values, because content sets are then easier to recognize.
func (c *combinedPlan) mayRestoreMore(opt Options) bool {
	return len(opt.From) > 0 && slices.ContainsFunc(c.steps, func(s Step) bool {
		return s.Action != rule.OwnObject && (s.Action != rule.Restore || s.Old != "")
	})
}

// appendPlan appends a later combinedPlan to c.
func (c *combinedPlan) appendPlan(next *combinedPlan) {
	c.last, c.after, c.left = next.last, next.after, next.left
	c.steps = append(c.steps, next.steps...)
	slices.SortStableFunc(c.steps, func(a, b Step) int { return a.Place.Compare(*b.Place) })
	maps.Copy(c.unseen, next.unseen)
}

// planRounds plans the repair of a file until there are no more steps.
func planRounds(ctx context.Context, s state, opt Options) (*Plan, error) {
	c, err := rounds(ctx, s, opt)
	if err != nil {
		return nil, err
	}
	for n := 1; (c.excluded || c.mayRestoreMore(opt)) && len(c.steps) > 0 && n < maxRounds; n++ {
		more, err := rounds(ctx, c.after, opt)
		if err != nil {
			return nil, err
		}
		if len(more.steps) == 0 {
			break
		}
		c.appendPlan(more)
		c.unmatched, c.outcomes = more.unmatched, more.outcomes
		if more.inherits != nil {
			c.inherits = more.inherits
		}
	}
	return &Plan{Report: s.rep, Steps: c.steps, Left: c.left, Unmatched: c.unmatched, Restored: c.outcomes,
		rounds: c, opt: opt, opened: s.file}, nil
}

// rounds plans until there are no more steps, and excludes steps that cause new findings.
func rounds(ctx context.Context, s state, opt Options) (*combinedPlan, error) {
	without := opt.without.clone()
	var refused []string
	for n := 1; ; n++ {
		if n == maxAttempts {
			opt.Rules, opt.Rebuild = []*rule.Rule{}, false
		}
		c, problems, err := attempt(ctx, s, opt, without)
		if err != nil {
			return nil, err
		}
		if len(problems) == 0 {
			c.unmatched = append(refused, c.unmatched...)
			return c, nil
		}
		excluded := len(without)
		if err := without.excludeCauses(c, s, problems); err != nil {
			return nil, err
		}
		if len(opt.From) > 0 && (len(without) == excluded || n == maxAttempts-1) {
			for _, name := range opt.From {
				refused = append(refused, name+": webcap restores nothing from it: "+consequence(problems[0]))
			}
			opt.From = nil
		}
	}
}

// attempt plans until there are no more steps. It returns problems if the result cannot be written or would have new
// findings.
func attempt(
	ctx context.Context, s state, opt Options, without exclusions,
) (c *combinedPlan, problems []error, err error) {
	if c, err = firstRound(ctx, s, opt, without); err != nil {
		return nil, nil, err
	}
	c.excluded = len(without) > len(opt.without)
	if len(c.steps) == 0 {
		return c, nil, nil
	}
	if problems, err := c.repeat(opt, without); len(problems) > 0 || err != nil {
		return c, problems, err
	}
	problems = c.newProblems(c.after)
	if len(problems) > 0 && len(opt.From) > 0 {
		if c.inherits, err = findingsOf(ctx, opt); err != nil {
			return nil, nil, err
		}
		problems = c.newProblems(c.after)
	}
	return c, problems, nil
}

// firstRound plans the restoration from originals. If they restore nothing, or there are none, it plans the other
// steps.
func firstRound(ctx context.Context, s state, opt Options, without exclusions) (*combinedPlan, error) {
	from := &combinedPlan{}
	if len(opt.From) > 0 {
		var err error
		if from, err = planFrom(ctx, s, opt, without); err != nil || len(from.steps) > 0 {
			return from, err
		}
	}
	d, err := planFor(s, opt, without)
	if err != nil {
		return nil, err
	}
	c := newCombinedPlan(d)
	c.unmatched, c.outcomes = from.unmatched, from.outcomes
	return c, nil
}

// repeat plans more rounds for the result so far, until there are no more steps.
func (c *combinedPlan) repeat(opt Options, without exclusions) (problems []error, err error) {
	for n := 1; ; n++ {
		if problem, err := c.preview(opt); problem != nil || err != nil {
			return []error{problem}, err
		}
		next, err := planFor(c.after, opt, without)
		if err != nil {
			return nil, err
		}
		if len(next.steps) == 0 {
			c.left = next.left
			return nil, nil
		}
		c.appendPlan(newCombinedPlan(next))
		if n == maxRounds {
			return []error{errEndless}, nil
		}
	}
}

// findingsOf returns the number of findings in originals, by rule.
func findingsOf(ctx context.Context, opt Options) (map[string]int, error) {
	count := map[string]int{}
	for _, name := range opt.From {
		err := withOriginal(ctx, name, opt, func(f *webcapture.File) error {
			rep, err := opt.audit(f, nil)
			if err != nil {
				return err
			}
			for _, found := range rep.Findings {
				count[found.Rule.ID]++
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return count, nil
}

var errEndless = errors.New("the repairs would undo each other")

// preview reads and audits the result of all rounds. It returns a problem if the result cannot be written. Findings
// are not problems here.
func (c *combinedPlan) preview(opt Options) (problem, err error) {
	f := c.last.update.Preview()
	db, err := f.Database()
	if err != nil {
		return nil, err
	}
	c.after = state{f, db, nil}
	if problem := c.last.verifyNothingLost(c.after); problem != nil {
		return problem, nil
	}
	c.after.rep, err = auditAgain(f, db, opt)
	return nil, err
}
