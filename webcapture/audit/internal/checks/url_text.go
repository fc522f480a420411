package checks

import (
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlText = &rule.Rule{
	ID:      "WC215",
	Title:   "Keys of URLS are ASCII strings, not text strings.",
	Problem: "Keys of URLS were written as text",
	Clause:  "ISO 32000-2:2020, 14.10.3.2; 7.9.2",
	Level:   rule.Error,
	Doc: "The key begins with the byte order mark of UTF-16 or UTF-8: a tool took the URL for text and " +
		"wrote it as that. A viewer looks for the bytes of the URL, and never finds it.",
	Repair: "The key is replaced by the URL that the content set has, if it is made of that; else by the canonical form " +
		"of the text, in which characters that are not ASCII are percent-encoded.",
	Evidence: rule.Evidence{
		Contradiction: "A key that was written as text, and the URL of its content set",
		Witness:       "The transformation that makes the key of the URL, and not the URL of the key",
		Undecided:     "The key's own bytes decide: the text is percent-encoded",
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
	if strings.Contains(string(form), "%") { // what is encoded there may have been another byte
		if t := transcodingOf(valueOf(p, *e)); t != nil && t.ownAs == "" {
			form = canonicalKey(t.own)
		}
	}
	p.Reportf(e.At(), &rule.Fix{Action: rule.ChangeKey, Old: e.Key, New: form},
		"key %v is %v, written as a text string", e.Key, form)
}
