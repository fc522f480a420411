package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var entryForeign = &rule.Rule{
	ID:      "WC415",
	Title:   "Page sets have no entries of image sets, and image sets have none of page sets.",
	Problem: "Content sets with entries of the other kind",
	Clause:  "ISO 32000-2:2020, 14.10.4, tables 389 to 391",
	Level:   rule.Warning,
	Doc: "T, TID, and S and C of the source belong to page sets; R belongs to image sets. In the other kind they " +
		"have no meaning and suggest that S of the set is wrong.",
	Repair:   "None.",
	CheckSet: checkEntryForeign,
}

func checkEntryForeign(p *rule.Pass, s *rule.Set) {
	for i := range setFields {
		if f := &setFields[i]; !belongs(f, s) && !s.Entry(f.Key).IsNull() {
			p.Reportf(s.At(), nil, "%s is in %s, but belongs in %s", f.Key, withArticle(s.Subtype), withArticle(f.Only))
		}
	}
	for k := range s.Sources {
		for i := range sourceFields {
			if f := &sourceFields[i]; !belongs(f, s) && !s.Sources[k].Entry(f.Key).IsNull() {
				p.Reportf(s.At(), nil, "%v%s is in %s, but belongs in %s", part{set: s, source: k}, f.Key,
					withArticle(s.Subtype), withArticle(f.Only))
			}
		}
	}
}
