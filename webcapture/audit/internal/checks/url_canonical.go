package checks

import (
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlCanonical = &rule.Rule{
	ID:      "WC204",
	Title:   "URLS keys are canonical: steps b to g do not change them.",
	Problem: "URLS keys that are not canonical",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 b to g, and 14.10.3.1",
	Level:   rule.Error,
	Doc: "A viewer makes a URL canonical before it looks it up, and never finds a key with another spelling. Step b " +
		"removes the fragment. Steps c and d lower-case the scheme and the host. Step e removes localhost from a " +
		"file URL. Step f removes port 80 of http and port 21 of ftp. Step g resolves \".\" and \"..\" in the path. " +
		"The steps apply to HTTP, HTTPS, FTP, and file URLs; other URLs are their own canonical form. " +
		"If two keys have the same canonical form, their content sets belong under one key, in an array.",
	Repair: "Make the key canonical. If this form is already a key, merge the entries.",
	Basis: rule.Basis{
		Wrong: "A key has a spelling that canonicalization changes",
		Right: "The key itself: canonicalization turns it into the new key, never the reverse. The content sets of " +
			"merged entries are kept",
	},
	Action:    rule.ChangeKey,
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckTree: checkSameForm,
	CheckURL:  checkURLCanonical,
}

// checkURLCanonical reports the steps that would change a key. Relative keys and keys stored as text have rules of
// their own.
func checkURLCanonical(p *rule.Pass, e *rule.Entry) {
	if e.Changes == 0 || !e.URL.Absolute() || isDrive(e.URL) || isText(e) {
		return
	}
	var steps []string
	for _, s := range canon.PDF.Steps() {
		if e.Changes.Has(s.Letter) {
			steps = append(steps, fmt.Sprintf("step %c would %s", s.Letter, s.Title))
		}
	}
	form := nametree.Key(canon.PDF.Append(nil, rule.KeyBytes(e.Key)))
	p.Reportf(e.At(), &rule.Fix{Action: rule.ChangeKey, Old: e.Key, New: form},
		"key %v is not canonical: %s; expected %v%s", e.Key, strings.Join(steps, ", "), form, otherScheme(e.Key))
}

// otherScheme describes a profile, other than PDF, in which the key is canonical; empty if there is none.
func otherScheme(key nametree.Key) string {
	d, ok := canon.Diagnose(rule.KeyBytes(key))
	if !ok || d.Profile == nil {
		return ""
	}
	return "; the profile " + d.Profile.Name() + " keeps it"
}

// checkSameForm reports keys with the canonical form of another key. Relative keys have a rule of their own.
func checkSameForm(p *rule.Pass, t *rule.Tree) {
	if t.Name != webcapture.URLS {
		return
	}
	seen := map[nametree.Key]int{}
	for i, e := range t.Entries() {
		if canon.PDF.Changes(rule.KeyBytes(e.Key)) == 0 || rule.IsRelative(rule.KeyBytes(e.Key)) {
			continue
		}
		form := nametree.Key(canon.PDF.Append(nil, rule.KeyBytes(e.Key)))
		other, dup := seen[form]
		if !dup {
			seen[form] = i
			other, dup = rule.FirstOf(t.All(form))
		}
		if dup {
			p.Reportf(t.AtPair(e.Node, e.Pair), &rule.Fix{Action: rule.ChangeKey, Old: e.Key, New: form},
				"keys %v and %v have the same canonical form (14.10.3.1)", e.Key, t.Entry(other).Key)
		}
	}
}
