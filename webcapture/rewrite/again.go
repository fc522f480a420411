package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// The audit of the rewritten file, and what it may find.

// What it takes for a second audit to look at what changed alone: fewer than one
// in this many entries, of this many at least.
const (
	fewEntries  = 64
	manyEntries = 1 << 14
)

// touched returns what the entries that changed have as their values; nil if the
// rewritten file has to be audited as a whole. It has not if a few keys of many
// were changed, and nothing else: then no page, link or name can be affected.
func (p *Plan) touched() map[object.Ref]bool {
	for _, s := range p.Steps {
		switch {
		case s.Action == audit.RewriteTree:
		case s.Action == audit.ChangeKey && !p.wasID(s):
		default:
			return nil
		}
	}
	touched := map[object.Ref]bool{}
	entries := 0
	for _, tree := range p.db.Trees() {
		name := tree.Name
		entries += tree.Len()
		if p.expect[name] == nil {
			continue
		}
		for pair := range p.expect[name].edit.Result() {
			if pair.Origin >= 0 && pair.Value == nil && pair.Key == tree.Entry(pair.Origin).Key {
				continue
			}
			ref, ok := p.valueOf(name, pair).Ref()
			if !ok {
				return nil
			}
			touched[ref] = true
		}
	}
	if entries < manyEntries || len(touched) > entries/fewEntries {
		return nil
	}
	return touched
}

// wasID reports whether a step takes a key from IDS that may be the ID of a page.
func (p *Plan) wasID(s Step) bool {
	return s.Tree == webcapture.IDS.String() && len(s.Old) == len("<>")+2*len(digest.ID{})
}

// covered reports whether an audit of what changed would have had the finding.
func (p *Plan) covered(f audit.Finding, touched map[object.Ref]bool) bool {
	r := f.Rule
	switch {
	case touched == nil, r.CheckTree != nil, r.CheckInfo != nil:
		return true
	case r.CheckPage != nil, r.CheckImage != nil, r.CheckMember != nil, r.CheckDocument != nil:
		return false
	case touched[f.Place.Set]:
		return true
	}
	tree, i, ok := entryAt(p.db, f.Place)
	if !ok {
		return false
	}
	ref, isRef := tree.Entry(i).Value.Ref()
	return !isRef || touched[ref]
}

// completed adds to the audit of what changed what the audit before found of the
// rest.
func (p *Plan) completed(rep *audit.Report, touched map[object.Ref]bool) *audit.Report {
	whole := *p.Report
	whole.Size, whole.URLS, whole.IDS = rep.Size, rep.URLS, rep.IDS
	whole.Findings = slices.Clone(rep.Findings)
	for _, f := range p.Report.Findings {
		if !p.covered(f, touched) {
			whole.Findings = append(whole.Findings, f)
		}
	}
	return &whole
}

// noneNew returns an error if the audit of the rewritten file has more findings of
// a rule about one thing, a tree, a content set, a page, than that of the file before.
// What could not be copied into a file that was written anew, nobody could read
// before.
func (p *Plan) noneNew(rep *audit.Report, db *webcapture.Database, touched map[object.Ref]bool) error {
	count := map[about]int{}
	for _, f := range p.Report.Findings {
		if p.covered(f, touched) {
			count[aboutOf(f)]++
		}
	}
	lost := map[object.Ref]bool{}
	for _, ref := range p.update.Lost() {
		lost[ref] = true
	}
	actions := p.actions()
	for _, f := range rep.Findings {
		if p.fresh[f.Place.Set] || lost[f.Place.Set] || lost[f.Place.Object] || lost[valueAt(db, f.Place)] {
			continue // nobody has seen this before
		}
		if count[aboutOf(f)]--; count[aboutOf(f)] < 0 && !mayFollow(f.Rule, actions) {
			return &newFinding{f}
		}
	}
	known := map[string]bool{}
	for _, u := range p.Report.Unread {
		known[why(u)] = true
	}
	for _, u := range rep.Unread {
		if !known[why(u)] && !lost[u.Ref] && len(p.fresh) == 0 { // what is found again may refer to it
			return fmt.Errorf("a part of the rewritten file could not be checked: %v: %w", u.Place, u.Err)
		}
	}
	return nil
}

// why says what could not be read, wherever it is referred to and wherever in the
// file it stands.
func why(u audit.Unread) string {
	if m, ok := errors.AsType[*object.Malformed](u.Err); ok {
		return fmt.Sprintf("%v %s", m.Ref, m.Reason)
	}
	return u.Err.Error()
}

// A newFinding is why a file is not rewritten.
type newFinding struct{ audit.Finding }

// Error returns the finding, and what can be done.
func (e *newFinding) Error() string {
	return fmt.Sprintf("the rewritten file would have a finding that is new: %v; without some of the steps it may have not", e.Finding)
}

// about is a rule and what a finding is about. Nodes and pairs are not told apart:
// they move when a tree is written.
type about struct {
	rule, tree, part string
	set, object      object.Ref
}

func aboutOf(f audit.Finding) about {
	return about{f.Rule.ID, f.Place.Tree, f.Place.Part, f.Place.Set, f.Place.Object}
}

// valueAt returns what the entry at a place refers to.
func valueAt(db *webcapture.Database, at audit.Place) object.Ref {
	t, i, ok := entryAt(db, at)
	if !ok {
		return object.Ref{}
	}
	ref, _ := t.Entry(i).Value.Ref()
	return ref
}

// actions returns what the steps do.
func (p *Plan) actions() map[audit.Action]bool {
	actions := map[audit.Action]bool{}
	for _, s := range p.Steps {
		actions[s.Action] = true
	}
	return actions
}

// mayFollow reports whether a rule may have new findings after some actions.
func mayFollow(r *audit.Rule, actions map[audit.Action]bool) bool {
	return slices.ContainsFunc(r.MayFollow, func(a audit.Action) bool { return actions[a] })
}
