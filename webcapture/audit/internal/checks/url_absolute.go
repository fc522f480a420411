package checks

import (
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
	Repair: "With a base URL (--base), make the key absolute.",
	Evidence: rule.Evidence{
		Contradiction: "A key is relative; the standard requires an absolute URL",
		Witness:       "The user: --base",
		Undecided:     "The key is kept",
	},
	Action:   rule.MakeAbsolute,
	CheckURL: checkURLAbsolute,
}

func checkURLAbsolute(p *rule.Pass, e *rule.Entry) {
	switch {
	case isText(e):
	case isDrive(e.URL):
		p.Reportf(e.At(), nil, "key %v is the path of a file, not a URL: %c is a drive", e.Key, e.URL.Scheme[0])
	case !e.URL.Absolute():
		var fix *rule.Fix
		if p.Audit.HasBase {
			fix = &rule.Fix{Action: rule.MakeAbsolute, Old: e.Key}
		}
		p.Reportf(e.At(), fix, "key %v is relative; give its base URL with --base", e.Key)
	}
}
