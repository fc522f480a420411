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

// stepKey is the key for finding a shared step. It is equal for all findings of the step.
type stepKey struct {
	action               rule.Action
	place, before, after string
}

// stepSaying takes the step of a finding with the given old and new text, because its fix does not describe them.
func (p *planner) stepSaying(f request, before, after string) {
	s := Step{Action: f.Fix.Action, Tree: cmp.Or(f.Fix.Tree, f.Place.Tree), Place: &f.Place, Old: before, New: after,
		Reason: f.Message}
	if f.Fix.Action == rule.RewriteTree { // one step repairs all defects of a tree
		s.Place = &rule.Place{Tree: f.Place.Tree}
	}
	p.askOnce(p.share(stepKey{s.Action, s.Place.String(), s.Old, s.New}, s), f.Finding)
}

// share returns the existing step with a key, or adds s. The result is valid until the next step is added.
func (p *planner) share(key stepKey, s Step) *Step {
	i, ok := p.shared[key]
	if !ok {
		i = len(p.steps)
		p.shared[key] = i
		p.add(s)
	}
	return &p.steps[i]
}

// askOnce adds a finding to a step, unless the step already has a finding of the rule.
func (p *planner) askOnce(s *Step, f *rule.Finding) {
	if !slices.Contains(s.Rules, f.Rule.ID) {
		p.ask(s, f)
	}
}

// ask adds a finding to a step. Steps with only one rule share the list with its ID.
func (p *planner) ask(s *Step, f *rule.Finding) {
	s.findings = append(s.findings, f)
	if len(s.Rules) > 0 {
		s.Rules = append(slices.Clip(s.Rules), f.Rule.ID)
		return
	}
	if p.alone[f.Rule] == nil {
		p.alone[f.Rule] = []string{f.Rule.ID}
	}
	s.Rules = p.alone[f.Rule]
}

// gather adds the steps that fixes describe completely. Findings with the same place and the same repair share a step.
func (p *planner) gather() {
	p.steps = slices.Grow(p.steps, count(p.asks)) // there may be a million
	var at rule.Place
	known := map[stepKey]int{} // steps at this place, by their index
	for i, asks := range p.asks {
		if !asks {
			continue
		}
		f := p.finding(i)
		s := Step{Action: actionOf(f.Fix.Action), Tree: cmp.Or(f.Fix.Tree, f.Place.Tree), Place: &f.Place,
			Reason: f.Message}
		s.Old, s.New = p.change(f)
		if f.Place.Compare(at) != 0 {
			at = f.Place
			clear(known)
		}
		key := stepKey{action: s.Action, before: s.Old, after: s.New}
		same, ok := known[key]
		if !ok {
			same = len(p.steps)
			known[key] = same
			p.add(s)
		}
		p.steps[same].Chosen = p.steps[same].Chosen || f.Fix.Chosen
		p.askOnce(&p.steps[same], f)
	}
}

// count returns how many elements of a list are true.
func count(list []bool) (n int) {
	for _, is := range list {
		if is {
			n++
		}
	}
	return n
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

// speller computes new keys of URLS.
type speller struct{ base rule.Base }

// canonical returns the key for a URL. If there is a base, relative URLs are resolved against it.
func (p speller) canonical(url nametree.Key) nametree.Key {
	key, _ := p.base.Key([]byte(url))
	return key
}

// actionOf returns the action of a step, given the action of a fix.
func actionOf(a rule.Action) rule.Action {
	if a == rule.MakeAbsolute { // a key with several defects changes only once
		return rule.ChangeKey
	}
	return a
}

// change returns the old and new text of a finding's fix; empty where the finding does not tell.
func (p speller) change(f *rule.Finding) (before, after string) {
	switch fix := f.Fix; fix.Action {
	case rule.AddKey:
		return "", p.addedKey(fix).String() + " " + fix.Set.String()
	case rule.ChangeKey, rule.MakeAbsolute:
		return fix.Old.String(), p.changedKey(f).String()
	case rule.RenameDestination, rule.ChangeSource, rule.ChangeID, rule.RecomputeID:
		return fix.Old.String(), fix.New.String()
	case rule.RestoreLink:
		return "", fix.New.String()
	case rule.RemoveEntry, rule.MergeEntries:
		return fix.Old.String(), ""
	case rule.RemoveSet:
		return fix.Set.String(), ""
	}
	return "", ""
}

// addedKey returns the key that AddKey gives a content set.
func (p speller) addedKey(fix *rule.Fix) nametree.Key {
	if fix.Tree == webcapture.IDS.String() {
		return fix.New
	}
	return p.canonical(fix.New)
}

// changedKey returns the key that ChangeKey or MakeAbsolute gives an entry.
func (p speller) changedKey(f *rule.Finding) nametree.Key {
	if f.Place.Tree == webcapture.IDS.String() {
		return f.Fix.New
	}
	return p.canonical(f.Fix.New)
}
