package rule

import (
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Complete reports whether all parts of a tree are readable.
func Complete(t *nametree.Tree) bool {
	for d := range t.Defects() {
		if d.Unread() != nil {
			return false
		}
	}
	return true
}

// DefectsOf yields the tree's defects of the given kinds, in document order.
func (t *Tree) DefectsOf(kinds ...nametree.DefectKind) iter.Seq[nametree.Defect] {
	return func(yield func(nametree.Defect) bool) {
		for d := range t.Defects() {
			if slices.Contains(kinds, d.Kind) && !yield(d) {
				return
			}
		}
	}
}

// Defects yields the tree's defects of the given kinds, which break the running rule. A defect that the tree only
// counts is counted as a finding.
func (p *Pass) Defects(t *Tree, kinds ...nametree.DefectKind) iter.Seq[nametree.Defect] {
	return func(yield func(nametree.Defect) bool) {
		left := 0
		for _, k := range kinds {
			left += t.DefectCount(k)
		}
		for d := range t.DefectsOf(kinds...) {
			if left--; !yield(d) || p.Audit.File.Err() != nil {
				return
			}
		}
		p.Found.omit(p.Rule, left)
	}
}

// AtDefect returns the place of a defect.
func (t *Tree) AtDefect(d nametree.Defect) Place {
	switch {
	case d.Node < 0:
		return t.At()
	case d.Index < 0:
		return t.AtNode(d.Node)
	case d.Entry >= 0 || !t.Node(d.Node).HasKids:
		return t.AtPair(d.Node, d.Index)
	default:
		return t.AtKid(d.Node, d.Index)
	}
}

func Article(k object.Kind) string {
	if k == object.Integer || k == object.Array {
		return "an " + k.String()
	}
	return "a " + k.String()
}

// FirstOf returns the first element of a sequence; false if the sequence is empty.
func FirstOf(s iter.Seq[int]) (int, bool) {
	for i := range s {
		return i, true
	}
	return 0, false
}

// Identifier returns the digital identifier in a string; false if the string is not one.
func Identifier(s webcapture.String) (digest.ID, bool) {
	return digest.FromBytes(s.Bytes)
}

// At returns the place of the whole tree.
func (t *Tree) At() Place { return Place{Tree: t.Name.String()} }

// AtNode returns the place of a node.
func (t *Tree) AtNode(node int) Place { return t.at(node, -1, false) }

// AtPair returns the place of a pair of a node's Names.
func (t *Tree) AtPair(node, pair int) Place {
	at := t.at(node, pair, false)
	if i, ok := t.EntryAt(node, pair); ok {
		at.Key = t.Entry(i).Key
	}
	return at
}

// AtKid returns the place of an element of a node's Kids.
func (t *Tree) AtKid(node, kid int) Place { return t.at(node, kid, true) }

func (t *Tree) at(node, index int, kid bool) Place {
	return Place{Tree: t.Name.String(), Node: &NodePlace{Ref: t.Node(node).Ref, Index: index, Kid: kid, order: node}}
}

// Tree is one of the two name trees, as passed to CheckTree.
type Tree struct {
	*webcapture.Tree
	Whole bool // see [nametree.Tree.IsWhole]; a tree that is not whole cannot be repaired
}
