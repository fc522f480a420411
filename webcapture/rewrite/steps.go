package rewrite

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// add adds a step.
func (d *draft) add(s Step) { d.steps = append(d.steps, s) }

// ask adds a finding to a step.
func (s *Step) ask(f *rule.Finding) {
	s.findings = append(s.findings, f)
	if !slices.Contains(s.Rules, f.Rule.ID) {
		s.Rules = append(s.Rules, f.Rule.ID)
	}
}

// stepKey is the key for finding a shared step. It is equal for all findings of the step.
type stepKey struct {
	action               rule.Action
	place, before, after string
}

// gather adds the steps of findings. Findings with the same place and the same repair share a step. So do all defects
// of a tree, and the findings about an element of O and about the page or image that replaces it.
func (p *planner) gather() {
	var at rule.Place
	atPlace, elsewhere := map[stepKey]int{}, map[stepKey]int{} // indexes of steps; atPlace has only those at this place
	for i, asks := range p.asks {
		if !asks {
			continue
		}
		f := p.finding(i)
		s := p.stepOf(i, f)
		if f.Place.Compare(at) != 0 {
			at = f.Place
			clear(atPlace)
		}
		known, key := atPlace, stepKey{action: s.Action, before: s.Old, after: s.New}
		if s.Place != &f.Place {
			known, key = elsewhere, stepKey{action: s.Action, place: s.Place.String(), after: s.New}
		}
		same, ok := known[key]
		if !ok {
			same = len(p.steps)
			known[key] = same
			p.add(s)
		}
		p.steps[same].Old = cmp.Or(s.Old, p.steps[same].Old)
		p.steps[same].Chosen = p.steps[same].Chosen || f.Fix.Chosen
		p.steps[same].ask(f)
	}
}

// stepOf returns the step of finding i.
func (p *planner) stepOf(i int, f *rule.Finding) Step {
	s := Step{Action: f.Fix.Action, Tree: cmp.Or(f.Fix.Tree, f.Place.Tree), Place: &f.Place, Reason: f.Message}
	if text, ok := p.said[i]; ok {
		s.Old, s.New = text[0], text[1]
	} else {
		s.Old, s.New = p.change(f)
	}
	switch {
	case s.Action == rule.MakeAbsolute: // a key with several defects changes only once
		s.Action = rule.ChangeKey
	case s.Action == rule.RewriteTree:
		s.Place = &rule.Place{Tree: f.Place.Tree}
	case s.Action == rule.RenameDestination: // several links may have the name
		s.Place = &rule.Place{Part: "Dests", Key: f.Fix.Old}
	case p.isReplaced(f.Fix):
		ref := p.set(f.Fix.Set).replaced[f.Fix.Index]
		s.Action, s.Tree, s.Place = rule.ReplaceMember, "", &rule.Place{Set: f.Fix.Set, Object: ref}
		s.New = ref.String()
	}
	return s
}

// sort sorts the steps by place, then by first finding. At the same place, steps without findings come last.
func (d *draft) sort() {
	slices.SortStableFunc(d.steps, func(a, b Step) int {
		if c := a.Place.Compare(*b.Place); c != 0 || len(a.findings)+len(b.findings) == 0 {
			return c
		}
		if len(a.findings) == 0 || len(b.findings) == 0 {
			return cmp.Compare(len(b.findings), len(a.findings))
		}
		return a.findings[0].Compare(*b.findings[0])
	})
	slices.SortStableFunc(d.left, func(a, b Left) int { return a.Finding.Place.Compare(b.Finding.Place) })
}

// leave removes the selected steps, and records their findings, except notes, as left with a reason.
func (d *draft) leave(which func(Step) bool, reason string) {
	d.steps = slices.DeleteFunc(d.steps, func(s Step) bool {
		if !which(s) {
			return false
		}
		for _, f := range s.findings {
			if f.Level() > rule.Note {
				d.left = append(d.left, Left{f, reason})
			}
		}
		return true
	})
}

// finding returns finding i of the audit.
func (p *planner) finding(i int) *rule.Finding { return &p.rep.Findings[i] }

// change returns the old and new text of a finding's fix; empty where the finding does not tell.
func (p *planner) change(f *rule.Finding) (before, after string) {
	fix := f.Fix
	if fix.Action.HasOld() {
		before = fix.Old.String()
	}
	if fix.Action.HasNew() {
		after = p.newKey(f).String()
	}
	switch fix.Action {
	case rule.AddKey:
		after += " " + fix.Set.String()
	case rule.RemoveSet:
		before = fix.Set.String()
	}
	return before, after
}

// newKey returns the new value of a finding's fix. A key of URLS is canonical, and resolved against the base if there
// is one.
func (p *planner) newKey(f *rule.Finding) nametree.Key {
	if cmp.Or(f.Fix.Tree, f.Place.Tree) != webcapture.URLS.String() {
		return f.Fix.New
	}
	key, _ := p.base.Key([]byte(f.Fix.New))
	return key
}
