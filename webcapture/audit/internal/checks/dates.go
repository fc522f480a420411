package checks

import (
	"time"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// What rules about dates share.

// dateOf returns the date in an entry of a set; false if there is none, or an
// invalid one, which another rule reports.
func dateOf(p *rule.Pass, s *rule.Set, o object.Object) (time.Time, bool) {
	var buf [32]byte
	b, _ := stringIn(p, s, o, buf[:0])
	t, fault := p.LastDate.Parse(b)
	return t, fault == ""
}

// reportNoDate reports an entry that is a string, but no date.
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

// tolerance is how far in the future a date may lie: as much as zones differ
// that were left out, and clocks that are wrong by hours.
const tolerance = 24 * time.Hour

// future reports whether a date lies in the future.
func IsFuture(p *rule.Pass, t time.Time) bool { return t.After(p.Audit.Now.Add(tolerance)) }
