package checks

// Sources of content sets: their URLs, and the commands that made the captures (14.10.5, tables 391 and 392).

import (
	"sync"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceURL = &rule.Rule{
	ID:      "WC405",
	Title:   "SI of a content set is a source, or an array of sources, each with a URL.",
	Problem: "Content sets without a valid source",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388; 14.10.5, tables 391 and 392",
	Level:   rule.Error,
	Doc: "SI says where the content came from, and AU in it is the URL: a string or a URL alias dictionary. Without a " +
		"URL, nothing says which key the set should have in URLS, and a viewer cannot update the content. An empty " +
		"string names no place.",
	Repair:    "None: if the set has a key in URLS, the key is most likely the URL.",
	MayFollow: []rule.Action{rule.ChangeKey},
	CheckSet:  checkSourceURL,
}

var sourceTwice = &rule.Rule{
	ID:      "WC428",
	Title:   "The sources of a content set have different URLs.",
	Problem: "Content sets with two sources for one URL",
	Clause:  "ISO 32000-2:2020, 14.10.5.1",
	Level:   rule.Warning,
	Doc: "If the same data came from several URLs, SI is an array with a dictionary for each URL. If two " +
		"dictionaries have the same URL, a refresh updates only one of them.",
	Repair:   "None: the right date is unknown.",
	CheckSet: checkSourceTwice,
}

var sourceCommand = &rule.Rule{
	ID:      "WC431",
	Title:   "C of a source information dictionary is one of the commands in SpiderInfo.",
	Problem: "Sources with a command that SpiderInfo does not list",
	Clause:  "ISO 32000-2:2020, 14.10.5.1, table 391; 14.10.2, table 386",
	Level:   rule.Warning,
	Doc: "C is the command that made the capture. SpiderInfo lists the commands in the order of their execution. A " +
		"refresh goes through that list and misses any other command.",
	Repair:   "None: the place of the command in the order is unknown.",
	CheckSet: checkSourceCommand,
}

func checkSourceURL(p *rule.Pass, s *rule.Set) {
	list, ok := s.SI.Array()
	switch {
	case !ok && len(s.Sources) == 0:
		p.Reportf(s.At(), nil, "SI is %v, neither a dictionary nor an array (table 388)", Describe(p, s.SI))
	case ok && len(s.Sources) == 0:
		p.Reportf(s.At(), nil, "SI is an array without a source information dictionary (table 388)")
	case ok && len(s.Sources) != list.Len():
		p.Reportf(s.At(), nil, "SI is an array with elements that are not dictionaries (table 388)")
	}
	for i := range s.Sources {
		si, in := &s.Sources[i], part{set: s, source: i}
		if !si.AU.OK() && si.Alias == nil {
			p.Reportf(s.At(), nil, "%vAU is %v, neither a string nor a dictionary (table 391)", in,
				Describe(p, si.AU.Object))
		}
		for _, url := range si.URLs() {
			if len(url) == 0 && !underKey(p, s, url) {
				p.Reportf(s.At(), nil, "%va URL is empty (table 391)", in)
				break
			}
		}
	}
}

func checkSourceTwice(p *rule.Pass, s *rule.Set) {
	if len(s.Sources) < 2 {
		return
	}
	first := map[string]int{}
	for i := range s.Sources {
		for role, url := range s.Sources[i].URLs() {
			if role != webcapture.Destination || len(url) == 0 {
				continue
			}
			form := string(canon.PDF.Append(nil, url))
			if j, twice := first[form]; twice {
				p.Reportf(s.At(), nil, "sources %d and %d have the same URL, %v", j, i, nametree.Key(form))
			} else {
				first[form] = i
			}
		}
	}
}

func checkSourceCommand(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		stored := s.Sources[i].C
		ref, ok := stored.Ref()
		if !ok || s.Subtype == webcapture.ImageSet {
			continue // WC437 reports these
		}
		o, ok := p.ResolveIn(s, stored)
		in := part{set: s, source: i}
		switch {
		case !ok:
		case o.IsNull():
			p.Reportf(s.At(), nil, "%vC is %s, expected a command dictionary (table 391)", in, Describe(p, stored))
		case o.Kind() == object.Dictionary && listingOf(p, ref) == unlisted:
			p.Reportf(s.At(), nil, "%vC is %v, which is not in C of SpiderInfo (table 386)", in, ref)
		}
	}
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
	l.once.Do(func() { p.Apart(func() { l.read(p) }) })
	switch {
	case l.refs == nil:
		return unknown
	case l.refs[command]:
		return listed
	}
	return unlisted
}
