package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// How a plan comes to be one that can be carried out, and that leaves nothing for a second
// one. It is made in rounds: what the steps lead to is previewed, audited and planned
// for again, until nothing is left to do.
//
//	file ─ round 1 ─► preview ─ round 2 ─► preview ─ round 3: no steps
//
// Then the last preview is held against the file: where something new is wrong, the steps
// that it may come of are excluded, and the rounds begin anew. If some were excluded, the
// preview is planned for as a file of its own would be, until that comes to nothing.

// A state is a file as it is, or as it would be, and what its audit found.
type state struct {
	file *webcapture.File
	db   *webcapture.Database
	rep  *audit.Report
}

// A change is what makes a step known again in any round: which finding asks for it, and
// with which fix. What only an option asks for has its action and content set alone.
type change struct {
	rule             *audit.Rule
	tree, part       string
	set, object, has object.Ref // has: the set of the fix
	key, from, to    nametree.Key
	index            int
	action           audit.Action
}

// exclusions are the changes that are not made, with the reasons.
type exclusions map[change]string

// changeOf returns the change that a finding with a fix asks for.
func changeOf(f audit.Finding) change {
	c := change{rule: f.Rule, tree: f.Place.Tree, part: f.Place.Part, set: f.Place.Set, object: f.Place.Object, key: f.Place.Key, action: f.Fix.Action}
	c.has, c.from, c.to, c.index = f.Fix.Set, f.Fix.Old, f.Fix.New, f.Fix.Index
	return c
}

// settle plans the repair of a file.
func settle(s state, opt Options) (*Plan, error) {
	whole, err := rounds(s, opt)
	if err != nil {
		return nil, err
	}
	for n := 1; whole.plan.excluded && !whole.plan.Empty() && n < maxRounds; n++ {
		more, err := rounds(whole.after, opt)
		if err != nil {
			return nil, err
		}
		if more.plan.Empty() {
			break
		}
		more.plan.follow(whole.plan)
		more.plan.excluded = true
		whole = more
	}
	whole.plan.opened, whole.plan.after = s.file, whole.after.rep
	return whole.plan, nil
}

// A settled is a plan and what it leads to.
type settled struct {
	plan  *Plan
	after state
}

// rounds plans until nothing is left to do that has nothing new come of it.
func rounds(s state, opt Options) (settled, error) {
	without := exclusions{}
	for n := 1; ; n++ {
		if n == maxAttempts {
			opt.Rules, opt.Sources, opt.Rebuild, opt.From = []*audit.Rule{}, false, false, nil
		}
		done, troubles, err := attempt(s, opt, without)
		if err != nil || len(troubles) == 0 {
			return done, err
		}
		known := len(without)
		if err := without.blame(done, s, troubles); err != nil {
			return done, err
		}
		if len(without) == known && len(opt.From) > 0 {
			return done, fmt.Errorf("what originals have cannot be brought back: %w", troubles[0])
		}
	}
}

// attempt plans until nothing is left to do. Troubles are why the plan cannot be carried
// out, if it cannot.
func attempt(s state, opt Options, without exclusions) (done settled, troubles []error, err error) {
	var p *Plan
	if len(opt.From) > 0 {
		p, err = planFrom(s, opt)
	}
	var unmatched []string
	if p != nil {
		unmatched = p.Unmatched
	}
	if err == nil && (p == nil || p.Empty()) {
		p, err = planFor(s, opt, without)
	}
	if err != nil {
		return done, nil, err
	}
	p.Unmatched = unmatched
	p.excluded = len(without) > 0
	done = settled{p, s}
	if p.Empty() {
		return done, nil, nil
	}
	for n := 1; ; n++ {
		var trouble error
		if done.after, trouble, err = done.plan.preview(); trouble != nil || err != nil {
			return done, []error{trouble}, err
		}
		next, err := planFor(done.after, opt, without)
		if err != nil {
			return done, nil, err
		}
		if next.Empty() {
			if n > 1 || p.excluded {
				done.plan.Left = next.Left
			}
			break
		}
		next.follow(done.plan)
		done.plan = next
		if n == maxRounds {
			return done, []error{errEndless}, nil
		}
	}
	troubles = slices.Collect(done.plan.news(done.after.rep, done.after.db, nil))
	if len(troubles) > 0 && len(opt.From) > 0 {
		if done.plan.inherits, err = wrongIn(opt); err != nil {
			return done, nil, err
		}
		troubles = slices.Collect(done.plan.news(done.after.rep, done.after.db, nil))
	}
	return done, troubles, nil
}

// wrongIn returns how many findings originals have, by rule.
func wrongIn(opt Options) (map[string]int, error) {
	wrong := map[string]int{}
	for _, name := range opt.From {
		var rep *audit.Report
		if err := withOriginal(name, opt, func(f *webcapture.File) (err error) {
			rep, err = audit.Run(f, audit.Options{Witness: opt.Witness})
			return err
		}); err != nil {
			return nil, err
		}
		for i := range rep.Findings.Len() {
			wrong[rep.Findings.Rule(i).ID]++
		}
	}
	return wrong, nil
}

var errEndless = errors.New("there would always be more to do")

// preview returns what the plan leads to. The trouble is why it cannot be carried out, as
// far as that can be told without the findings.
func (p *Plan) preview() (after state, trouble, err error) {
	f := p.update.Preview()
	db, err := f.DatabaseAfter(p.db)
	if err != nil {
		return after, nil, err
	}
	after = state{f, db, nil}
	if trouble := p.verifyTrees(f, db); trouble != nil {
		return after, trouble, nil
	}
	touched := p.touched()
	after.rep, err = p.auditAgain(f, db, touched)
	if err == nil && touched != nil {
		after.rep = p.completed(after.rep, db, touched)
	}
	return after, nil, err
}

// follow makes p, which was planned for what before leads to, the plan of both.
func (p *Plan) follow(before *Plan) {
	steps := before.Steps
	for _, s := range p.Steps.All() {
		s.changes, s.findings = p.changes(s), nil
		steps.Add(s)
	}
	steps.sort()
	p.Steps, p.Report, p.excluded = steps, before.Report, p.excluded || before.excluded
	p.Unmatched = before.Unmatched
	p.follows = true
	if p.inherits == nil {
		p.inherits = before.inherits
	}
	for ref := range before.unseen {
		p.unseen[ref] = true
	}
	for ref := range before.removed {
		p.removed[ref] = true
	}
}

// changes returns what a step changes.
func (p *Plan) changes(s Step) []change {
	if len(s.findings) == 0 && len(s.changes) == 0 {
		return []change{{action: s.Action, set: s.Place.Set}}
	}
	list := s.changes
	for _, n := range s.findings {
		list = append(list, changeOf(p.Report.Findings.At(int(n))))
	}
	return list
}

// A thing is what a step and a trouble may both be about: an object or a key.
type thing struct {
	ref object.Ref
	key nametree.Key
}

// things returns what a change is about.
func (c change) things() []thing {
	return []thing{{ref: c.set}, {ref: c.object}, {ref: c.has}, {key: c.key}, {key: c.from}, {key: c.to}}
}

// blame excludes the changes that troubles may come of: those that are about the same
// object or key; if all of these are excluded, those of the same tree; else all.
func (e exclusions) blame(done settled, before state, troubles []error) error {
	about, err := aboutWhat(troubles, before, done.after)
	if err != nil {
		return err
	}
	var list []change
	for _, s := range done.plan.Steps.All() {
		list = append(list, done.plan.changes(s)...)
	}
	for _, causeOf := range []func(change) error{
		func(c change) error {
			for _, t := range c.things() {
				if trouble := about[t]; trouble != nil && t != (thing{}) {
					return trouble
				}
			}
			return nil
		},
		func(c change) error {
			i := slices.IndexFunc(troubles, func(trouble error) bool { return treeOf(trouble) == c.tree })
			if i < 0 {
				return nil
			}
			return troubles[i]
		},
		func(change) error { return troubles[0] },
	} {
		any := false
		for _, c := range list {
			if trouble := causeOf(c); trouble != nil && e[c] == "" {
				e[c], any = fmt.Sprintf("Something would be wrong then that is not yet: %s.", consequence(trouble)), true
			}
		}
		if any {
			break
		}
	}
	return nil
}

// consequence says what a trouble is.
func consequence(trouble error) string {
	if f, ok := errors.AsType[*newFinding](trouble); ok {
		return f.Finding.String()
	}
	return trouble.Error()
}

// treeOf returns the tree that a trouble is about; empty if it is about none, or all.
func treeOf(trouble error) string {
	if f, ok := errors.AsType[*newFinding](trouble); ok {
		return f.Place.Tree
	}
	return ""
}

// aboutWhat returns the things that troubles are about: of a content set the keys, too,
// that lead to it before and after.
func aboutWhat(troubles []error, states ...state) (map[thing]error, error) {
	about := map[thing]error{}
	for _, trouble := range troubles {
		f, ok := errors.AsType[*newFinding](trouble)
		if !ok {
			continue
		}
		for _, t := range []thing{{ref: f.Place.Set}, {ref: f.Place.Object}, {key: f.Place.Key}, {key: f.Place.ID}} {
			if t != (thing{}) && about[t] == nil {
				about[t] = trouble
			}
		}
	}
	for _, s := range states {
		r := s.file.NewReader()
		for _, t := range s.db.Trees() {
			for _, e := range t.Entries() {
				for o, err := range r.Values(e.Value) {
					if object.IgnoreMalformed(err) != nil {
						return nil, err
					}
					ref, _ := o.Ref()
					if trouble := about[thing{ref: ref}]; trouble != nil && ref.Num != 0 {
						about[thing{key: e.Key}] = trouble
					}
				}
			}
		}
	}
	return about, nil
}
