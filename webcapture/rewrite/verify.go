package rewrite

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// expectation holds the entries that a tree should have after the rewrite.
type expectation struct {
	edit *nametree.Edit
	gone bool // the tree was removed
}

// verify reads the rewritten file at path and checks that it matches the plan. A file with an update is compared with
// the audited preview, byte for byte and object for object. A new file is audited.
func (r *repair) verify(ctx context.Context, path string, full bool) (*audit.Report, error) {
	f, err := webcapture.Open(ctx, path, webcapture.Options{Passwords: r.opt.Passwords})
	if err != nil {
		return nil, fmt.Errorf("the rewritten file cannot be read: %w", err)
	}
	defer f.Close()
	if !full {
		return r.verifyUpdate(f)
	}
	r.last.update.Forget() // the file has the data now
	return r.verifyFile(f)
}

// verifyUpdate checks that a file equals its preview, and returns the audit of the preview.
func (r *repair) verifyUpdate(f *webcapture.File) (*audit.Report, error) {
	if err := r.last.update.Written(f); err != nil {
		return nil, fmt.Errorf("the rewritten file is not what was planned: %w", err)
	}
	rep := *r.after.rep
	rep.Size, rep.Notices = f.Size(), f.Notices()
	return &rep, f.Intact()
}

// verifyFile checks that the trees of the rewritten file have the expected entries, and that its audit has no new
// findings.
func (r *repair) verifyFile(f *webcapture.File) (rep *audit.Report, err error) {
	rep, err = r.check(f)
	if cut := cmp.Or(r.last.from.file.Intact(), f.Intact()); cut != nil {
		return nil, cut
	}
	return rep, err
}

func (r *repair) check(f *webcapture.File) (*audit.Report, error) {
	if f.WithoutXRef() {
		return nil, fmt.Errorf("the rewritten file is damaged: %s", strings.Join(f.Notices(), "; "))
	}
	db, err := f.Database()
	if err != nil {
		return nil, fmt.Errorf("the rewritten file cannot be read: %w", err)
	}
	if err := r.last.verifyTrees(f, db); err != nil {
		return nil, err
	}
	rep, err := auditAgain(f, db, r.opt)
	if err != nil {
		return nil, err
	}
	for _, err := range r.newProblems(state{f, db, rep}) {
		return nil, err
	}
	return rep, nil
}

// verifyTrees checks the trees of the rewritten file.
func (d *draft) verifyTrees(f *webcapture.File, db *webcapture.Database) error {
	for name := range webcapture.TreeCount {
		t := db.Tree(name)
		if err := d.verifyTree(name, t); err != nil {
			return err
		}
		if err := d.verifyNothingLost(name, t, f.NewReader()); err != nil {
			return err
		}
	}
	return nil
}

// verifyTree compares a tree of the rewritten file with its expectation.
func (d *draft) verifyTree(name webcapture.TreeName, t *webcapture.Tree) error {
	want := d.expect[name]
	switch {
	case want != nil && want.gone, want == nil && d.from.db.Tree(name) == nil:
		if t != nil {
			return fmt.Errorf("%s is in the rewritten file and should not be", name)
		}
		return nil
	case t == nil:
		return fmt.Errorf("%s is not in the rewritten file", name)
	}
	if want == nil {
		want = &expectation{edit: d.from.db.Tree(name).Edit()}
	}
	if n := want.edit.Len(); t.Len() != n {
		return fmt.Errorf("%s of the rewritten file has %d entries, should have %d", name, t.Len(), n)
	}
	for i, pair := range want.edit.Pairs() {
		if got := t.Entry(i); got.Key != pair.Key || !object.Same(got.Value, d.valueOf(name, pair)) {
			return fmt.Errorf("entry %d of %s is %v in the rewritten file, should be %v", i, name, got.Key, pair.Key)
		}
	}
	return nil
}

// valueOf returns the value of an expected entry.
func (d *draft) valueOf(name webcapture.TreeName, pair nametree.Pair) object.Object {
	if pair.Value == nil {
		return d.from.db.Tree(name).Entry(pair.Origin).Value
	}
	o, _, _ := object.Parse(pair.Value, 0) // null if it cannot be parsed, which does not happen
	return o
}

// verifyNothingLost checks that the content sets of changed or removed entries are still in some entry of the tree.
func (d *draft) verifyNothingLost(name webcapture.TreeName, t *webcapture.Tree, after *webcapture.Reader) error {
	want, old := d.expect[name], d.from.db.Tree(name)
	if want == nil || want.gone || old == nil {
		return nil
	}
	same := want.sameEntries(old.Len())
	missing := d.missing(old, same, want.formsOfChanged(t, after))
	// Most of the missing objects are values of unchanged entries; the others are elements of such a value.
	before := d.from.file.NewReader()
	for _, forms := range []func(object.Object) [][]string{
		func(value object.Object) [][]string { return [][]string{{string(value.Append(nil))}} },
		func(value object.Object) [][]string { return formsIn(before, value) },
	} {
		for i := 0; i < len(same) && len(missing) > 0; i++ {
			if !same[i] {
				continue
			}
			for _, f := range slices.Concat(forms(old.Entry(i).Value)...) {
				delete(missing, f)
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	what := slices.Min(slices.Collect(maps.Keys(missing)))
	return fmt.Errorf("%s of the rewritten file no longer leads to %s, as key %v did", name, what, missing[what])
}

// sameEntries reports which of the n old entries of a tree keep their value.
func (x *expectation) sameEntries(n int) []bool {
	same := make([]bool, n)
	for _, pair := range x.edit.Pairs() {
		if pair.Value == nil {
			same[pair.Origin] = true
		}
	}
	return same
}

// formsOfChanged returns the forms of the objects in new values; see formsIn.
func (x *expectation) formsOfChanged(t *webcapture.Tree, after *webcapture.Reader) map[string]bool {
	forms := map[string]bool{}
	for i, pair := range x.edit.Pairs() {
		if pair.Value == nil {
			continue
		}
		for _, list := range formsIn(after, t.Entry(i).Value) {
			for _, f := range list {
				forms[f] = true
			}
		}
	}
	return forms
}

// missing returns the objects of changed entries, with their old keys. It omits removed objects, and those with a form
// in forms.
func (d *draft) missing(old *webcapture.Tree, same []bool, forms map[string]bool) map[string]nametree.Key {
	keys := map[string]nametree.Key{}
	before := d.from.file.NewReader()
	for i, same := range same {
		if same {
			continue
		}
		e := old.Entry(i)
		for _, of := range formsIn(before, e.Value) {
			if !slices.ContainsFunc(of, func(f string) bool { return forms[f] || d.removed[f] }) {
				keys[of[0]] = e.Key
			}
		}
	}
	return keys
}

// formsIn returns the forms of each object in a value: its reference, its text, and, for a content set, its subtype
// with ID and URLs. Objects match if they share a form. It skips null and unreadable objects.
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
		forms := []string{string(o.AppendNormal(nil)), string(resolved.AppendNormal(nil))}
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
