package checks

import (
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setDateWrong = &rule.Rule{
	ID:      "WC413",
	Title:   "Dates of a content set are plausible: from 1999 on, not in the future, and in order.",
	Problem: "Content sets with dates that cannot be right",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388; 14.10.5.1, table 391",
	Level:   rule.Note,
	Doc: "TS of a set is the date when it was made, so it is in the past. webcap allows one more day, because old files " +
		"do not name the time zone. The first program that made content sets, Acrobat 4, was released in 1999. TS of a " +
		"source is the last date when it was unchanged, so it is not earlier than TS of its set. The content had not " +
		"expired then, so E of a source is not earlier than its TS.",
	Repair:   "None.",
	CheckSet: checkSetDateWrong,
}

func checkSetDateWrong(p *rule.Pass, s *rule.Set) {
	made, ok := dateOf(p, s, s.TS)
	switch {
	case !ok:
	case IsFuture(p, made):
		p.Reportf(s.At(), nil, "TS is %s, which is in the future (table 388)", made.Format(rule.DateLayout))
		ok = false // every source would be older
	case made.Year() < 1999:
		p.Reportf(s.At(), nil, "TS is %s, but there were no content sets before 1999 (table 388)",
			made.Format(rule.DateLayout))
	}
	for i := range s.Sources {
		si, in := &s.Sources[i], part{set: s, source: i}
		checked, hasDate := dateOf(p, s, si.TS)
		if ok && hasDate && checked.Before(made) {
			p.Reportf(s.At(), nil, "%vTS is %s, before TS of the set, %s (table 391)", in,
				checked.Format(rule.DateLayout), made.Format(rule.DateLayout))
		}
		expires, hasExpiry := dateOf(p, s, si.E)
		if hasDate && hasExpiry && expires.Before(checked) {
			p.Reportf(s.At(), nil, "%vE is %s, before TS, %s (table 391)", in, expires.Format(rule.DateLayout),
				checked.Format(rule.DateLayout))
		}
	}
}

// tolerance is the allowed distance of a date from now into the future. It covers omitted time zones, and clocks that
// are wrong by hours.
const tolerance = 24 * time.Hour

// IsFuture reports whether a date is in the future, beyond the tolerance.
func IsFuture(p *rule.Pass, t time.Time) bool { return t.After(p.Audit.Now.Add(tolerance)) }
