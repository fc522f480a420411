package checks

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var imageDigest = &rule.Rule{
	ID:      "WC511",
	Title:   "If an image is stored as it was fetched, its ID is the MD5 of its data.",
	Problem: "Images whose data does not match their ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Error,
	Doc: "The ID of an image set is the MD5 of the image file. Acrobat stores JPEG and JPEG 2000 files as it fetched " +
		"them, so a match proves where the image is from. If the MD5 is not the ID, the image was re-encoded or " +
		"replaced, or the ID belongs to something else. White space after the end-of-image marker may belong to the " +
		"file, or come from a tool, so webcap also compares the MD5 without it. Images in other encodings cannot be " +
		"checked. The report counts the images that match, those that differ, and those that cannot be checked.",
	Repair: "With --prefer data, make the MD5 the ID of the image set, of its images, and of the key. This gives up the " +
		"recorded MD5 of the fetched file. If you have an original, use --from first.",
	Basis: rule.Basis{
		Wrong:     "An image is stored as it was fetched, and its MD5 is not its ID",
		Right:     "The user: --prefer data, if the image set has one MD5 and no name contains its ID",
		Otherwise: "The ID is kept",
	},
	Action:      rule.RecomputeID,
	MayFollow:   []rule.Action{rule.ReplaceMember, rule.ChangeID, rule.Rebuild},
	CheckMember: checkImageDigest,
}

func checkImageDigest(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	in, ok := m.First(webcapture.ImageSet)
	if !ok || !m.Fits(webcapture.ImageSet, doc) {
		return
	}
	proof, sums := p.DigestOf(m, in)
	p.CountProof(proof)
	if proof != rule.Mismatch || isExplained(p, m, sums) {
		return
	}
	found := fmt.Sprintf("%v", nametree.Key(sums[0][:]))
	if len(sums) > 1 {
		found += fmt.Sprintf(", without white space at the end %v", nametree.Key(sums[1][:]))
	}
	fix, why := preferredData(p, in.Set)
	p.Reportf(m.At(in), fix, "the MD5 of the image data is %s, which is not the ID: %s", found, why)
}

// isExplained reports whether an MD5 of an image is the ID of a content set that lists it, or a key that leads to one.
// Then another rule reports the record that differs.
func isExplained(p *rule.Pass, m *rule.Member, sums []digest.ID) bool {
	return slices.ContainsFunc(m.In, func(in rule.Membership) bool {
		return in.Subtype == webcapture.ImageSet && slices.ContainsFunc(sums, func(sum digest.ID) bool {
			if in.HasID && in.ID == sum {
				return true
			}
			if p.DB.IDS == nil {
				return false
			}
			where, _ := findEntries(p, p.DB.IDS, []string{string(sum[:])}, in.Set)
			return where == here
		})
	})
}
