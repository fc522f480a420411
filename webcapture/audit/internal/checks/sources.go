package checks

import (
	"bytes"
	"sync"
	"time"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
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

func isURL(s webcapture.String, url []byte) bool { return s.OK() && bytes.Equal(s.Bytes, url) }

// RepeatedURL returns the index of the first URL of a chain that is equal to an earlier one; 0 if there is none.
func RepeatedURL(chain []webcapture.String) int {
	if len(chain) < 2 {
		return 0
	}
	seen := map[string]bool{}
	for i := range chain {
		if chain[i].OK() && seen[string(chain[i].Bytes)] {
			return i
		}
		seen[string(chain[i].Bytes)] = chain[i].OK()
	}
	return 0
}

// formOf returns S of a source; 0 if it is absent. It returns false if S is not an integer, or if the content set is an
// image set; other rules report these.
func formOf(p *rule.Pass, s *rule.Set, source int) (int64, bool) {
	if s.Subtype == webcapture.ImageSet {
		return 0, false
	}
	o, ok := p.ResolveIn(s, s.Sources[source].S)
	if !ok || o.IsNull() {
		return 0, ok
	}
	return o.Int()
}

// commandRef is the value of C of a source.
type commandRef struct {
	ref    object.Ref    // Num 0 for a direct object
	object object.Object // resolved
	dict   object.Dict
}

// commandOf returns C of a source. It returns false if C is absent or unreadable, or if the content set is an image
// set; another rule reports that.
func commandOf(p *rule.Pass, s *rule.Set, source int) (c commandRef, ok bool) {
	stored := s.Sources[source].C
	if stored.IsNull() || s.Subtype == webcapture.ImageSet {
		return c, false
	}
	c.ref, _ = stored.Ref()
	c.object, ok = p.ResolveIn(s, stored)
	c.dict, _ = c.object.Dict()
	return c, ok
}

// namesURL reports whether a command has the required URL, or an unreadable one.
func namesURL(p *rule.Pass, s *rule.Set, command object.Dict) bool {
	url, ok := p.ResolveIn(s, command.Lookup("URL"))
	return !ok || url.Kind() == object.String
}

// disagreement describes why a command does not agree with S of its source (14.10.5.1); empty if it agrees.
func disagreement(p *rule.Pass, s *rule.Set, form int64, command object.Dict) string {
	data, ok := p.ResolveIn(s, command.Lookup("P"))
	if !ok {
		return ""
	}
	posts := !data.IsNull()
	switch {
	case form == 2 && !posts:
		return "posts no data"
	case form == 1 && posts:
		return "posts data"
	case form != 0:
		return ""
	}
	level, ok := p.ResolveIn(s, command.Lookup("L"))
	if n, isInt := level.Int(); !ok || isInt && n != 1 {
		return "" // the page may have been reached by a link
	}
	flags, ok := p.ResolveIn(s, command.Lookup("F"))
	n, _ := flags.Int()
	switch {
	case posts:
		return "posts data"
	case ok && n&webcapture.Submit != 0:
		return "submits a form"
	}
	return ""
}

// expiry returns E and TS of a source; ok is false without a valid E. TS is the zero time if it is absent or invalid.
func expiry(p *rule.Pass, s *rule.Set, source int) (e, ts time.Time, ok bool) {
	si := &s.Sources[source]
	if e, ok = dateOf(p, s, si.E); ok {
		ts, _ = dateOf(p, s, si.TS)
	}
	return e, ts, ok
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
