package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var idShared = &rule.Rule{
	ID:      "WC306",
	Title:   "No two page sets and no two image sets have the same ID.",
	Problem: "Content sets of one kind with the same ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.3 and 14.10.5.1",
	Level:   rule.Warning,
	Doc: "If several URLs have the same data, one content set lists all of them in its source information. Two " +
		"sets with the same ID were captured twice, or merged from two files.",
	Repair: "None: merging page sets changes which pages belong together.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.BuildIDS, rule.OwnObject,
		rule.MergeEntries, rule.ChangeID, rule.Restore},
	CheckLinks: checkIDShared,
}

func checkIDShared(p *rule.Pass, l *rule.Links) {
	id, ok := l.Identifier()
	if !ok || p.DB.IDS == nil || l.Subtype == webcapture.NoSubtype {
		return
	}
	if other, ok := otherWithID(p, l.Set, nametree.Key(id[:])); ok {
		p.Reportf(l.At(), nil, "the %v %v has the same ID %v", l.Subtype, other, nametree.Key(id[:]))
	}
}
