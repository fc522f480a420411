package checks

// Dates of content sets and of their sources (7.9.4; tables 388 and 391).

import (
	"time"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setDate = &rule.Rule{
	ID:      "WC412",
	Title:   "TS of a content set, and TS and E of its sources, are dates.",
	Problem: "Content sets with an invalid date",
	Clause:  "ISO 32000-2:2020, 7.9.4; 14.10.4, table 388; 14.10.5.1, table 391",
	Level:   rule.Warning,
	Doc: "TS of a set is the date when it was made. TS of a source is the last date when the source was known to be " +
		"unchanged, and E is the date when the content expires. A refresh compares these dates to decide what to " +
		"fetch again.",
	Repair:   "None.",
	CheckSet: checkSetDate,
}

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

func checkSetDate(p *rule.Pass, s *rule.Set) {
	if fault := dateFault(p, s, s.TS); fault != "" {
		p.Reportf(s.At(), nil, "TS %s (table 388)", fault)
	}
	for i := range s.Sources {
		si, in := &s.Sources[i], part{set: s, source: i}
		if fault := dateFault(p, s, si.TS); fault != "" {
			p.Reportf(s.At(), nil, "%vTS %s (table 391)", in, fault)
		}
		if fault := dateFault(p, s, si.E); fault != "" {
			p.Reportf(s.At(), nil, "%vE %s (table 391)", in, fault)
		}
	}
}

// dateFault describes why a string is not a date; empty if it is one, or if o is not a string.
func dateFault(p *rule.Pass, s *rule.Set, o object.Object) string {
	var buf [32]byte
	b, ok := stringIn(p, s, o, buf[:0])
	if !ok {
		return ""
	}
	_, fault := p.LastDate.Parse(b)
	if fault == "" {
		return ""
	}
	return rule.Short(shown(b)) + " is not a date: " + fault
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

// dateOf returns the date in an entry of a content set. It returns false for a missing date, or for an invalid one,
// which another rule reports.
func dateOf(p *rule.Pass, s *rule.Set, o object.Object) (time.Time, bool) {
	var buf [32]byte
	b, _ := stringIn(p, s, o, buf[:0])
	t, fault := p.LastDate.Parse(b)
	return t, fault == ""
}

// tolerance is the allowed distance of a date from now into the future. It covers omitted time zones, and clocks that
// are wrong by hours.
const tolerance = 24 * time.Hour

// IsFuture reports whether a date is in the future, beyond the tolerance.
func IsFuture(p *rule.Pass, t time.Time) bool { return t.After(p.Audit.Now.Add(tolerance)) }
