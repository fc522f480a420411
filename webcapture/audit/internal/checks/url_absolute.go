package checks

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/canon"
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
		"set has no absolute URL, make the key absolute with a base URL (--base).",
	Basis: rule.Basis{
		Wrong: "A key is relative; the standard requires an absolute URL",
		Right: "The absolute URL of the content set, if no other set of its kind has its ID or one of its " +
			"members. Without such a URL, the user: --base",
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

// fixRelative returns the fix for a relative key, or the reason why there is none. The URL of a content set comes
// before a base URL.
func fixRelative(p *rule.Pass, e *rule.Entry) (*rule.Fix, string) {
	v := valueOf(p, *e)
	url := commonURL(v)
	switch {
	case url != "" && areAlone(p, v):
		return &rule.Fix{Action: rule.ChangeKey, Old: e.Key, New: url}, fmt.Sprintf("; its content set comes from %v", url)
	case slices.ContainsFunc(v.Sets, hasAbsoluteURL):
		return nil, "; its content set " + comesFrom(v.Sets) + ", but the set may be a copy; " + remedyOriginal
	case p.Audit.HasBase:
		return &rule.Fix{Action: rule.MakeAbsolute, Old: e.Key}, ""
	}
	return nil, "; give its base URL with --base"
}

func hasAbsoluteURL(s *rule.Set) bool {
	for role, url := range s.SourceURLs {
		if role == webcapture.Destination && canon.Split(url).Absolute() {
			return true
		}
	}
	return false
}
