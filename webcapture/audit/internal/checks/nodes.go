package checks

// Nodes of the name trees: their type, Kids and Names, parents, and size (7.9.6).

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeRoot = &rule.Rule{
	ID:      "WC101",
	Title:   "The root of a name tree is a dictionary, and Kids and Names of a node are arrays.",
	Problem: "Parts of a name tree that cannot be read",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc: "A viewer starts each search at the root. If the root is not a dictionary, the viewer finds nothing " +
		"in the tree. If Kids or Names is not an array, it finds nothing in the node.",
	Repair:    "None: the contents of the tree or node are unknown.",
	CheckTree: checkTreeRoot,
}

var treeBoth = &rule.Rule{
	ID:      "WC102",
	Title:   "A node has either Kids or Names, not both.",
	Problem: "Nodes with both Kids and Names",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc: "Viewers read only one of the two and miss the entries of the other. Tools that concatenate the trees of " +
		"several files create such nodes.",
	Repair: "Merge the entries of both into one sorted tree.",
	Basis: rule.Basis{
		Wrong: "A node has Kids and Names; viewers read only one of them",
		Right: "Not needed: all entries are kept",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeBoth,
}

var treeEmptied = &rule.Rule{
	ID:      "WC103",
	Title:   "A name tree has entries.",
	Problem: "Empty name trees",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Note,
	Doc: "The standard describes only roots with Kids or Names. Acrobat leaves empty trees when it converts a " +
		"local document, or when the captured pages are deleted. They do no harm.",
	Repair: "Remove the empty tree.",
	Basis: rule.Basis{
		Wrong:     "A name tree exists but has no entries",
		Right:     "The user, by naming the rule",
		Otherwise: "The tree is kept",
	},
	OnRequest: true,
	Action:    rule.RemoveTree,
	MayFollow: []rule.Action{rule.RestoreKeys, rule.RemoveEntry, rule.RemoveSet},
	CheckTree: checkTreeEmptied,
}

var treeKidDirect = &rule.Rule{
	ID:      "WC111",
	Title:   "Kids are references.",
	Problem: "Kids that are not references",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Warning,
	Doc:     "The standard requires indirect references. Viewers that load one node at a time cannot read any other kid.",
	Repair:  "Make the node an indirect object.",
	Basis: rule.Basis{
		Wrong: "A node is stored directly in Kids; the standard requires a reference",
		Right: "Not needed: the node is kept as an indirect object",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeKidDirect,
}

var treeKid = &rule.Rule{
	ID:      "WC112",
	Title:   "Kids are nodes.",
	Problem: "Kids that are not nodes",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc: "A viewer stops searching at a kid that is not a dictionary. Such a kid is often a reference to an object " +
		"that a tool removed. The entries below it are lost.",
	Repair: "Remove the kid from Kids.",
	Basis: rule.Basis{
		Wrong: "An element of Kids does not lead to a node",
		Right: "Not needed: nothing is below the kid",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeKid,
}

var treeCycle = &rule.Rule{
	ID:      "WC113",
	Title:   "Every node has one parent.",
	Problem: "Nodes with several parents",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "A structure in which a node has two parents is not a tree. Readers loop, or count the entries of the " +
		"node twice.",
	Repair: "Rebuild the tree with each entry once.",
	Basis: rule.Basis{
		Wrong: "A node has two parents",
		Right: "Not needed: each entry is kept once",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeCycle,
}

var treeSize = &rule.Rule{
	ID:      "WC114",
	Title:   "A tree is small enough to be read completely.",
	Problem: "Name trees too deep or too large to read completely",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "webcap reads each tree up to a limit, so that a hostile file cannot stop an audit. No known writer " +
		"exceeds the limit. webcap did not check the rest of the tree.",
	Repair:    "None.",
	CheckTree: checkTreeSize,
}

var treeEmptyNode = &rule.Rule{
	ID:      "WC115",
	Title:   "A node below the root has Kids or Names, with elements.",
	Problem: "Nodes that lead to no entry",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Warning,
	Doc: "Such a node leads to no entry. If it had entries, they are lost. It has no lowest and no highest key, so no " +
		"Limits are correct for it. WC126 reports the keys that a search misses.",
	Repair: "Remove the node.",
	Basis: rule.Basis{
		Wrong: "A node has neither Kids nor Names, or an empty array",
		Right: "Not needed: nothing is below the node",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeEmptyNode,
}

func checkTreeRoot(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.RootNotDictionary, nametree.KidsNotArray, nametree.NamesNotArray) {
		switch {
		case d.Err != nil: // the audit reports it as unread
		case d.Kind == nametree.RootNotDictionary:
			p.Reportf(t.At(), nil, "the root is %v, not a dictionary (7.9.6)", Describe(p, d.Found))
		case d.Kind == nametree.KidsNotArray:
			p.Reportf(t.AtNode(d.Node), nil, "Kids is %v, not an array (table 36)", Describe(p, d.Found))
		default:
			p.Reportf(t.AtNode(d.Node), nil, "Names is %v, not an array (table 36)", Describe(p, d.Found))
		}
	}
}

func checkTreeBoth(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.BothKidsAndNames) {
		p.Reportf(t.AtNode(d.Node), rewriteTree, "the node has both Kids and Names")
	}
}

func checkTreeEmptied(p *rule.Pass, t *rule.Tree) {
	if t.NodeCount() != 1 {
		return
	}
	for d := range t.Defects() {
		switch d.Kind {
		case nametree.NeitherKidsNorNames:
			p.Reportf(t.At(), &rule.Fix{Action: rule.RemoveTree}, "the tree is empty: its root has neither Kids nor Names")
			return
		case nametree.EmptyKids:
			p.Reportf(t.At(), &rule.Fix{Action: rule.RemoveTree}, "the tree is empty: Kids of its root has no elements")
			return
		case nametree.RootLimits, nametree.ForeignKey, nametree.KeyTwice:
		default: // another rule reports the defect
			return
		}
	}
	if t.Len() == 0 {
		p.Reportf(t.At(), &rule.Fix{Action: rule.RemoveTree}, "the tree is empty: Names of its root has no elements")
	}
}

func checkTreeKidDirect(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.KidNotIndirect) {
		p.Reportf(t.AtKid(d.Node, d.Index), rewriteTree, "the kid is a dictionary, not a reference to one")
	}
}

func checkTreeKid(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.KidNotDictionary) {
		p.Reportf(t.AtKid(d.Node, d.Index), rewriteTree, "the kid is %v, not a node", Describe(p, d.Found))
	}
}

func checkTreeCycle(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.NodeCycle, nametree.NodeShared) {
		what := "is already in the tree"
		if d.Kind == nametree.NodeCycle {
			what = "is the node itself or an ancestor"
		}
		p.Reportf(t.AtKid(d.Node, d.Index), rewriteTree, "the kid %v %s", t.Node(d.Other).Ref, what)
	}
}

func checkTreeSize(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.TooDeep) {
		p.Reportf(t.AtDefect(d), nil, "%v: the rest was not read", d.Unread())
	}
}

func checkTreeEmptyNode(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.NeitherKidsNorNames, nametree.EmptyKids, nametree.EmptyLeaf) {
		if isEmptyRoot(t.Tree, d) {
			continue
		}
		problem := "the node has neither Kids nor Names"
		switch d.Kind {
		case nametree.EmptyKids:
			problem = "Kids is empty"
		case nametree.EmptyLeaf:
			problem = "Names is empty"
		}
		p.Reportf(t.AtNode(d.Node), rewriteTree, "%s (table 36)", problem)
	}
}

// isEmptyRoot reports whether a defect is that the tree is empty: its root has neither kids nor entries.
func isEmptyRoot(t *webcapture.Tree, d nametree.Defect) bool {
	switch d.Kind {
	case nametree.NeitherKidsNorNames, nametree.EmptyKids, nametree.EmptyLeaf:
		return t.Node(d.Node).Parent < 0
	}
	return false
}

// rewriteTree is the fix of all findings that rewriting their tree repairs. It is shared, because a tree may have a
// million of them.
var rewriteTree = &rule.Fix{Action: rule.RewriteTree}

// isEmpty reports whether a tree has no entries or does not exist.
func isEmpty(t *webcapture.Tree) bool { return t == nil || t.Len() == 0 }

// hidesKeys reports whether a tree without entries may have some in a part that is unreadable, or in a root that is not
// a dictionary. Other rules report these. A root that is null has no entries.
func hidesKeys(p *rule.Pass, t *webcapture.Tree) bool {
	switch {
	case t == nil || t.Len() > 0:
		return false
	case t.DefectCount(nametree.RootNotDictionary) > 0:
		root, err := p.Reader.Resolve(t.Root)
		return err != nil || !root.IsNull()
	}
	return !t.IsWhole()
}
