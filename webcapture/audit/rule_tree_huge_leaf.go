package audit

import (
	"github.com/webcap-tools/webcap/nametree"
)

var treeHugeLeaf = &Rule{
	ID:        "WC119",
	Title:     "Leaves are of moderate size.",
	Problem:   "Leaves of a name tree are very large",
	Clause:    "ISO 32000-2:2020, 7.9.6",
	Level:     Note,
	Doc:       "A reader takes in a leaf as a whole, to find one key. Trees exist so that it need not.",
	Repair:    "None by itself: the tree is balanced when it is rewritten for another reason.",
	CheckTree: checkTreeHugeLeaf,
}

func checkTreeHugeLeaf(p *Pass, t *Tree) {
	for d := range p.defects(t, nametree.HugeLeaf) {
		p.Reportf(t.AtNode(d.Node), nil, "Names has %d pairs", t.Node(d.Node).Count)
	}
}
