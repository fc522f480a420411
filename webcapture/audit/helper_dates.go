package audit

import (
	"time"

	"github.com/webcap-tools/webcap/nametree/object"
)

// What rules about dates share.

// date returns the date that an entry of a set is; false if there is none, or
// none that is right, which is reported by itself.
func (p *Pass) date(s *Set, o object.Object) (time.Time, bool) {
	var buf [32]byte
	b, _ := p.stringIn(s, o, buf[:0])
	t, fault := p.lastDate.parse(b)
	return t, fault == ""
}

// reportNoDate reports an entry that is a string, but no date.
func (p *Pass) reportNoDate(s *Set, in part, key string, o object.Object) {
	var buf [32]byte
	b, ok := p.stringIn(s, o, buf[:0])
	if !ok {
		return
	}
	if _, fault := p.lastDate.parse(b); fault != "" {
		p.Reportf(s.At(), nil, "%v%s %v is not a date: %s", in, key, shown(b), fault)
	}
}

// tolerance is how far in the future a date may lie: as much as zones differ
// that were left out, and clocks that are wrong by hours.
const tolerance = 24 * time.Hour

// future reports whether a date lies in the future.
func (p *Pass) future(t time.Time) bool { return t.After(p.Audit.now.Add(tolerance)) }
