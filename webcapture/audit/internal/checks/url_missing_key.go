package checks

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlMissingKey = &rule.Rule{
	ID:      "WC223",
	Title:   "The URL of a content set is a key of URLS that leads to the set.",
	Problem: "Content sets that cannot be found by their URL",
	Clause:  "ISO 32000-2:2020, 14.10.3.1 and 14.10.3.2",
	Level:   rule.Warning,
	Doc: "A viewer that follows a link looks for its URL in the tree. If the URL is not a key, or its key leads only " +
		"to other sets, the viewer fetches the page again, although the file has it. The same holds if a tool removed " +
		"URLS. A tree without entries is normal only if no content set has a URL.",
	Repair: "Add an entry with the canonical URL as key, if no other set has the ID or members of the set. If the key " +
		"exists and is the URL of the sets in its value, add the set to the value, which becomes an array.",
	Basis: rule.Basis{
		Wrong: "The URL of a content set is not a key of URLS, or the key leads only to other sets",
		Right: "The URL of the set, if no other set of its kind has its ID or one of its members. If the key " +
			"exists, it is a URL of each set in its value",
		Otherwise: "The set gets no key",
	},
	Action:      rule.AddKey,
	OtherAction: rule.ChangeSource,
	// A key without content set may be removed. Then another content set may count as the copy. A key added or changed
	// for one set may also be the URL of another.
	MayFollow:  []rule.Action{rule.RemoveEntry, rule.AddKey, rule.ChangeKey},
	CheckLinks: checkURLMissingKey,
}

func checkURLMissingKey(p *rule.Pass, l *rule.Links) {
	eachUnlisted(p, l, webcapture.Destination, func(url []byte, entries []int) {
		if len(entries) == 0 {
			fix, why := addURL(p, l, url)
			p.Reportf(l.At(), fix, "URL %v is not a key of URLS (14.10.3.2)%s", nametree.Key(url), why)
			return
		}
		problem := ""
		if l.Ref.Num == 0 { // no other value can contain a direct content set
			return
		}
		e := p.DB.URLS.Entry(entries[0])
		if problem = foreignIn(p, e); problem == "" && !isAlone(p, l.Set) {
			problem = whyNotAlone
		}
		fix, why := addKey(l, "URLS", e.Key, problem)
		p.Reportf(l.At(), fix, "key %v of URLS, at %v, is the URL of this set, but does not lead to it (14.10.3.1)%s",
			nametree.Key(url), rule.PlaceOf(p.DB.URLS, e), why)
	})
}

// addURL returns the fix that gives a content set one of its URLs as key, or the reason why there is none. If the URL
// is relative, the fix first makes it absolute in the content set.
func addURL(p *rule.Pass, l *rule.Links, url []byte) (*rule.Fix, string) {
	fix := absoluteSource(p, l.Set, url)
	switch {
	case fix != nil:
		return fix, fmt.Sprintf("; the base URL makes it %v", fix.New)
	case rule.IsRelative(url):
		return nil, ", but is relative; give the base URL with --base"
	case !isAlone(p, l.Set):
		return nil, ", but " + whyNotAlone
	}
	return addKey(l, "URLS", canonicalKey(url), "")
}

// absoluteSource returns the fix that makes a relative URL of a content set absolute; nil without a base URL, and for
// an absolute URL.
func absoluteSource(p *rule.Pass, s *rule.Set, url []byte) *rule.Fix {
	key, ok := p.Audit.Base.Key(url)
	if !ok || !rule.IsRelative(url) || s.Ref.Num == 0 {
		return nil
	}
	return &rule.Fix{Action: rule.ChangeSource, Old: shown(url), New: key, Set: s.Ref}
}

// foreignIn describes a content set in the value of an entry of URLS that does not have the key as a URL; empty if
// there is none. Then the key may be wrong.
func foreignIn(p *rule.Pass, e nametree.Entry) string {
	for s := range setsIn(p, e.Value) {
		if s == nil || !s.Recognized() || namesURLs(s) && !s.Accepts(e.Key) {
			return "another content set in its value does not have this URL; " + remedyEither
		}
	}
	return ""
}
