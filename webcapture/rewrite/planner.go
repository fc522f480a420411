package rewrite

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unique"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// view is a file and its content database during planning.
type view struct {
	state
	speller
	reader objectReader
}

// edits are all changes to a file that steps have recorded.
type edits struct {
	trees   [webcapture.TreeCount]*treeEdit
	sets    map[object.Ref]*setEdit
	images  map[object.Ref]nametree.Key // new IDs of images
	links   []object.Ref                // links whose PA becomes the action again
	dests   destEdit
	catalog []object.Setting // new entries of the catalog
}

// draft is the result of one planning round: the changed objects, and the steps.
type draft struct {
	from    state
	update  *webcapture.Update
	expect  [webcapture.TreeCount]*expectation // nil for an unchanged tree
	removed map[string]bool                    // removed content sets, as references
	unseen  map[object.Ref]bool                // content sets not audited before: without an entry, or direct
	steps   []Step
	left    []Left
}

// planner converts findings into steps, and records the changes.
type planner struct {
	*view
	*edits
	*draft
	opt     Options
	repairs map[rule.Action][]*rule.Rule // rules whose findings are repaired, by action
	without exclusions

	setTable *rule.SetTable // nil until it is needed

	asks   []bool                  // findings, by number, whose steps are described by their fixes
	shared map[stepKey]int         // index in the draft of other steps
	alone  map[*rule.Rule][]string // list with only the rule's ID, shared by steps
}

// objectReader reads objects of a file. It is a [webcapture.Reader], except in tests of errors.
type objectReader interface {
	object.Source
	Stream(object.Ref) (io.Reader, error)
	Resolve(object.Object) (object.Object, error)
	Read(object.Object, *webcapture.ContentSet) error
	String(object.Object) (webcapture.String, error)
	Values(object.Object) iter.Seq2[object.Object, error]
}

// NewPlan audits an open file and plans its repair. The Plan owns f from then on: closing the Plan closes f. If the
// file exceeds its meter, or the audit has too many findings, NewPlan returns an error.
func NewPlan(ctx context.Context, f *webcapture.File, opt Options) (*Plan, error) {
	db, err := f.Database()
	if err != nil {
		return nil, err
	}
	rep, err := audit.Run(f, audit.Options{Database: db, Prefer: opt.Prefer, Base: opt.base()})
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
	if err := p.takeSteps(); err != nil {
		return err
	}
	return p.build()
}

// build converts the changes of steps into objects.
func (p *planner) build() error {
	err := newBuilder(p.view, p.edits, p.draft).build()
	p.draft.sort()
	return err
}

func newPlanner(s state, opt Options) *planner {
	v := &view{s, speller{opt.base()}, s.file.NewReader()}
	p := &planner{
		view: v, edits: &edits{sets: map[object.Ref]*setEdit{}, images: map[object.Ref]nametree.Key{}}, draft: newDraft(s),
		opt: opt, repairs: chosen(opt), asks: make([]bool, s.rep.Findings.Len()),
		shared: map[stepKey]int{}, alone: map[*rule.Rule][]string{},
	}
	for name := range webcapture.TreeCount {
		p.trees[name] = newTreeEdit(v, name)
	}
	return p
}

func newDraft(s state) *draft {
	return &draft{from: s, update: s.file.NewUpdate(), unseen: map[object.Ref]bool{}, removed: map[string]bool{}}
}

// takeSteps takes all steps.
func (p *planner) takeSteps() error {
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
	return p.refill()
}

// findings takes the steps of findings, in the file order of values, which is the fastest to read.
func (p *planner) findings() error {
	p.findMembers()
	found := p.rep.Findings
	order := p.file.OrderByPosition(found.Len(), func(i int) (ref object.Ref) {
		if t, entry, ok := p.entry(found.Place(i)); ok {
			ref, _ = t.tree.Entry(entry).Value.Ref()
		}
		return ref
	})
	left := make([]string, found.Len())
	for _, i := range order {
		f := p.finding(i)
		reason := p.whyLeft(f)
		if p.isReplaced(f.Fix) {
			reason = "" // whether or not the member's rule is repaired only on request
		}
		if reason == "" && len(p.without) > 0 {
			reason = p.without[changeOf(f)]
		}
		if reason == "" {
			var err error
			if reason, err = p.act(request{f, i}); err != nil {
				return err
			}
		}
		left[i] = reason
	}
	for i, reason := range left {
		if reason != "" && found.Rule(i).Level > rule.Note {
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

// act carries out the fix of a finding. If it does not, it returns the reason as left.
func (p *planner) act(f request) (left string, err error) {
	fix := f.Fix
	switch fix.Action {
	case rule.ChangeKey, rule.MakeAbsolute, rule.RemoveEntry, rule.MergeEntries, rule.TidyValue, rule.OwnObject:
		t, i, ok := p.entry(f.Place)
		if !ok {
			return "The entry cannot be distinguished from others.", nil
		}
		return p.onEntry(f, t, i)
	case rule.AddKey:
		key, set := p.addedKey(fix), object.MakeRef(fix.Set)
		if t := p.tree(fix.Tree); t.name == webcapture.IDS {
			t.add(key, set)
		} else {
			t.join(fix.New, key, set)
		}
		p.step(f)
	case rule.RestoreKeys:
		return "", p.restoreKeys(f)
	case rule.DropMember:
		return p.dropMember(f)
	case rule.ReplaceMember:
		p.replaceMember(f, "")
	case rule.RewriteTree:
		p.tree(f.Place.Tree).touched = true
		p.stepSaying(f, "", "")
	case rule.RemoveTree:
		p.tree(f.Place.Tree).removed = true
		p.step(f)
	case rule.RemoveSet:
		p.set(fix.Set).removed = true
		p.removed[fix.Set.String()] = true
		p.step(f)
	case rule.BuildIDS:
		n, err := p.buildIDS()
		if err != nil || n == 0 {
			return "URLS leads to no content set with an ID.", err
		}
		p.stepSaying(f, "", countOfEntries(n))
	case rule.ChangeSource:
		p.set(fix.Set).urls[fix.Old] = fix.New
		p.step(f)
	case rule.ChangeID:
		p.set(fix.Set).id = fix.New
		p.step(f)
	case rule.RecomputeID:
		p.step(f)
		return "", p.recomputeID(fix)
	case rule.RestoreLink:
		p.links = append(p.links, f.Place.Object)
		p.step(f)
	case rule.RenameDestination:
		p.dests.rename(fix.Old, fix.New)
		p.step(f)
	}
	return "", nil
}

// onEntry carries out a fix of entry i.
func (p *planner) onEntry(f request, t *treeEdit, i int) (left string, err error) {
	fix := f.Fix
	switch fix.Action {
	case rule.MakeAbsolute:
		t.key[i] = p.changedKey(f.Finding)
		t.touched = true
		p.step(f)
		return "", p.makeAbsolute(t, i)
	case rule.ChangeKey:
		switch {
		case fix.Set.Num != 0:
			p.step(f)
			return "", t.move(i, fix.Set, p.changedKey(f.Finding))
		}
		t.key[i] = p.changedKey(f.Finding)
		t.touched = true
		p.step(f)
	case rule.RemoveEntry:
		t.value[i] = nil
		t.touched = true
		p.step(f)
	case rule.MergeEntries:
		t.touched = true
		p.step(f)
	case rule.TidyValue:
		t.touched = true
		p.step(f)
		return "", t.tidy(i)
	case rule.OwnObject:
		t.indirect[i] = true
		t.touched = true
		p.step(f)
	}
	return "", nil
}

// request is a finding to repair.
type request struct {
	*rule.Finding
	number int // index in the Report
}

// step takes a step that the fix of the finding describes completely.
func (p *planner) step(f request) { p.asks[f.number] = true }

// tree returns the tree with a name.
func (p *planner) tree(name string) *treeEdit {
	n, _ := webcapture.ParseTreeName(name)
	return p.trees[n]
}

// entry returns the entry at a place; false if there is none.
func (p *planner) entry(at rule.Place) (t *treeEdit, i int, ok bool) {
	if _, i, ok = entryAt(p.db, at); !ok {
		return nil, 0, false
	}
	return p.tree(at.Tree), i, true
}

// entryAt returns the entry at a place; false if there is none.
func entryAt(db *webcapture.Database, at rule.Place) (t *webcapture.Tree, i int, ok bool) {
	if at.Tree == "" || at.Node == nil || at.Node.Index < 0 || at.Node.Kid {
		return nil, 0, false
	}
	name, _ := webcapture.ParseTreeName(at.Tree)
	t = db.Tree(name)
	i, ok = t.EntryAt(at.Node.Position(), at.Node.Index)
	return t, i, ok
}
