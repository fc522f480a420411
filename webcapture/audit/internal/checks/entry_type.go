package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var entryType = &rule.Rule{
	ID:      "WC437",
	Title:   "Entries of content sets, sources, and aliases are present and have the right type.",
	Problem: "Content sets with missing entries or entries of the wrong type",
	Clause:  "ISO 32000-2:2020, 14.10.4 and 14.10.5, tables 388 to 392",
	Level:   rule.Error,
	Doc: "A reader that expects a date, a string, or a reference ignores any other object, or stops there. Other " +
		"rules cover S, ID, O, SI, and AU.",
	Repair:   "None.",
	CheckSet: checkEntryType,
}

func checkEntryType(p *rule.Pass, s *rule.Set) {
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
	}
}
