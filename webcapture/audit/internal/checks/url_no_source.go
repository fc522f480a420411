package checks

import (
	"slices"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlNoSource = &rule.Rule{
	ID:      "WC221",
	Title:   "A URLS key is a URL of each content set in its value.",
	Problem: "URLS keys that are not the URL of their content set",
	Clause:  "ISO 32000-2:2020, 14.10.3.1, 14.10.3.2, and 14.10.5.1, table 391; 7.9.2",
	Level:   rule.Error,
	Doc: "The key says where the content came from, and so does the source information of the set. If they differ, " +
		"one of them is wrong. A viewer then shows a page for a URL that it did not come from. An array value holds " +
		"content sets of one URL, so a set with another URL is in the wrong place. If a tool stores the key or the URL " +
		"as text, in another encoding, they are different bytes. The message then names the encoding.",
	Repair: "With --prefer sets, move the set to the key of its URL. With --prefer keys, make the key the URL of " +
		"the set. Otherwise keep both: each is valid by itself.",
	Basis: rule.Basis{
		Wrong:     "A key differs from the URL of a content set in its value",
		Right:     "The user: --prefer keys or --prefer sets",
		Otherwise: "Both are kept",
	},
	Action:      rule.ChangeKey,
	OtherAction: rule.ChangeSource,
	// A content set of another URL may join or stay in a value after its other content sets have moved.
	MayFollow:  []rule.Action{rule.ChangeKey, rule.AddKey, rule.OwnObject, rule.MergeEntries},
	CheckValue: checkURLNoSource,
}

func checkURLNoSource(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.URLS || !hasKnownSets(v) {
		return
	}
	switch {
	case acceptingSets(v) > 0:
		reportForeignSets(p, v)
	case v.URL.Absolute() && !isText(&v.Entry) && slices.ContainsFunc(v.Sets, namesURLs):
		fix, why := preferredURL(p, v, v.Sets[0])
		p.Reportf(v.At(), fix, "key %v is not a URL of its content set (14.10.3.2), which %s%s: %s", v.Key,
			comesFrom(v.Sets), encodingsIn(v), why)
	}
}

// encodingsIn tells, for a message, whether a key and a URL of a content set in its value are two encodings of one
// text.
func encodingsIn(v *rule.Value) string {
	for _, s := range v.Sets {
		for _, url := range s.SourceURLs {
			if how := encodingsOf(rule.KeyBytes(v.Key), url); how != "" {
				return "; " + how
			}
		}
	}
	return ""
}

// reportForeignSets reports the content sets that do not have the key as a URL, next to others that do.
func reportForeignSets(p *rule.Pass, v *rule.Value) {
	for i, s := range v.Sets {
		if s.Recognized() && namesURLs(s) && !s.Accepts(v.Key) {
			fix, why := preferredURL(p, v, s)
			p.Reportf(v.At(), fix, "key %v is not a URL of element %d of its value (14.10.3.1), content set%s, which %s: %s",
				v.Key, i, refOf(s), comesFrom(v.Sets[i:i+1]), why)
		}
	}
}
