package rewrite

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// The audit of the rewritten file, and what it may find.

// A partialAudit says when a second audit looks at what changed alone: when the
// trees have this many entries at least, and at most one in this many changed.
type partialAudit struct{ entries, oneIn int }

// usualPartialAudit is for all but tests: the audit of fewer entries takes no time.
var usualPartialAudit = partialAudit{entries: 1 << 14, oneIn: 64}

// touched returns what the entries that changed had and have as their values; nil if
// the rewritten file has to be audited as a whole. It has not if a few keys of many
// were changed, and nothing else: then no page, link or name can be affected.
func (p *Plan) touched() *object.RefSet {
	entries := 0
	for _, tree := range p.db.Trees() {
		entries += tree.Len()
	}
	if p.follows || p.Steps.Len() > entries/p.partial.oneIn || !p.changesKeysOnly() {
		return nil
	}
	touched, n := &object.RefSet{}, 0
	for _, tree := range p.db.Trees() {
		for value := range p.changedValues(tree) {
			ref, ok := value.Ref()
			if !ok {
				return nil
			}
			if touched.Add(ref) {
				n++
			}
		}
	}
	if entries < p.partial.entries || n > entries/p.partial.oneIn {
		return nil
	}
	return touched
}

// changesKeysOnly reports whether the steps change keys of trees alone, and none
// that may be the ID of a page.
func (p *Plan) changesKeysOnly() bool {
	for _, s := range p.Steps.All() {
		if s.Action != audit.RewriteTree && (s.Action != audit.ChangeKey || p.wasID(s) || p.moves(s)) {
			return false
		}
	}
	return true
}

// changedValues yields the values of the entries of a tree that changed, before and
// after.
func (p *Plan) changedValues(t *webcapture.Tree) iter.Seq[object.Object] {
	return func(yield func(object.Object) bool) {
		if p.expect[t.Name] == nil {
			return
		}
		for _, pair := range p.expect[t.Name].edit.Changed() {
			if !yield(p.valueOf(t.Name, pair)) {
				return
			}
		}
		for i, now := range p.positions(t) {
			if now < 0 && !yield(t.Entry(i).Value) {
				return
			}
		}
	}
}

// positions returns the index that each entry of a tree has in the rewritten tree; -1
// for those that changed.
func (p *Plan) positions(t *webcapture.Tree) []int {
	positions := slices.Repeat([]int{-1}, t.Len())
	for _, kept := range p.expect[t.Name].edit.Kept() {
		for k := range kept.Len {
			positions[kept.From+k] = kept.At + k
		}
	}
	return positions
}

// wasID reports whether a step takes a key from IDS that may be the ID of a page.
func (p *Plan) wasID(s Step) bool {
	return s.Tree == webcapture.IDS.String() && len(s.Old) == len("<>")+2*len(digest.ID{})
}

// moves reports whether a step takes content sets from one key of URLS to others.
func (p *Plan) moves(s Step) bool {
	return s.Tree == webcapture.URLS.String() && slices.ContainsFunc(p.changes(s), func(c change) bool { return c.has.Num != 0 })
}

// covered reports whether an audit of what changed would have had the finding.
func (p *Plan) covered(r *audit.Rule, at audit.Place, touched *object.RefSet) bool {
	switch {
	case touched == nil, r.CheckTree != nil, r.CheckInfo != nil:
		return true
	case r.CheckPage != nil, r.CheckImage != nil, r.CheckMember != nil, r.CheckDocument != nil:
		return false
	case touched.Has(at.Set):
		return true
	}
	tree, i, ok := entryAt(p.db, at)
	if !ok {
		return false
	}
	ref, isRef := tree.Entry(i).Value.Ref()
	return !isRef || touched.Has(ref)
}

// completed adds to the audit of what changed what the audit before found of the
// rest, at the places where that is now.
func (p *Plan) completed(rep *audit.Report, db *webcapture.Database, touched *object.RefSet) *audit.Report {
	whole := *p.Report
	whole.Size, whole.URLS, whole.IDS = rep.Size, rep.URLS, rep.IDS
	moved := p.moved(db)
	whole.Findings = rep.Findings
	for _, f := range p.Report.Findings.All() {
		if !p.covered(f.Rule, f.Place, touched) {
			f.Place, _ = moved(f.Place)
			whole.Findings.Add(f)
		}
	}
	whole.Findings.Sort()
	whole.Unread = slices.Clone(rep.Unread)
	for _, u := range p.Report.Unread {
		if at, ok := moved(u.Place); ok {
			u.Place = at
			whole.Unread = append(whole.Unread, u)
		}
	}
	slices.SortFunc(whole.Unread, audit.Unread.Compare)
	whole.Unread = slices.CompactFunc(whole.Unread, func(a, b audit.Unread) bool { return a.Compare(b) == 0 })
	return &whole
}

// moved returns a function that says which place in the rewritten file a place has
// become; false for that of an entry that changed.
func (p *Plan) moved(db *webcapture.Database) func(audit.Place) (audit.Place, bool) {
	var positions [webcapture.TreeCount][]int
	return func(at audit.Place) (audit.Place, bool) {
		old, i, ok := entryAt(p.db, at)
		if !ok || p.expect[old.Name] == nil {
			return at, true
		}
		if positions[old.Name] == nil {
			positions[old.Name] = p.positions(old)
		}
		now := positions[old.Name][i]
		if now < 0 {
			return at, false
		}
		t := audit.Tree{Tree: db.Tree(old.Name)}
		e := t.Entry(now)
		at.Node = t.AtPair(e.Node, e.Pair).Node
		return at, true
	}
}

// verifyNothingNew returns the first of the news, as an error.
func (p *Plan) verifyNothingNew(rep *audit.Report, db *webcapture.Database, touched *object.RefSet) error {
	for err := range p.news(rep, db, touched) {
		return err
	}
	return nil
}

// news yields what the audit of the rewritten file has more of than that of the file
// before: errors and warnings of a rule about one thing, a tree, a content set, a page.
// Notes stop nothing. What is wrong with an original may come along, as often as there. What could not be copied into a file that was written anew, nobody
// could read before.
func (p *Plan) news(rep *audit.Report, db *webcapture.Database, touched *object.RefSet) iter.Seq[error] {
	return func(yield func(error) bool) {
		count := map[subject]int{}
		before := p.Report.Findings
		for i := range before.Len() {
			if r, at := before.Rule(i), before.Place(i); p.covered(r, at, touched) {
				count[subjectOf(r, at)]++
			}
		}
		lost := map[object.Ref]bool{}
		for _, ref := range p.update.Lost() {
			lost[ref] = true
		}
		actions, inherited := p.actions(), map[string]int{}
		for i := range rep.Findings.Len() {
			r, at := rep.Findings.Rule(i), rep.Findings.Place(i)
			if r.Level == audit.Note || p.unseen[at.Set] || lost[at.Set] || lost[at.Object] || lost[valueAt(db, at)] {
				continue // it stops nothing, or nobody has seen it before
			}
			count[subjectOf(r, at)]--
			if count[subjectOf(r, at)] >= 0 || mayFollow(r, actions) {
				continue
			}
			if inherited[r.ID]++; inherited[r.ID] > p.inherits[r.ID] && !yield(&newFinding{rep.Findings.At(i)}) {
				return
			}
		}
		known := map[string]bool{}
		for _, u := range p.Report.Unread {
			known[why(u)] = true
		}
		for _, u := range rep.Unread {
			isNew := !known[why(u)] && !lost[u.Ref] && len(p.unseen) == 0 // what is found again may refer to it
			if isNew && !yield(fmt.Errorf("a part of the rewritten file could not be checked: %v: %w", u.Place, u.Err)) {
				return
			}
		}
	}
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
type subject struct {
	rule, tree, part string
	set, object      object.Ref
}

func subjectOf(r *audit.Rule, at audit.Place) subject {
	return subject{r.ID, at.Tree, at.Part, at.Set, at.Object}
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
	for i := range p.Steps.Len() {
		actions[p.Steps.Action(i)] = true
	}
	actions[audit.Rebuild] = actions[audit.Rebuild] || actions[audit.Plant] // what is brought back is audited for the first time
	return actions
}

// mayFollow reports whether a rule may have new findings after some actions.
func mayFollow(r *audit.Rule, actions map[audit.Action]bool) bool {
	return slices.ContainsFunc(r.MayFollow, func(a audit.Action) bool { return actions[a] })
}
