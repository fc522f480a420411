package checks

import (
	"fmt"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/witness"
)

var idLength = &rule.Rule{
	ID:      "WC301",
	Title:   "Keys of IDS have 16 bytes.",
	Problem: "Keys of IDS do not have 16 bytes",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Error,
	Doc:     "A digital identifier is an MD5 digest. A key of another length is not one, and no viewer looks for it.",
	Repair:  "The key is replaced by the ID of its content set, unless its pages and images carry another one.",
	Evidence: rule.Evidence{
		Contradiction: "A key of another length than 16 bytes, and the ID of its content set",
		Witness: "The ID of the set, where members do not carry another one (else --prefer sets), and the MD5 of its image " +
			"is the ID or not known; the key is not a URL that only it has",
		Undecided: "Both stay",
	},
	Action:     rule.ChangeKey,
	CheckValue: checkIDLength,
}

func checkIDLength(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.IDS || len(v.Key) == len(digest.ID{}) || transcodingOf(v) != nil {
		return
	}
	if keyIsID(v) {
		return // of a content set whose ID has the wrong length
	}
	fix, why := fixLength(p, v)
	p.Reportf(v.At(), fix, "key %v has %d bytes, not 16%s", v.Key, len(v.Key), why)
}

// fixLength returns the fix that makes the ID of a content set the key of an entry of IDS. Without one it says why.
func fixLength(p *rule.Pass, v *rule.Value) (*rule.Fix, string) {
	s := firstWithID(v)
	if s == nil {
		return nil, ", and no content set in its value has an ID; " + remedyOriginal
	}
	id := fmt.Sprintf("; its content set has the ID %v", nametree.Key(s.ID.Bytes))
	verdict := judgeOwnIDs(p, v.Sets...)
	if verdict.Right != witness.Sets {
		return nil, id + whyDisputed(verdict)
	}
	if copied := copiedFrom(p, s, 1); copied != nil {
		return nil, id + ", but " + whyCopy(copied)
	}
	if isStrayURL(v) {
		return nil, id + ", but the key is a URL that the set does not have; " + remedyOriginal
	}
	return chosenFix(fixID(v, s), verdict), ""
}

// isStrayURL reports whether a key of IDS is a URL that no content set in its value has: only the key has it.
func isStrayURL(v *rule.Value) bool {
	url := canon.Split(rule.KeyBytes(v.Key))
	return url.Absolute() && !isDrive(url) && acceptingSets(v) == 0
}
