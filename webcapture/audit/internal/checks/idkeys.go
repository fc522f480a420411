package checks

// Keys of IDS alone: digital identifiers, which are bytes and have 16 of them (14.10.3.3).

import (
	"encoding/hex"
	"fmt"
	"strings"

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

var IDTranscoded = &rule.Rule{
	ID:      "WC303",
	Title:   "IDS keys are bytes, not text.",
	Problem: "IDS keys stored as text",
	Cause:   "typical of pdfcpu optimize and merge",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Error,
	Doc: "A tool treated the 16 bytes of the identifier as text and stored that text in another encoding. pdfcpu " +
		"optimize and merge do this with every key. A viewer never finds the entry, but the content set still has " +
		"its true ID.",
	Repair: "Replace the key by the ID of its content set.",
	Basis: rule.Basis{
		Wrong: "A key was stored as text; its content set has an ID",
		Right: "The transformation, which turns the ID into the key, never the reverse",
	},
	Action:     rule.ChangeKey,
	CheckValue: checkIDTranscoded,
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

// keyIsID reports whether the key of an entry of IDS is, byte for byte, the ID of every content set in its value.
func keyIsID(v *rule.Value) bool {
	for _, s := range v.Sets {
		if !s.ID.OK() || string(s.ID.Bytes) != string(v.Key) {
			return false
		}
	}
	return len(v.Sets) > 0
}

// commonID returns the ID that all content sets in a value have; false if they have none, or several.
func commonID(v *rule.Value) (id digest.ID, ok bool) {
	for i, s := range v.Sets {
		own, has := s.Identifier()
		if !has || !s.Recognized() || i > 0 && own != id {
			return digest.ID{}, false
		}
		id = own
	}
	return id, len(v.Sets) > 0 && len(v.Sets) == v.Elements
}

func checkIDTranscoded(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.IDS {
		return
	}
	if t := transcodedIDOf(v); t.set != nil {
		id := nametree.Key(t.set.ID.Bytes)
		p.Reportf(v.At(), &rule.Fix{Action: rule.ChangeKey, Old: v.Key, New: id},
			"key %v is the ID %v of its content set, treated as text and stored as %s", v.Key, id, t.as)
	}
}

// transcodedID is a content set whose ID, in another encoding, is the key of its entry of IDS.
type transcodedID struct {
	set *rule.Set // nil if there is none
	as  string    // name of the encoding
}

// transcodedIDOf returns the first content set in the value of an entry of IDS whose ID was encoded to make the key.
func transcodedIDOf(v *rule.Value) transcodedID {
	if v.Tree.Name != webcapture.IDS {
		return transcodedID{}
	}
	if v.Memo == nil {
		v.Memo = findTranscodedID(v)
	}
	return v.Memo.(transcodedID)
}

func findTranscodedID(v *rule.Value) transcodedID {
	for _, s := range v.Sets {
		id, ok := s.Identifier()
		if !ok || !s.Recognized() {
			continue
		}
		if as, ok := rule.Transcoded(id[:], rule.KeyBytes(v.Key)); ok {
			return transcodedID{s, as}
		}
		if strings.EqualFold(string(v.Key), hex.EncodeToString(id[:])) {
			return transcodedID{s, "hexadecimal text"}
		}
	}
	return transcodedID{}
}

// isTranscoded reports whether the key of an entry is an ID in another encoding. It is for rules that check only the
// tree.
func isTranscoded(p *rule.Pass, t *rule.Tree, entry int) bool {
	return transcodedIDOf(valueOf(p, rule.NewEntry(t, entry))).set != nil
}
