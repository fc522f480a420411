package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setEntries = &rule.Rule{
	ID:      "WC437",
	Title:   "Entries of content sets, sources, and aliases are present, and have the right type and value.",
	Problem: "Content sets with missing or invalid entries",
	Clause:  "ISO 32000-2:2020, 14.10.4 and 14.10.5, tables 388 to 392; 7.9.2.2; RFC 2045, 5.1",
	Level:   rule.Warning,
	Doc: "A reader that expects a date, a string, or a reference ignores any other object, or stops there. An entry of " +
		"the other kind of content set has no meaning and suggests that S of the set is wrong. CT is a media type, " +
		"which a refresh compares with the header that the server sends. T is the title that viewers show. TID is the " +
		"MD5 digest of the text. S of a source is 0, 1, or 2, for no form, GET, or POST. Each array in C of an alias " +
		"is one chain of redirects. Other rules cover S, ID, O, SI, AU, and dates.",
	Repair:   "None.",
	CheckSet: checkSetEntries,
}

func checkSetEntries(p *rule.Pass, s *rule.Set) {
	for i := range setFields {
		checkField(p, s, part{}, &setFields[i], s.Entry(setFields[i].Key))
	}
	for k := range s.Sources {
		si := &s.Sources[k]
		for i := range sourceFields {
			checkField(p, s, part{set: s, source: k}, &sourceFields[i], si.Entry(sourceFields[i].Key))
		}
		if si.Alias == nil {
			continue
		}
		for i := range aliasFields {
			checkField(p, s, part{s, k, true}, &aliasFields[i], si.Alias.Entry(aliasFields[i].Key))
		}
		checkChains(p, s, part{s, k, true}, si.Alias)
	}
}

// checkField reports an entry that does not comply with the table of its dictionary.
func checkField(p *rule.Pass, s *rule.Set, in part, f *webcapture.Field, stored object.Object) {
	if f.Only != webcapture.NoSubtype && f.Only != s.Subtype {
		if !stored.IsNull() {
			p.Reportf(s.At(), nil, "%v%s is in %s, but belongs in %s (table %d)", in, f.Key, withArticle(s.Subtype),
				withArticle(f.Only), f.Table)
		}
		return
	}
	if fault := fieldFault(p, s, f, stored); fault != "" {
		p.Reportf(s.At(), nil, "%v%s", in, fault)
	}
}

// checkChains reports elements of C of an alias that are not arrays of strings, and empty arrays.
func checkChains(p *rule.Pass, s *rule.Set, in part, a *webcapture.Alias) {
	if list, ok := a.C.Array(); ok && list.Len() != len(a.Chains) {
		p.Reportf(s.At(), nil, "%vC has %d elements, but only %d arrays (table 392)", in, list.Len(), len(a.Chains))
	}
	for i, chain := range a.Chains {
		if len(chain) == 0 {
			p.Reportf(s.At(), nil, "%vchain %d in C is empty (table 392)", in, i)
		}
		for j := range chain {
			if !chain[j].OK() {
				p.Reportf(s.At(), nil, "%vURL %d of chain %d in C is %s, not a string (table 392)", in, j, i,
					Describe(p, chain[j].Object))
			}
		}
	}
}
