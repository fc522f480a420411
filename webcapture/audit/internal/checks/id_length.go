package checks

import (
	"fmt"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var idLength = &rule.Rule{
	ID:      "WC301",
	Title:   "IDS keys have 16 bytes.",
	Problem: "IDS keys that are not 16 bytes long",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Error,
	Doc: "A digital identifier is an MD5 digest, which has 16 bytes. A viewer never looks for a key of another " +
		"length.",
	Repair: "Replace the key by the ID of its content set, if no other set has this ID or the same members, and its " +
		"pages and images carry no other ID.",
	Basis: rule.Basis{
		Wrong: "A key is not 16 bytes long; its content set has an ID",
		Right: "The ID of the set, if its members and images do not contradict it, and no other set of its kind " +
			"has this ID or one of its members. The key must not be a URL that is recorded nowhere else",
		Otherwise: "Both are kept",
	},
	Action:     rule.ChangeKey,
	CheckValue: checkIDLength,
}

func checkIDLength(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.IDS || len(v.Key) == len(digest.ID{}) || transcodedIDOf(v).set != nil {
		return
	}
	if keyIsID(v) {
		return // the ID of a content set in the value has the wrong length
	}
	fix, why := fixLength(p, v)
	p.Reportf(v.At(), fix, "key %v has %d bytes, not 16%s", v.Key, len(v.Key), why)
}

// fixLength returns the fix that makes the ID of the content sets in a value the key of an entry of IDS, or the reason
// why there is none.
func fixLength(p *rule.Pass, v *rule.Value) (*rule.Fix, string) {
	id, ok := commonID(v)
	if !ok {
		return nil, ", and its content sets do not have one ID; " + remedyOriginal
	}
	shown := fmt.Sprintf("; its content set has the ID %v", nametree.Key(id[:]))
	for _, s := range v.Sets {
		if problem := idProblem(p, s); problem != "" {
			return nil, shown + ", but " + problem
		}
	}
	if isStrayURL(v) {
		return nil, shown + ", but the key is a URL that the set does not have; " + remedyOriginal
	}
	chosen := dependsOnChoice(p, v.Sets[0])
	return &rule.Fix{Action: rule.ChangeKey, Old: v.Key, New: nametree.Key(id[:]), Chosen: chosen}, ""
}

// isStrayURL reports whether a key of IDS is a URL that no content set in its value has. A change would lose this URL.
func isStrayURL(v *rule.Value) bool {
	url := canon.Split(rule.KeyBytes(v.Key))
	return url.Absolute() && !isDrive(url) && acceptingSets(v) == 0
}
