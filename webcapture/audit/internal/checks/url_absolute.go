package checks

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlAbsolute = &rule.Rule{
	ID:      "WC202",
	Title:   "URLS keys are absolute URLs.",
	Problem: "URLS keys that are not absolute URLs",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 a",
	Level:   rule.Error,
	Doc: "Viewers look up absolute URLs. A relative URL has no meaning without its base document, and that is no " +
		"longer known.",
	Repair: "Replace the key by the URL of its content set, if no other set has the ID or members of the set. If the " +
		"set has no absolute URL, make the key and the URL absolute with a base URL (--base).",
	Basis: rule.Basis{
		Wrong: "A key is relative; the standard requires an absolute URL",
		Right: "The absolute URL of the content set, if no other set of its kind has its ID or one of its " +
			"members. Without such a URL, the user: --base, if it makes the key and the URL of the set equal",
		Otherwise: "The key is kept",
	},
	Action:      rule.ChangeKey,
	OtherAction: rule.MakeAbsolute,
	CheckURL:    checkURLAbsolute,
}

func checkURLAbsolute(p *rule.Pass, e *rule.Entry) {
	switch {
	case isText(e):
	case isDrive(e.URL):
		p.Reportf(e.At(), nil, "key %v is the path of a file, not a URL: %c is a drive", e.Key, e.URL.Scheme[0])
	case !e.URL.Absolute():
		fix, why := fixRelative(p, e)
		p.Reportf(e.At(), fix, "key %v is relative%s", e.Key, why)
	}
}

// fixRelative returns the fix for a relative key with the reason, or the reason why there is none. The URL of a content
// set comes before a base URL.
func fixRelative(p *rule.Pass, e *rule.Entry) (*rule.Fix, string) {
	v := valueOf(p, *e)
	url := commonURL(v)
	key, hasBase := p.Audit.Base.Key(rule.KeyBytes(e.Key))
	both := ""
	if slices.ContainsFunc(v.Sets, namesURLs) {
		both = ", and so is the URL of its content set"
	}
	switch {
	case url != "" && areAlone(p, v):
		return &rule.Fix{Action: rule.ChangeKey, Old: e.Key, New: url}, fmt.Sprintf("; its content set comes from %v", url)
	case slices.ContainsFunc(v.Sets, hasAbsoluteURL):
		return nil, "; its content set " + comesFrom(v.Sets) + ", but the set may be a copy; " + remedyOriginal
	case !hasBase:
		return nil, both + "; give the base URL with --base"
	case len(v.Sets) != v.Elements:
		return nil, "; a content set in its value cannot be read"
	case slices.ContainsFunc(v.Sets, func(s *rule.Set) bool { return namesURLs(s) && !comesToAccept(p, s, key) }):
		return nil, fmt.Sprintf("; the base URL makes it %v, which is not a URL of its content set; %s", key, remedyOriginal)
	case slices.ContainsFunc(v.Sets, func(s *rule.Set) bool { return namesURLs(s) && s.Ref.Num == 0 }):
		return nil, both + "; repair WC121 first"
	}
	return &rule.Fix{Action: rule.MakeAbsolute, Old: e.Key, New: key},
		fmt.Sprintf("%s; the base URL makes it %v", both, key)
}

func hasAbsoluteURL(s *rule.Set) bool {
	for role, url := range s.SourceURLs {
		if role == webcapture.Destination && !rule.IsRelative(url) {
			return true
		}
	}
	return false
}

// comesToAccept reports whether a key is one of the URLs of a content set after the base URL has made these absolute.
func comesToAccept(p *rule.Pass, s *rule.Set, key nametree.Key) bool {
	for _, url := range s.SourceURLs {
		absolute, ok := p.Audit.Base.Key(url)
		if ok && anyOf(rule.Forms(rule.KeyBytes(absolute)), rule.Forms(rule.KeyBytes(key))) {
			return true
		}
	}
	return false
}
