package rewrite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unique"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// planner plans one round. It turns findings into steps, notes the changes of the steps, and turns them into objects.
type planner struct {
	*draft
	opt     Options
	base    rule.Base
	reader  *webcapture.Reader
	repairs map[rule.Action][]*rule.Rule // rules whose findings are repaired, by action
	without exclusions

	setTable *rule.SetTable // nil until it is needed

	asks []bool            // findings, by number, that have a step
	said map[int][2]string // old and new text of the step of a finding whose fix does not describe it

	// The changes of steps.
	trees   [webcapture.TreeCount]*treeEdit
	sets    map[object.Ref]*setEdit
	images  map[object.Ref]nametree.Key // new IDs of images
	links   []object.Ref                // links whose PA becomes the action again
	dests   destEdit
	catalog []object.Setting // new entries of the catalog

	sink       *sink
	references map[string]object.Ref // new objects for direct content sets, by the text of the set
	copies     map[string]object.Ref // content sets of entries by their essence; see existing
}

// draft is the result of one planning round: the changed objects, and the steps.
type draft struct {
	state   // before the round
	update  *webcapture.Update
	removed map[string]bool     // removed content sets, as references
	unseen  map[object.Ref]bool // content sets not audited before: without an entry, or direct
	steps   []Step
	left    []Left
}

// NewPlan audits an open file and plans its repair. The Plan owns f from then on: closing the Plan closes f. If the
// file exceeds its meter, or the audit has too many findings, NewPlan returns an error.
func NewPlan(ctx context.Context, f *webcapture.File, opt Options) (*Plan, error) {
	db, err := f.Database()
	if err != nil {
		return nil, err
	}
	rep, err := opt.audit(f, db)
	if err != nil {
		return nil, err
	}
	if err := rep.OverBudget(); err != nil {
		return nil, fmt.Errorf("cannot plan a complete repair: %w", err)
	}
	p, err := planRounds(ctx, state{f, db, rep}, opt)
	if err := cmp.Or(err, f.Meter().Over()); err != nil {
		return nil, err
	}
	return p, nil
}

// planFor plans one round for a file. It omits excluded changes. It does not check whether the result has new findings.
func planFor(s state, opt Options, without exclusions) (*draft, error) {
	p := newPlanner(s, opt)
	p.without = without
	return p.draft, p.make()
}

// make takes all steps, and converts their changes into objects.
func (p *planner) make() error {
	if err := p.findings(); err != nil {
		return err
	}
	if p.opt.Rebuild {
		if err := p.rebuild(); err != nil {
			return err
		}
	}
	p.gather()
	if err := p.removeSets(); err != nil {
		return err
	}
	return p.build()
}

func newPlanner(s state, opt Options) *planner {
	p := &planner{
		draft: newDraft(s), opt: opt, base: opt.base(), reader: s.file.NewReader(), repairs: chosen(opt),
		asks: make([]bool, len(s.rep.Findings)), said: map[int][2]string{},
		sets: map[object.Ref]*setEdit{}, images: map[object.Ref]nametree.Key{}, references: map[string]object.Ref{},
	}
	p.sink = &sink{Update: p.update}
	for name := range webcapture.TreeCount {
		p.trees[name] = newTreeEdit(p, name)
	}
	return p
}

func newDraft(s state) *draft {
	return &draft{state: s, update: s.file.NewUpdate(), unseen: map[object.Ref]bool{}, removed: map[string]bool{}}
}

// findings takes the steps of findings, in the file order of values, which is the fastest to read.
func (p *planner) findings() error {
	found := p.rep.Findings
	order := p.file.OrderByPosition(len(found), func(i int) (ref object.Ref) {
		if t, entry, ok := p.entry(found[i].Place); ok {
			ref, _ = t.tree.Entry(entry).Value.Ref()
		}
		return ref
	})
	left := make([]string, len(found))
	for _, i := range order {
		f := p.finding(i)
		reason := p.whyLeft(f)
		if reason == "" && len(p.without) > 0 {
			reason = p.without[changeOf(f)]
		}
		if reason == "" {
			var err error
			if reason, err = p.act(i); err != nil {
				return err
			}
		}
		left[i] = reason
	}
	for i, reason := range left {
		if reason != "" && found[i].Rule.Level > rule.Note {
			p.left = append(p.left, Left{p.finding(i), reason})
		}
	}
	return nil
}

// whyLeft returns the reason why a finding gets no step; empty if it may get one.
func (p *planner) whyLeft(f *rule.Finding) string {
	switch {
	case f.Fix == nil && f.Rule.Basis.Otherwise != "":
		return f.Rule.Basis.Otherwise + "." // the finding says what would decide
	case f.Fix == nil && f.Rule.Action != 0:
		return "Nothing in the file shows the right value."
	case f.Fix == nil:
		return noRepair(f.Rule)
	case p.repairsFindingsOf(f.Rule):
		return ""
	case p.opt.Rules == nil:
		return unique.Make(fmt.Sprintf("Repaired only on request: use --only %s.", f.Rule.ID)).Value()
	}
	return "The rule is not selected for repair."
}

// repairsFindingsOf reports whether the findings of a rule are repaired.
func (p *planner) repairsFindingsOf(r *rule.Rule) bool {
	return slices.ContainsFunc(p.repairs[r.Action], func(c *rule.Rule) bool { return c.ID == r.ID })
}

// chosen returns the rules to repair, by action.
func chosen(opt Options) map[rule.Action][]*rule.Rule {
	list := opt.Rules
	if list == nil {
		list = slices.DeleteFunc(audit.Rules(), func(r *rule.Rule) bool { return r.OnRequest })
	}
	byAction := map[rule.Action][]*rule.Rule{}
	for _, r := range list {
		byAction[r.Action] = append(byAction[r.Action], r)
	}
	return byAction
}

// noRepair explains why a rule has no repair.
func noRepair(r *rule.Rule) string {
	reason, ok := strings.CutPrefix(r.Repair, "None: ")
	if !ok {
		return "There is no repair."
	}
	return strings.ToUpper(reason[:1]) + reason[1:]
}

// act carries out the fix of finding i. If it does not, it returns the reason as left.
func (p *planner) act(i int) (left string, err error) {
	f := p.finding(i)
	fix := f.Fix
	switch fix.Action {
	case rule.ChangeKey, rule.MakeAbsolute, rule.RemoveEntry, rule.MergeEntries, rule.TidyValue, rule.OwnObject:
		t, entry, ok := p.entry(f.Place)
		if !ok {
			return "The entry cannot be distinguished from others.", nil
		}
		t.touched = true
		p.step(i)
		return "", p.onEntry(f, t, entry)
	case rule.AddKey:
		key, set := p.newKey(f), object.MakeRef(fix.Set)
		p.tree(fix.Tree).add(key, set)
	case rule.RestoreKeys:
		if err := p.restoreKeys(f); err != nil {
			return "", err
		}
	case rule.DropMember, rule.ReplaceMember:
		return p.changeMember(i)
	case rule.RewriteTree:
		p.tree(f.Place.Tree).touched = true
	case rule.RemoveTree:
		p.tree(f.Place.Tree).removed = true
	case rule.RemoveSet:
		p.removed[fix.Set.String()] = true
	case rule.BuildIDS:
		n, err := p.buildIDS()
		if err != nil || n == 0 {
			return "URLS leads to no content set with an ID.", err
		}
		p.stepSaying(i, "", countOfEntries(n))
	case rule.ChangeSource:
		p.set(fix.Set).urls[fix.Old] = fix.New
	case rule.ChangeID:
		p.set(fix.Set).id = fix.New
	case rule.RecomputeID:
		if err := p.recomputeID(fix); err != nil {
			return "", err
		}
	case rule.RestoreLink:
		p.links = append(p.links, f.Place.Object)
	case rule.RenameDestination:
		p.dests.rename(fix.Old, fix.New)
	}
	p.step(i)
	return "", nil
}

// onEntry carries out a fix of entry i.
func (p *planner) onEntry(f *rule.Finding, t *treeEdit, i int) error {
	switch fix := f.Fix; fix.Action {
	case rule.MakeAbsolute:
		t.key[i] = p.newKey(f)
		return p.makeAbsolute(t, i)
	case rule.ChangeKey:
		if fix.Set.Num != 0 {
			return t.move(i, fix.Set, p.newKey(f))
		}
		t.key[i] = p.newKey(f)
	case rule.RemoveEntry:
		t.value[i] = nil
	case rule.TidyValue:
		return t.tidy(i)
	case rule.OwnObject:
		t.indirect[i] = true
	}
	return nil
}

// step takes the step of finding i; see gather.
func (p *planner) step(i int) { p.asks[i] = true }

// stepSaying takes the step of finding i with the given old and new text, because its fix does not describe them.
func (p *planner) stepSaying(i int, before, after string) {
	p.said[i] = [2]string{before, after}
	p.step(i)
}

// tree returns the tree with a name.
func (p *planner) tree(name string) *treeEdit {
	n, _ := webcapture.ParseTreeName(name)
	return p.trees[n]
}

// entry returns the entry at a place; false if there is none.
func (p *planner) entry(at rule.Place) (t *treeEdit, i int, ok bool) {
	if at.Tree == "" || at.Node == nil || at.Node.Index < 0 || at.Node.Kid {
		return nil, 0, false
	}
	t = p.tree(at.Tree)
	i, ok = p.db.Tree(t.name).EntryAt(at.Node.Position(), at.Node.Index)
	return t, i, ok
}
