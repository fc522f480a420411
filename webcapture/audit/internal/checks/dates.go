package checks

import (
	"time"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules about dates.

// dateOf returns the date in an entry of a content set. It returns false for a missing date, or for an invalid one,
// which another rule reports.
func dateOf(p *rule.Pass, s *rule.Set, o object.Object) (time.Time, bool) {
	var buf [32]byte
	b, _ := stringIn(p, s, o, buf[:0])
	t, fault := p.LastDate.Parse(b)
	return t, fault == ""
}

// reportNoDate reports an entry that is a string but not a valid date.
func reportNoDate(p *rule.Pass, s *rule.Set, in part, key string, o object.Object) {
	var buf [32]byte
	b, ok := stringIn(p, s, o, buf[:0])
	if !ok {
		return
	}
	if _, fault := p.LastDate.Parse(b); fault != "" {
		p.Reportf(s.At(), nil, "%v%s %v is not a date: %s", in, key, shown(b), fault)
	}
}

// tolerance is the allowed distance of a date from now into the future. It covers omitted time zones, and clocks that
// are wrong by hours.
const tolerance = 24 * time.Hour

// IsFuture reports whether a date is in the future, beyond the tolerance.
func IsFuture(p *rule.Pass, t time.Time) bool { return t.After(p.Audit.Now.Add(tolerance)) }
