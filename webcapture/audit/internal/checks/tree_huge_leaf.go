package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeHugeLeaf = &rule.Rule{
	ID:        "WC119",
	Title:     "Leaves have a moderate size.",
	Problem:   "Very large leaves in a name tree",
	Clause:    "ISO 32000-2:2020, 7.9.6",
	Level:     rule.Note,
	Doc:       "A reader loads a whole leaf to find one key. Name trees exist to avoid this.",
	Repair:    "None by itself: the tree is balanced when it is rewritten for another reason.",
	CheckTree: checkTreeHugeLeaf,
}

func checkTreeHugeLeaf(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.HugeLeaf) {
		p.Reportf(t.AtNode(d.Node), nil, "Names has %d pairs", t.Node(d.Node).Count)
	}
}
