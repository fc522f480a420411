package checks

import (
	"sync"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules about sources of content sets.

// underKey reports whether a key of the content set in URLS has the form of url. A rule for that key then reports
// defects of the URL.
func underKey(p *rule.Pass, s *rule.Set, url []byte) bool {
	if p.DB.URLS == nil || !p.Spend(rule.ElementCost) {
		return false
	}
	where, _ := findEntries(p, p.DB.URLS, rule.Forms(url), s.Ref)
	return where == here
}

// isListed tells whether C of SpiderInfo has a command.
type isListed uint8

const (
	unknown isListed = iota // C of SpiderInfo is not an array, or unreadable
	unlisted
	listed
)

// commandList holds the references in C of SpiderInfo. It is read when the first content set names a command, which
// content sets of real files never do.
type commandList struct {
	once sync.Once
	refs map[object.Ref]bool // nil if unknown
}

func (l *commandList) read(p *rule.Pass) {
	info, ok := p.DB.SpiderInfo.Dict()
	if !ok {
		if p.DB.SpiderInfo.IsNull() {
			l.refs = map[object.Ref]bool{}
		}
		return
	}
	c, err := p.Reader.Resolve(info.Lookup("C"))
	if list, ok := c.Array(); err == nil && (ok || c.IsNull()) {
		l.refs = map[object.Ref]bool{}
		for e := range list.All() {
			if ref, ok := e.Ref(); ok {
				l.refs[ref] = true
			}
		}
	}
}

// listingOf tells whether C of SpiderInfo has a command.
func listingOf(p *rule.Pass, command object.Ref) isListed {
	l := rule.Shared[commandList](p.Audit)
	l.once.Do(func() { l.read(p) })
	switch {
	case l.refs == nil:
		return unknown
	case l.refs[command]:
		return listed
	}
	return unlisted
}
