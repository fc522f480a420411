package checks

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/witness"
)

var idKey = &rule.Rule{
	ID:      "WC302",
	Title:   "An IDS key is the ID of every content set in its value.",
	Problem: "IDS keys that lead to content sets with another ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Error,
	Doc: "A viewer looks up the ID of a page or image in IDS. Under another key, it does not find the content set, " +
		"so the page has lost its origin.",
	Repair: "If evidence supports the ID of the set, make it the key. Evidence is members, the data of an image, or " +
		"the pattern of other entries. If a proof supports the key, make it the ID of the set, unless something " +
		"else in the file has the old ID. Otherwise change neither.",
	Evidence: rule.Evidence{
		Contradiction: "An IDS key differs from the ID of its content set",
		Witness: "Proof: the MD5 of an image or of a file in the sources. Agreement: members carry one of the two " +
			"IDs and no other ID. It does not count if a proof elsewhere supports a key against such agreement. " +
			"Pattern: at least three other entries of the tree are decided, this key stays in the tree, and an image " +
			"set lists an image. " +
			"None of them counts if a page set lists an image that has its ID, or an image set lists such a page. " +
			"Otherwise --prefer sets. The ID of the set changes only by a proof, and only if nothing else in the " +
			"file has it",
		Undecided: "Both are kept",
	},
	Action:     rule.ChangeKey,
	SetAction:  rule.ChangeID,
	MayFollow:  []rule.Action{rule.ChangeID}, // a content set may get an ID
	CheckValue: checkIDKey,
}

func checkIDKey(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.IDS || transcodingOf(v) != nil || len(v.Key) != len(digest.ID{}) {
		return
	}
	for _, s := range v.Sets {
		id, ok := s.Identifier()
		if !ok || !s.Recognized() || nametree.Key(id[:]) == v.Key {
			continue
		}
		carried := carriedIDs(p, s)
		noteUnread(p, s, carried)
		verdict := judgeID(p, v.Key, s, carried)
		var fix *rule.Fix
		switch {
		case verdict.Right == witness.Keys:
			fix, verdict.Why = restoreID(p, v.Key, s, verdict)
		case moveOf(p, v).moves:
			fix = chosenFix(fixID(v, s), verdict)
		default:
			fix, verdict.Why = fixByChoice(p, v, s, verdict)
		}
		p.Reportf(v.At(), fix, "key %v is not the ID of its content set%s, %v: %s",
			v.Key, refOf(s), nametree.Key(id[:]), verdict.Why)
	}
}

// fixByChoice returns the fix of an entry of IDS whose key stays unless the user prefers content sets. If there is no
// fix, it returns the reason.
func fixByChoice(p *rule.Pass, v *rule.Value, s *rule.Set, verdict witness.Verdict) (*rule.Fix, string) {
	e := moveOf(p, v)
	switch {
	case e.proven:
		return nil, verdict.Why + ", but a proof supports the key for another set in the value; " + remedyOriginal
	case e.copied != nil:
		return nil, verdict.Why + ", but " + whyCopy(e.copied)
	case p.Audit.Prefer == witness.Sets:
		return chosenFix(fixID(v, s), witness.Verdict{Chosen: true}), verdict.Why
	case verdict.Right == witness.Sets && gatheredMoves(p).doubt() != "":
		return nil, verdict.Why + "; " + gatheredMoves(p).doubt() + "; " + remedySets
	case verdict.Right == witness.Sets:
		return nil, verdict.Why + ", but the key may belong to another set; " + remedySets
	}
	return nil, verdict.Why
}

// restoreID returns the fix that makes a key of IDS the ID of a content set in its value, with the reason. The fix is
// nil without a proof, for a direct content set, or if one of the two IDs may belong to something else.
func restoreID(p *rule.Pass, key nametree.Key, s *rule.Set, verdict witness.Verdict) (*rule.Fix, string) {
	switch {
	case !verdict.Proven && verdict.Chosen:
		return nil, verdict.Why + ", but only a proof changes the ID of a content set; " + remedySets
	case !verdict.Proven:
		return nil, verdict.Why + ", but only a proof changes the ID of a content set; " + remedyProof
	case s.Ref.Num == 0:
		return nil, verdict.Why + ", but the content set is stored directly in the tree; " + remedyOriginal
	case hasCopyWithID(p, s, key):
		return nil, verdict.Why + ", but another content set has this ID; " + remedyOriginal
	case isIDElsewhere(p, s):
		return nil, verdict.Why + ", but a key of IDS or a member has the ID of the content set; " + remedyOriginal
	}
	return &rule.Fix{Action: rule.ChangeID, Old: nametree.Key(s.ID.Bytes), New: key, Set: s.Ref}, verdict.Why
}
