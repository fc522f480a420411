package rewrite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// verify reads the rewritten file at path and checks that it is the audited preview. A file with an update is compared
// byte for byte, and object for object. A new file must have the trees of the preview, and is audited.
func (p *Plan) verify(ctx context.Context, path string, full bool) (*audit.Report, error) {
	f, err := webcapture.Open(ctx, path, webcapture.Options{Passwords: p.opt.Passwords})
	if err != nil {
		return nil, fmt.Errorf("the rewritten file cannot be read: %w", err)
	}
	defer f.Close()
	if full {
		p.rounds.last.update.Forget() // the file has the data now
		rep, err := p.verifyFile(f)
		return rep, cmp.Or(p.rounds.last.file.Intact(), f.Intact(), err)
	}
	if err := p.rounds.last.update.Written(f); err != nil {
		return nil, fmt.Errorf("the rewritten file is not what was planned: %w", err)
	}
	rep := *p.rounds.after.rep
	rep.Size, rep.Notices = f.Size(), f.Notices()
	return &rep, f.Intact()
}

// verifyFile checks that a new file has the trees of the preview, and that its audit has no new findings.
func (p *Plan) verifyFile(f *webcapture.File) (*audit.Report, error) {
	if f.WithoutXRef() {
		return nil, fmt.Errorf("the rewritten file is damaged: %s", strings.Join(f.Notices(), "; "))
	}
	db, err := f.Database()
	if err != nil {
		return nil, fmt.Errorf("the rewritten file cannot be read: %w", err)
	}
	for name := range webcapture.TreeCount {
		if err := verifyTree(name, db.Tree(name), p.rounds.after.db.Tree(name)); err != nil {
			return nil, err
		}
	}
	rep, err := auditAgain(f, db, p.opt)
	if err != nil {
		return nil, err
	}
	for _, err := range p.rounds.newProblems(state{f, db, rep}) {
		return nil, err
	}
	return rep, nil
}

// verifyTree checks that a tree of the rewritten file has the entries of the preview.
func verifyTree(name webcapture.TreeName, t, want *webcapture.Tree) error {
	if t == nil && want == nil {
		return nil
	}
	if t == nil || want == nil || t.Len() != want.Len() {
		return fmt.Errorf("%s of the rewritten file is not what was planned", name)
	}
	if i := t.Alike(want.Tree); i < t.Len() {
		return fmt.Errorf("entry %d of %s changed to %v in the rewritten file", i, name, t.Entry(i).Key)
	}
	return nil
}

// verifyNothingLost checks that each content set in a tree before the round is still in some entry of the tree after
// it, unless a step removes it.
func (d *draft) verifyNothingLost(after state) error {
	before, now := d.file.NewReader(), after.file.NewReader()
	for _, was := range d.db.Trees() {
		is := after.db.Tree(was.Name)
		if is == nil {
			is = &webcapture.Tree{Tree: new(nametree.Tree)}
		}
		lost := lostObjects(before, was, valuesIn(is))
		lost = slices.DeleteFunc(lost, func(l lostObject) bool { return l.hasForm(d.removed) })
		if len(lost) == 0 {
			continue
		}
		forms := map[string]bool{}
		for _, e := range is.Entries() {
			for _, f := range slices.Concat(formsIn(now, e.Value)...) {
				forms[f] = true
			}
		}
		for _, l := range lost {
			if !l.hasForm(forms) {
				return fmt.Errorf("%s of the rewritten file no longer leads to %s, as key %v did", was.Name, l.forms[0], l.key)
			}
		}
	}
	return nil
}

// valueSet is the set of the values of a tree's entries.
type valueSet struct {
	refs   object.RefSet
	direct map[string]bool
}

func valuesIn(t *webcapture.Tree) *valueSet {
	s := &valueSet{direct: map[string]bool{}}
	for _, e := range t.Entries() {
		if ref, ok := e.Value.Ref(); ok {
			s.refs.Add(ref)
		} else {
			s.direct[string(e.Value.Raw())] = true
		}
	}
	return s
}

func (s *valueSet) has(value object.Object) bool {
	ref, ok := value.Ref()
	return ok && s.refs.Has(ref) || !ok && s.direct[string(value.Raw())]
}

// lostObject is an object that may be lost, with its forms and its key.
type lostObject struct {
	forms []string
	key   nametree.Key
}

func (l lostObject) hasForm(forms map[string]bool) bool {
	return slices.ContainsFunc(l.forms, func(f string) bool { return forms[f] })
}

// lostObjects returns the objects of a tree's values that are not in another set of values.
func lostObjects(r *webcapture.Reader, t *webcapture.Tree, values *valueSet) (list []lostObject) {
	for _, e := range t.Entries() {
		if values.has(e.Value) {
			continue
		}
		for _, forms := range formsIn(r, e.Value) {
			list = append(list, lostObject{forms, e.Key})
		}
	}
	return list
}

// formsIn returns the forms of each object in a value: its reference, its text, and, for a content set, its subtype
// with ID and URLs. Objects match if they share a form. It skips null objects. An unreadable object has one form.
func formsIn(r *webcapture.Reader, value object.Object) [][]string {
	var list [][]string
	for o, err := range r.Values(value) {
		if err != nil {
			o = value
		}
		forms := []string{string(o.AppendNormal(nil))}
		resolved, err := r.Resolve(o)
		if err == nil && resolved.IsNull() {
			continue
		}
		if err == nil {
			forms = append(forms, string(resolved.AppendNormal(nil)))
		}
		var cs webcapture.ContentSet
		if r.Read(o, &cs) == nil && cs.Recognized() {
			forms = append(forms, fmt.Sprintf("%v %x %s", cs.Subtype, cs.ID.Bytes, sourcesOf(&cs)))
		}
		list = append(list, forms)
	}
	return list
}

// sourcesOf returns the URLs of a content set in a fixed notation.
func sourcesOf(cs *webcapture.ContentSet) string {
	var text []byte
	for i := range cs.Sources {
		for _, url := range cs.Sources[i].URLs() {
			text = object.AppendString(text, url)
		}
	}
	return string(text)
}
