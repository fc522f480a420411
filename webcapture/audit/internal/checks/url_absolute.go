package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlAbsolute = &rule.Rule{
	ID:      "WC202",
	Title:   "Keys of URLS are absolute.",
	Problem: "Keys of URLS are not absolute URLs",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 a",
	Level:   rule.Error,
	Doc: "A viewer looks for absolute URLs. A relative one has no meaning without the document that it " +
		"was relative to, which nobody knows any more.",
	Repair: "With a base URL the key is made absolute.",
	Evidence: rule.Evidence{
		Contradiction: "A relative key, and the standard, which demands an absolute URL",
		Witness:       "The user: --base",
		Undecided:     "The key stays",
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
		p.Reportf(e.At(), fix, "key %v is relative: it has no scheme; give what it is relative to with --base", e.Key)
	}
}
