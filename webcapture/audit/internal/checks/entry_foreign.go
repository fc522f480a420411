package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var entryForeign = &rule.Rule{
	ID:      "WC415",
	Title:   "Entries that belong to page sets do not stand in image sets, nor the other way round.",
	Problem: "Image sets have entries of page sets, or the other way round",
	Clause:  "ISO 32000-2:2020, 14.10.4, tables 389 to 391",
	Level:   rule.Warning,
	Doc: "T, TID, and S and C of the source are of page sets, R is of image sets. In the other kind " +
		"they mean nothing, and show that S of the set may be wrong.",
	Repair:   "None.",
	CheckSet: checkEntryForeign,
}

func checkEntryForeign(p *rule.Pass, s *rule.Set) {
	for i := range setFields {
		if f := &setFields[i]; !belongs(f, s) && !s.Entry(f.Key).IsNull() {
			p.Reportf(s.At(), nil, "%s stands in %s, but belongs to %s", f.Key, withArticle(s.Subtype), withArticle(f.Only))
		}
	}
	for k := range s.Sources {
		for i := range sourceFields {
			if f := &sourceFields[i]; !belongs(f, s) && !s.Sources[k].Entry(f.Key).IsNull() {
				p.Reportf(s.At(), nil, "%v%s stands in %s, but belongs to %s", part{set: s, source: k}, f.Key,
					withArticle(s.Subtype), withArticle(f.Only))
			}
		}
	}
}
