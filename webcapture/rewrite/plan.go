package rewrite

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// A planner turns findings into steps, and these into changed objects.
type planner struct {
	speller
	plan    *Plan
	db      *webcapture.Database
	reader  objectReader
	repairs map[audit.Action][]*audit.Rule // the rules whose findings are repaired

	trees      [webcapture.TreeCount]*treeEdit
	sets       map[object.Ref]*setEdit
	dests      destEdit
	unlisted   map[nametree.Key]bool // see unlistedIDs
	stage      *stage
	written    map[object.Ref]bool // what was put into the update
	references map[string][]byte   // references to the objects that values became, by their text

	copies map[string]object.Ref // content sets that entries refer to, by their essence; see indirectCopy

	wanting map[nametree.Key]bool // IDs of pages and images that stand in O of no content set, and nothing tells where

	tidyOwn bool // content sets that become objects lose members that are null
	without exclusions

	inCatalog []object.Setting // entries that the catalog gets

	asking []int32           // numbers of the findings that ask for a step, see step
	steps  map[stepKey]*Step // see stepSaying
}

// An objectReader reads the file: a [webcapture.Reader], or in tests one that fails.
type objectReader interface {
	object.Source
	Resolve(object.Object) (object.Object, error)
	Read(object.Object, *webcapture.ContentSet) error
	String(object.Object) (webcapture.String, error)
	Values(object.Object) iter.Seq2[object.Object, error]
}

// NewPlan audits an open file and plans its repair. The Plan uses f until it is
// closed, which closes f. A file whose audit was over its budget has no plan: that is
// an error.
func NewPlan(f *webcapture.File, opt Options) (*Plan, error) {
	db, err := f.Database()
	if err != nil {
		return nil, err
	}
	rep, err := audit.Run(f, audit.Options{Database: db, Witness: opt.Witness})
	if err != nil {
		return nil, err
	}
	if err := rep.OverBudget(); err != nil {
		return nil, fmt.Errorf("it is not repaired, for no plan would be whole: %w", err)
	}
	return settle(state{f, db, rep}, opt)
}

// planFor plans what can be done to a file at once, without what is excluded. What comes
// of it is not known yet.
func planFor(s state, opt Options, without exclusions) (*Plan, error) {
	p := newPlanner(s.file, s.db, s.rep, opt)
	p.without = without
	return p.plan, p.make()
}

func newPlanner(f *webcapture.File, db *webcapture.Database, rep *audit.Report, opt Options) *planner {
	update := f.NewUpdate()
	p := &planner{
		plan: &Plan{Report: rep, file: f, db: db, opt: opt, update: update, partial: usualPartialAudit, unseen: map[object.Ref]bool{}, removed: map[string]bool{}},
		db:   db, reader: f.NewReader(), speller: speller{opt.Profile, []byte(opt.Base)}, repairs: chosen(opt),
		sets: map[object.Ref]*setEdit{}, stage: &stage{update: update}, written: map[object.Ref]bool{}, wanting: map[nametree.Key]bool{}, references: map[string][]byte{}, steps: map[stepKey]*Step{},
	}
	if p.profile == nil {
		p.profile = canon.PDF
	}
	p.plan.Steps = Steps{findings: rep.Findings, speller: p.speller}
	for name := range webcapture.TreeCount {
		p.trees[name] = newTreeEdit(p, name)
	}
	return p
}

func (p *planner) make() error {
	if err := p.findings(); err != nil {
		return err
	}
	if p.plan.opt.Sources {
		if err := p.sources(); err != nil {
			return err
		}
	}
	if p.plan.opt.Rebuild {
		if err := p.rebuild(); err != nil {
			return err
		}
	}
	p.plan.Steps.gather(p.asking)
	if err := p.build(); err != nil {
		return err
	}
	p.plan.Steps.sort()
	slices.SortStableFunc(p.plan.Left, func(a, b Left) int { return a.Finding.Place.Compare(b.Finding.Place) })
	return nil
}

// findings takes the steps that findings ask for. They are taken in the order in
// which values lie in the file, in which they are read fastest.
func (p *planner) findings() error {
	p.findMembers()
	found := p.plan.Report.Findings
	order := p.plan.file.OrderByPosition(found.Len(), func(i int) (ref object.Ref) {
		if t, entry, ok := p.entry(found.Place(i)); ok {
			ref, _ = t.tree.Entry(entry).Value.Ref()
		}
		return ref
	})
	left := make([]string, found.Len())
	var strays []*strayPair
	for _, i := range order {
		f := found.At(i)
		reason := p.whyLeft(f)
		if p.isReplaced(f.Fix) {
			reason = "" // also where dropping it were left to a request
		}
		if reason == "" && len(p.without) > 0 {
			reason = p.without[changeOf(f)]
		}
		switch {
		case reason != "":
		case f.Fix.Action == audit.RestoreKeys:
			strays = append(strays, p.strayPairAt(i, f.Place))
		default:
			var err error
			if reason, err = p.act(request{f, int32(i)}); err != nil {
				return err
			}
		}
		left[i] = reason
	}
	if err := p.restoreKeys(strays); err != nil {
		return err
	}
	for _, o := range strays {
		left[o.finding] = o.left
	}
	for i, reason := range left {
		if reason != "" && found.Rule(i).Level > audit.Note {
			p.plan.Left = append(p.plan.Left, Left{found.At(i), reason})
		}
	}
	return nil
}

// whyLeft says why no step is taken for a finding; empty if one may be.
func (p *planner) whyLeft(f audit.Finding) string {
	switch {
	case f.Fix == nil && f.Rule.Action != 0:
		return "Nothing tells what would be right."
	case f.Fix == nil:
		return noRepair(f.Rule)
	case p.repairsFindingsOf(f.Rule):
		return ""
	case p.plan.opt.Rules == nil:
		return fmt.Sprintf("Left to a request: repair it with rule %s.", f.Rule.ID)
	}
	return "The rule is not among those to repair."
}

// repairsFindingsOf reports whether the findings of a rule are repaired.
func (p *planner) repairsFindingsOf(r *audit.Rule) bool {
	return slices.ContainsFunc(p.repairs[r.Action], func(c *audit.Rule) bool { return c.ID == r.ID })
}

// takes reports whether findings are repaired by an action.
func (p *planner) takes(a audit.Action) bool { return len(p.repairs[a]) > 0 }

// chosen returns the rules whose findings are repaired, by their actions.
func chosen(opt Options) map[audit.Action][]*audit.Rule {
	list := opt.Rules
	if list == nil {
		list = slices.DeleteFunc(audit.Rules(), func(r *audit.Rule) bool { return r.OnRequest })
	}
	byAction := map[audit.Action][]*audit.Rule{}
	for _, r := range list {
		byAction[r.Action] = append(byAction[r.Action], r)
	}
	return byAction
}

// noRepair says why a rule has no repair.
func noRepair(r *audit.Rule) string {
	reason, ok := strings.CutPrefix(r.Repair, "None: ")
	if !ok {
		return "There is no repair."
	}
	return strings.ToUpper(reason[:1]) + reason[1:]
}

// act does what the fix of a finding says, or says why not.
func (p *planner) act(f request) (left string, err error) {
	fix := f.Fix
	switch fix.Action {
	case audit.ChangeKey, audit.MakeAbsolute, audit.RemoveEntry, audit.MergeEntries, audit.TidyValue, audit.OwnObject:
		t, i, ok := p.entry(f.Place)
		if !ok {
			return "The entry cannot be told from others.", nil
		}
		return p.onEntry(f, t, i)
	case audit.AddKey:
		key, set := p.addedKey(fix), object.MakeRef(fix.Set)
		if t := p.tree(fix.Tree); t.name == webcapture.IDS {
			t.add(key, set)
		} else {
			t.join(fix.New, key, set)
		}
		p.step(f)
	case audit.DropMember:
		return p.dropMember(f)
	case audit.ReplaceMember:
		p.replaceMember(f, "")
	case audit.RewriteTree:
		p.tree(f.Place.Tree).touched = true
		p.stepSaying(f, "", "")
	case audit.RemoveTree:
		p.tree(f.Place.Tree).removed = true
		p.step(f)
	case audit.RemoveSet:
		p.set(fix.Set).removed = true
		p.plan.removed[fix.Set.String()] = true
		p.step(f)
	case audit.BuildIDS:
		n, err := p.buildIDS()
		if err != nil || n == 0 {
			return "URLS leads to no content set with an ID.", err
		}
		p.stepSaying(f, "", fmt.Sprintf("%d entries", n))
	case audit.RenameDestination:
		p.dests.rename(fix.Old, fix.New)
		p.step(f)
	}
	return "", nil
}

// onEntry does what a fix says about an entry.
func (p *planner) onEntry(f request, t *treeEdit, i int) (left string, err error) {
	fix := f.Fix
	switch fix.Action {
	case audit.MakeAbsolute:
		if len(p.base) == 0 {
			return "The URL that it is relative to is not in the file; a base URL may be given.", nil
		}
		return p.changeURL(f, t, i)
	case audit.ChangeKey:
		switch {
		case t.name == webcapture.URLS && fix.Set.Num != 0:
			p.step(f)
			return "", t.sendHome(i)
		case t.name == webcapture.URLS:
			return p.changeURL(f, t, i)
		}
		carried, err := t.carried(i)
		switch {
		case err != nil:
			return "", err
		case carried:
			return "Pages or images of the set carry the key as their ID, so nothing tells which of the two is right.", nil
		}
		if err := t.distribute(i, fix.New); err == errUnreadable {
			return "A content set that it leads to cannot be read, and the key may be its ID.", nil
		} else if err != nil {
			return "", err
		}
		p.step(f)
	case audit.RemoveEntry:
		t.value[i] = nil
		t.touched = true
		p.step(f)
	case audit.MergeEntries:
		t.touched = true
		p.step(f)
	case audit.TidyValue:
		t.touched = true
		p.step(f)
		return "", t.tidy(i)
	case audit.OwnObject:
		p.step(f)
		return "", t.makeIndirect(i)
	}
	return "", nil
}

// changeURL makes the key of an entry of URLS canonical.
func (p *planner) changeURL(f request, t *treeEdit, i int) (left string, err error) {
	key := p.changedKey(&f.Finding)
	if !canon.Split([]byte(key)).Absolute() && f.Fix.Action == audit.MakeAbsolute {
		return "The base URL is not absolute.", nil
	}
	t.key[i] = key
	t.touched = true
	p.step(f)
	return "", nil
}

// A request is a finding that asks for a step.
type request struct {
	audit.Finding
	number int32 // in the Report
}

// step takes the step that a finding asks for, and that says what its fix says.
func (p *planner) step(f request) { p.asking = append(p.asking, f.number) }

// stepKey is what findings have in common that share a step which says more than they do.
type stepKey struct {
	action               audit.Action
	place, before, after string
}

// stepSaying is step for one that says more.
func (p *planner) stepSaying(f request, before, after string) {
	s := Step{
		Rules: []*audit.Rule{f.Rule}, Action: f.Fix.Action, Tree: cmp.Or(f.Fix.Tree, f.Place.Tree), Place: f.Place,
		Old: before, New: after, Reason: f.Message, findings: []int32{f.number},
	}
	if f.Fix.Action == audit.RewriteTree { // one step mends all that is wrong with a tree
		s.Place = audit.Place{Tree: f.Place.Tree}
	}
	key := stepKey{s.Action, s.Place.String(), s.Old, s.New}
	if known := p.steps[key]; known == nil {
		p.steps[key] = &s
		p.plan.Steps.own(&s)
	} else if !slices.Contains(known.Rules, f.Rule) {
		known.Rules = append(known.Rules, f.Rule)
		known.findings = append(known.findings, f.number)
	}
}

// tree returns the tree with a name.
func (p *planner) tree(name string) *treeEdit {
	n, _ := webcapture.ParseTreeName(name)
	return p.trees[n]
}

// entry returns the entry at a place; false if the place is not that of one.
func (p *planner) entry(at audit.Place) (t *treeEdit, i int, ok bool) {
	if _, i, ok = entryAt(p.db, at); !ok {
		return nil, 0, false
	}
	return p.tree(at.Tree), i, true
}

// entryAt returns the entry at a place; false if the place is not that of one.
func entryAt(db *webcapture.Database, at audit.Place) (t *webcapture.Tree, i int, ok bool) {
	if at.Tree == "" || at.Node == nil || at.Node.Index < 0 || at.Node.Kid {
		return nil, 0, false
	}
	name, _ := webcapture.ParseTreeName(at.Tree)
	t = db.Tree(name)
	i, ok = t.EntryAt(at.Node.Position(), at.Node.Index)
	return t, i, ok
}
