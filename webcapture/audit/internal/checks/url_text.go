package checks

import (
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlText = &rule.Rule{
	ID:      "WC215",
	Title:   "URLS keys are ASCII strings, not text strings.",
	Problem: "URLS keys stored as text",
	Clause:  "ISO 32000-2:2020, 14.10.3.2; 7.9.2",
	Level:   rule.Error,
	Doc: "The key begins with the byte order mark of UTF-16 or UTF-8: a tool treated the URL as text. A viewer " +
		"looks for the bytes of the URL and never finds this key.",
	Repair: "Use the canonical form of the text. If it has characters beyond ASCII or is relative, use the URL of the " +
		"content set if no other set has the ID or members of the set. Otherwise percent-encode the characters.",
	Basis: rule.Basis{
		Wrong: "A key was stored as text; its content set has a URL",
		Right: "The key itself. If characters had to be percent-encoded, or it is relative: the URL of the set, " +
			"if no other set of its kind has its ID or one of its members",
		Otherwise: "A relative key is kept without --base",
	},
	Action:      rule.ChangeKey,
	OtherAction: rule.MakeAbsolute,
	MayFollow:   []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:    checkURLText,
}

func checkURLText(p *rule.Pass, e *rule.Entry) {
	if !isText(e) {
		return
	}
	form := canonicalKey(rule.KeyBytes(e.Key))
	if isRelative := !canon.Split(rule.KeyBytes(form)).Absolute(); isRelative || strings.Contains(string(form), "%") {
		v := valueOf(p, *e)
		url := commonURL(v)
		switch {
		case url != "" && areAlone(p, v): // the original of a percent-encoded byte is unknown
			form = url
		case isRelative:
			fix, why := fixRelative(p, e)
			p.Reportf(e.At(), fix, "key %v is %v, stored as a text string, and relative%s", e.Key, form, why)
			return
		}
	}
	p.Reportf(e.At(), &rule.Fix{Action: rule.ChangeKey, Old: e.Key, New: form},
		"key %v is %v, stored as a text string", e.Key, form)
}
