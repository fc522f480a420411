package catalog

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// FindingsOf returns a function that returns the errors and warnings that may explain why a viewer does not find a
// capture in a tree. They are about its content set, its members, the entries that refer to it, or the nodes of the
// tree. The most severe come first. rep is the report of an audit of the database; findings in Omitted are missing.
func FindingsOf(db *webcapture.Database, rep *audit.Report) func(c *Capture, tree webcapture.TreeName) []rule.Finding {
	objects := map[object.Ref][]rule.Finding{}
	var trees [webcapture.TreeCount][]rule.Finding
	for _, f := range rep.Findings {
		if f.Level() < rule.Warning {
			continue
		}
		refs, tree, ok := subjectsOf(db, f.Place)
		for _, ref := range refs {
			objects[ref] = append(objects[ref], f)
		}
		if ok && len(refs) == 0 {
			trees[tree] = append(trees[tree], f)
		}
	}
	return func(c *Capture, tree webcapture.TreeName) []rule.Finding {
		var list []rule.Finding
		list = append(list, objects[c.Object]...)
		for _, m := range c.Members {
			list = append(list, objects[m]...)
		}
		list = append(list, trees[tree]...)
		slices.SortStableFunc(list, func(a, b rule.Finding) int { return int(b.Level()) - int(a.Level()) })
		return list
	}
}

// subjectsOf returns the objects that a place is about: the content set, the object, and the value of the entry. inTree
// reports whether the place is in a tree.
func subjectsOf(db *webcapture.Database, at rule.Place) (refs []object.Ref, tree webcapture.TreeName, inTree bool) {
	for _, ref := range []object.Ref{at.Set, at.Object} {
		if ref.Num != 0 {
			refs = append(refs, ref)
		}
	}
	tree, inTree = webcapture.ParseTreeName(at.Tree)
	if !inTree || db.Tree(tree) == nil || at.Node == nil || at.Node.Kid || at.Node.Index < 0 {
		return refs, tree, inTree
	}
	if i, ok := db.Tree(tree).EntryAt(at.Node.Position(), at.Node.Index); ok {
		if ref, _ := db.Tree(tree).Entry(i).Value.Ref(); ref.Num != 0 {
			refs = append(refs, ref)
		}
	}
	return refs, tree, inTree
}
