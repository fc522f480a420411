package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// This file decides which findings a rewritten file may have.

// auditAgain audits a rewritten file.
func auditAgain(f *webcapture.File, db *webcapture.Database, opt Options) (*audit.Report, error) {
	rep, err := opt.audit(f, db)
	if err != nil {
		return nil, fmt.Errorf("the rewritten file cannot be audited: %w", err)
	}
	return rep, f.Meter().Over()
}

// newProblems returns the problems of a rewritten file: new errors and warnings, and newly unreadable parts. A finding
// is new if there were fewer findings of its rule about the same subject before; see subject. Notes do not count.
// Findings may come from originals, up to their number there.
func (c *combinedPlan) newProblems(after state) (list []error) {
	for _, f := range c.newFindings(after.rep.Findings) {
		list = append(list, &newFinding{f})
	}
	if len(c.unseen) > 0 {
		return list // some parts may be unreadable only because they were not read before
	}
	unread := map[string]bool{}
	for _, u := range c.before.rep.Unread {
		unread[why(u)] = true
	}
	for _, u := range after.rep.Unread {
		if !unread[why(u)] {
			list = append(list, fmt.Errorf("a part of the rewritten file could not be checked: %v: %w", u.Place, u.Err))
		}
	}
	return list
}

// newFindings returns the new findings that prevent a rewrite.
func (c *combinedPlan) newFindings(after rule.Findings) (list []rule.Finding) {
	count := map[subject]int{} // only for subjects after the rewrite, which may be fewer
	for _, f := range after {
		count[subjectOf(f.Rule, f.Place)] = 0
	}
	for _, f := range c.before.rep.Findings {
		s := subjectOf(f.Rule, f.Place)
		if _, ok := count[s]; ok {
			count[s]++
		}
	}
	actions, inherited := actionsOf(c.steps), map[string]int{}
	for i := range after {
		r, at := after[i].Rule, after[i].Place
		if r.Level == rule.Note || c.unseen[at.Set] { // the set was not read in the audit before
			continue
		}
		count[subjectOf(r, at)]--
		if count[subjectOf(r, at)] >= 0 || mayFollow(r, actions) {
			continue
		}
		if inherited[r.ID]++; inherited[r.ID] > c.inherits[r.ID] {
			list = append(list, after[i])
		}
	}
	return list
}

// why returns the unreadable object and the reason. Offset and place are omitted, because they may change.
func why(u rule.Unread) string {
	if m, ok := errors.AsType[*object.Malformed](u.Err); ok {
		return fmt.Sprintf("%v %s", m.Ref, m.Reason)
	}
	return u.Err.Error()
}

// newFinding is the error for a new finding in the rewritten file.
type newFinding struct{ rule.Finding }

// Error returns the finding.
func (e *newFinding) Error() string {
	return fmt.Sprintf("the rewritten file would have a new finding: %v", e.Finding)
}

// subject is a rule with the object of a finding. Nodes and pairs are ignored: they move when a tree is written. So is
// the content set of a member: a direct one gets a number when it becomes an object.
type subject struct {
	rule, tree, part string
	object           object.Ref
}

func subjectOf(r *rule.Rule, at rule.Place) subject {
	ref := at.Object
	if ref.Num == 0 {
		ref = at.Set
	}
	return subject{r.ID, at.Tree, at.Part, ref}
}

// actionsOf returns the actions of steps.
func actionsOf(steps []Step) map[rule.Action]bool {
	actions := map[rule.Action]bool{}
	for i := range steps {
		actions[steps[i].Action] = true
	}
	return actions
}

// mayFollow reports whether some actions may cause new findings of a rule.
func mayFollow(r *rule.Rule, actions map[rule.Action]bool) bool {
	return slices.ContainsFunc(r.MayFollow, func(a rule.Action) bool { return actions[a] })
}
