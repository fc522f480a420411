package rewrite

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// An expectation is what a tree will hold after the rewrite.
type expectation struct {
	edit *nametree.Edit
	gone bool // the tree was removed
}

// verify reads the rewritten file at path and makes sure that it is what the plan
// says.
func (p *Plan) verify(path string) (*audit.Report, error) {
	f, err := webcapture.Open(path, webcapture.Options{Password: p.opt.Password})
	if err != nil {
		return nil, fmt.Errorf("the rewritten file cannot be read: %w", err)
	}
	defer f.Close()
	return p.verifyFile(f)
}

// verifyFile makes sure that the trees of the rewritten file hold what they
// should, and that an audit finds nothing that is new.
func (p *Plan) verifyFile(f *webcapture.File) (*audit.Report, error) {
	if f.Repaired() {
		return nil, fmt.Errorf("the rewritten file is damaged: %s", f.Notices()[0])
	}
	db, err := f.Database()
	if err != nil {
		return nil, fmt.Errorf("the rewritten file cannot be read: %w", err)
	}
	for which, t := range [2]*webcapture.Tree{urls: db.URLS, ids: db.IDS} {
		if err := p.verifyTree(which, t); err != nil {
			return nil, err
		}
		if err := p.noneLost(which, t, f.NewReader()); err != nil {
			return nil, err
		}
	}
	touched := p.touched()
	opt := audit.Options{Database: db}
	if touched != nil {
		opt.Only = func(value object.Ref) bool { return touched[value] }
	}
	rep, err := audit.Run(f, opt)
	if err != nil {
		return nil, fmt.Errorf("the rewritten file cannot be audited: %w", err)
	}
	if err := p.noneNew(rep, touched); err != nil || touched == nil {
		return rep, err
	}
	return p.completed(rep, touched), nil
}

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
		case s.Action == audit.RewriteTree.String():
		case s.Action == audit.ChangeKey.String() && !p.wasID(s):
		default:
			return nil
		}
	}
	touched := map[object.Ref]bool{}
	entries := 0
	for which, tree := range p.trees() {
		if tree == nil {
			continue
		}
		entries += tree.Len()
		if p.expect[which] == nil {
			continue
		}
		for pair := range p.expect[which].edit.Result() {
			if pair.Origin >= 0 && pair.Value == nil && pair.Key == tree.Entry(pair.Origin).Key {
				continue
			}
			ref, ok := p.valueOf(which, pair).Ref()
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
	return s.Tree == treeNames[ids] && len(s.Old) == len("<>")+2*len(digest.ID{})
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
	tree, i, ok := entryAt(p.trees(), f.Place)
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

// trees returns the trees of the file as it is; nil for one that it has not.
func (p *Plan) trees() [2]*webcapture.Tree {
	return [2]*webcapture.Tree{urls: p.db.URLS, ids: p.db.IDS}
}

// length returns the number of entries of a tree of the file as it is.
func (p *Plan) length(which int) int {
	if t := p.trees()[which]; t != nil {
		return t.Len()
	}
	return 0
}

// verifyTree compares a tree of the rewritten file with what it should be.
func (p *Plan) verifyTree(which int, t *webcapture.Tree) error {
	want := p.expect[which]
	switch {
	case want != nil && want.gone, want == nil && p.trees()[which] == nil:
		if t != nil {
			return fmt.Errorf("%s is in the rewritten file and should not be", treeNames[which])
		}
		return nil
	case t == nil:
		return fmt.Errorf("%s is not in the rewritten file", treeNames[which])
	}
	i := 0
	for key, value := range p.expected(which) {
		if i == t.Len() {
			return fmt.Errorf("%s of the rewritten file has %d entries only", treeNames[which], i)
		}
		if got := t.Entry(i); got.Key != key || !sameText(got.Value, value) {
			return fmt.Errorf("entry %d of %s is %v in the rewritten file, should be %v", i, treeNames[which], got.Key, key)
		}
		i++
	}
	if i < t.Len() {
		return fmt.Errorf("%s of the rewritten file has %d entries, should have %d", treeNames[which], t.Len(), i)
	}
	return nil
}

// sameText reports whether two objects are written alike.
func sameText(a, b object.Object) bool {
	if x, ok := a.Ref(); ok {
		y, ok := b.Ref()
		return ok && x == y
	}
	return bytes.Equal(a.Append(nil), b.Append(nil))
}

// expected yields the keys and values that a tree will have, in order.
func (p *Plan) expected(which int) iter.Seq2[nametree.Key, object.Object] {
	return func(yield func(nametree.Key, object.Object) bool) {
		old := p.trees()[which]
		if p.expect[which] == nil {
			for _, e := range old.Entries() {
				if !yield(e.Key, e.Value) {
					return
				}
			}
			return
		}
		for pair := range p.expect[which].edit.Result() {
			if !yield(pair.Key, p.valueOf(which, pair)) {
				return
			}
		}
	}
}

// valueOf returns the value of an entry that a tree will have.
func (p *Plan) valueOf(which int, pair nametree.Pair) object.Object {
	if pair.Value == nil {
		return p.trees()[which].Entry(pair.Origin).Value
	}
	o, _, err := object.Parse(pair.Value, 0)
	if err != nil {
		return object.Object{} // which no tree has as a value that was written
	}
	return o
}

// noneLost makes sure that what entries led to that were changed or went, changed
// entries lead to.
func (p *Plan) noneLost(which int, t *webcapture.Tree, after *webcapture.Reader) error {
	want := p.expect[which]
	if want == nil || want.gone {
		return nil
	}
	same := make([]bool, p.length(which))
	found := map[string]bool{}
	i := 0
	for pair := range want.edit.Result() {
		if pair.Value == nil {
			same[pair.Origin] = true
		} else {
			for _, forms := range formsIn(after, t.Entry(i).Value) {
				for _, f := range forms {
					found[f] = true
				}
			}
		}
		i++
	}
	old := p.trees()[which]
	missing := map[string]nametree.Key{} // by the text of what was led to
	for i, same := range same {
		if same {
			continue
		}
		e := old.Entry(i)
		for _, forms := range formsIn(p.file.NewReader(), e.Value) {
			if !slices.ContainsFunc(forms, func(f string) bool { return found[f] || p.removed[f] }) {
				missing[forms[0]] = e.Key
			}
		}
	}
	for i, same := range same {
		if len(missing) == 0 {
			break
		}
		if same {
			delete(missing, string(old.Entry(i).Value.Append(nil)))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	what := slices.Min(slices.Collect(maps.Keys(missing)))
	return fmt.Errorf("%s of the rewritten file does not lead to %s any more, as key %v did", treeNames[which], what, missing[what])
}

// formsIn returns what a value leads to, but for what is null or cannot be read,
// each in the forms by which it may be known: reference, text, what a content set
// is made from.
func formsIn(r *webcapture.Reader, value object.Object) [][]string {
	var list [][]string
	for o, err := range r.Values(value) {
		if err != nil {
			break
		}
		resolved, err := r.Resolve(o)
		if err != nil || resolved.IsNull() {
			continue
		}
		forms := []string{string(o.Append(nil)), string(resolved.Append(nil))}
		var cs webcapture.ContentSet
		if r.Read(o, &cs) == nil && cs.Recognized() {
			forms = append(forms, fmt.Sprintf("%v %x %s", cs.Subtype, cs.ID.Bytes, cs.SI.Append(nil)))
		}
		list = append(list, forms)
	}
	return list
}

// consequences are the rules, or the beginnings of their IDs, that an action may
// come to break by mending another: what it takes away was not right, but it was
// there, and what it adds, or gives a number, is looked at for the first time.
var consequences = map[string][]string{
	audit.ChangeKey.String():   {"WC221", "WC222", "WC306", "WC509", "WC522", "WC201", "WC208", "WC21", "WC7"},
	audit.AddKey.String():      {"WC509", "WC201", "WC208", "WC21", "WC7"},
	audit.RestoreKeys.String(): {"WC103", "WC509", "WC201", "WC208", "WC21", "WC7"},
	audit.BuildIDS.String():    {"WC509"},
	audit.OwnObject.String():   {"WC306", "WC505"},
	audit.DropMember.String():  {"WC407"},
	audit.RemoveEntry.String(): {"WC103", "WC521", "WC522", "WC523", "WC529", "WC613"},
	audit.RemoveTree.String():  {"WC606"},
	rebuilt:                    {"WC2", "WC3", "WC4", "WC5", "WC6", "WC7"},
	audit.RemoveSet.String():   {"WC103", "WC521", "WC522", "WC523", "WC529", "WC613"},
}

// noneNew returns an error if the audit of the rewritten file has more findings
// of a rule than that of the file before.
func (p *Plan) noneNew(rep *audit.Report, touched map[object.Ref]bool) error {
	count := map[string]int{}
	for _, f := range p.Report.Findings {
		if p.covered(f, touched) {
			count[f.Rule.ID]++
		}
	}
	actions := map[string]bool{}
	var allowed []string
	for _, s := range p.Steps {
		if !actions[s.Action] {
			actions[s.Action] = true
			allowed = append(allowed, consequences[s.Action]...)
		}
	}
	isAllowed := func(id string) bool {
		return slices.ContainsFunc(allowed, func(prefix string) bool { return strings.HasPrefix(id, prefix) })
	}
	for _, f := range rep.Findings {
		if p.fresh[f.Place.Set] {
			continue // nobody has seen this set before
		}
		if count[f.Rule.ID]--; count[f.Rule.ID] < 0 && !isAllowed(f.Rule.ID) {
			return fmt.Errorf("the rewritten file would have a finding that is new: %v", f)
		}
	}
	if len(rep.Unread) > len(p.Report.Unread) {
		return fmt.Errorf("a part of the rewritten file could not be checked: %v: %w", rep.Unread[0].Place, rep.Unread[0].Err)
	}
	return nil
}
