package checks

import (
	"bytes"
	"sync"
	"time"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// What rules about sources of content sets share.

// underKey reports whether one of the entries that lead to a set has the form
// of url for a key: then what is wrong with the URL is reported with that key.
func underKey(p *rule.Pass, s *rule.Set, url []byte) bool {
	if p.DB.URLS == nil || !p.Spend(rule.ElementCost) {
		return false
	}
	where, _ := findEntries(p, p.DB.URLS, rule.Forms(url), s.Ref)
	return where == here
}

func isURL(s webcapture.String, url []byte) bool { return s.OK() && bytes.Equal(s.Bytes, url) }

// RepeatedURL returns the position of the first URL of a chain that stands in it
// before; 0 if there is none.
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

// formOf returns S of a source: 0 if it is absent; false if it is not an integer,
// or stands in an image set, which are reported by themselves.
func formOf(p *rule.Pass, s *rule.Set, source int) (int64, bool) {
	stored := s.Sources[source].S
	if stored.IsNull() {
		return 0, true
	}
	if s.Subtype == webcapture.ImageSet {
		return 0, false
	}
	o, ok := p.ResolveIn(s, stored)
	if !ok || o.IsNull() {
		return 0, ok
	}
	return o.Int()
}

// A commandRef is C of a source.
type commandRef struct {
	ref    object.Ref    // Num 0 if the command stands in the source itself
	object object.Object // resolved
	dict   object.Dict
}

// commandOf returns C of a source; false if it is absent, cannot be read, or
// stands in an image set, which is reported by itself.
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

// namesURL reports whether a command has a URL, as each shall.
func namesURL(p *rule.Pass, s *rule.Set, command object.Dict) bool {
	url, ok := p.ResolveIn(s, command.Lookup("URL"))
	return !ok || url.Kind() == object.String
}

// disagreement says what about a command does not fit S of a source that came
// from it; empty if all does (14.10.5.1).
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
		return "" // the page may be one that a link led to
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

// expiry returns E and TS of a source; TS is the zero time if it is absent.
func expiry(p *rule.Pass, s *rule.Set, source int) (e, ts time.Time, ok bool) {
	si := &s.Sources[source]
	if e, ok = dateOf(p, s, si.E); ok {
		ts, _ = dateOf(p, s, si.TS)
	}
	return e, ts, ok
}

// isListed says whether a command is in C of SpiderInfo.
type isListed uint8

const (
	unknown isListed = iota // C of SpiderInfo is not an array, or cannot be read
	unlisted
	listed
)

// A commandList is the references in C of SpiderInfo. It is read when the first
// set names a command, which no set of a real file does.
type commandList struct {
	once sync.Once
	refs map[object.Ref]bool // nil if there is no saying
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

// listed says whether a command is in C of SpiderInfo.
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
