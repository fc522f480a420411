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
	Repair: "Change the URL of the set to the key if the sources show that the key is right. They must have the " +
		"file of the set under the key, and another file under the URL of the set. If the key is the URL in another " +
		"encoding, replace the key by the canonical form of the URL. Otherwise keep both.",
	Evidence: rule.Evidence{
		Contradiction: "A key differs from the URL of a content set in its value",
		Witness: "Sources: they have the file of the set under the key, and another file under the URL of the " +
			"set. Then the URL changes. Of two encodings of one text, the older one is in the sources, or the other was " +
			"made from it and never the reverse. Otherwise the user decides, with --prefer",
		Undecided: "Both are kept",
	},
	Action:    rule.ChangeKey,
	SetAction: rule.ChangeSource,
	// A content set of another URL may join or stay in a value after its other content sets have moved.
	MayFollow:  []rule.Action{rule.ChangeKey, rule.AddKey, rule.OwnObject, rule.MergeEntries},
	CheckValue: checkURLNoSource,
}

func checkURLNoSource(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.URLS || !hasKnownSets(v) {
		return
	}
	switch t := transcodingOf(v); {
	case acceptingSets(v) > 0:
		reportForeignSets(p, v)
	case t != nil && !isText(&v.Entry): // another rule reports keys stored as text
		reportTranscoded(p, v, t)
	case t == nil && v.URL.Absolute() && slices.ContainsFunc(v.Sets, namesURLs):
		fix, why := fixURL(p, v, v.Sets[0])
		p.Reportf(v.At(), fix, "key %v is not a URL of its content set (14.10.3.2), which %s: %s", v.Key,
			comesFrom(v.Sets), why)
	}
}

// reportForeignSets reports the content sets that do not have the key as a URL, next to others that do.
func reportForeignSets(p *rule.Pass, v *rule.Value) {
	for i, s := range v.Sets {
		if s.Recognized() && namesURLs(s) && !s.Accepts(v.Key) {
			fix, why := fixURL(p, v, s)
			p.Reportf(v.At(), fix, "key %v is not a URL of element %d of its value (14.10.3.1), content set%s, which %s: %s",
				v.Key, i, refOf(s), comesFrom(v.Sets[i:i+1]), why)
		}
	}
}

// reportTranscoded reports a key and a URL that are two encodings of one text. The key changes if it is the younger
// one.
func reportTranscoded(p *rule.Pass, v *rule.Value, t *transcoding) {
	switch {
	case t.keyIsYounger(p, v.Key):
		url := t.own
		if t.recorded != nil {
			url = t.recorded
		}
		t.reportKey(p, v, "URL", &rule.Fix{Action: rule.ChangeKey, Old: v.Key, New: canonicalKey(url)})
	case t.recorded != nil:
		p.Reportf(v.At(), nil, "the URL %v of the content set is the key %v in another encoding: sources have only the key",
			shown(t.own), v.Key)
	case t.keyAs == "":
		p.Reportf(v.At(), nil, "the URL %v of the content set is the key %v, treated as text and stored as %s",
			shown(t.own), v.Key, t.ownAs)
	default:
		p.Reportf(v.At(), nil, "key %v and the URL %v of its content set are two encodings of %v: the older one is unknown",
			v.Key, shown(t.own), shown(t.from))
	}
}
