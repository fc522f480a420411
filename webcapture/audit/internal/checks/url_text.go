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
	Repair: "Replace the key by the URL of its content set if the key was made from that URL. Otherwise use the " +
		"canonical form of the text, with characters beyond ASCII percent-encoded.",
	Evidence: rule.Evidence{
		Contradiction: "A key was stored as text; its content set has a URL",
		Witness:       "The transformation, which turns the URL into the key, never the reverse",
		Undecided:     "The key itself decides: its text is percent-encoded. Without --base, a relative key is kept",
	},
	Action:    rule.ChangeKey,
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkURLText,
}

func checkURLText(p *rule.Pass, e *rule.Entry) {
	if !isText(e) {
		return
	}
	form := canonicalKey(rule.KeyBytes(e.Key))
	if strings.Contains(string(form), "%") { // the original of a percent-encoded byte is unknown
		if t := transcodingOf(valueOf(p, *e)); t != nil && t.ownAs == "" {
			form = canonicalKey(t.own)
		}
	}
	if !p.Audit.HasBase && !canon.Split(rule.KeyBytes(form)).Absolute() {
		p.Reportf(e.At(), nil, "key %v is %v, stored as a text string, and relative; give its base URL with --base", e.Key, form)
		return
	}
	p.Reportf(e.At(), &rule.Fix{Action: rule.ChangeKey, Old: e.Key, New: form},
		"key %v is %v, stored as a text string", e.Key, form)
}
