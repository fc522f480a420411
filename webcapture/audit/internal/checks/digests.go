package checks

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// checkDigest counts the proof for a member of an image set. If the digest differs, it returns the MD5 of the data and
// the membership.
func checkDigest(p *rule.Pass, m *rule.Member, doc *rule.Document) (sum digest.ID, in rule.Membership, differ bool) {
	in, ok := m.First(webcapture.ImageSet)
	if !ok || !m.Fits(webcapture.ImageSet, doc) {
		return sum, in, false
	}
	proof, sum := p.DigestOf(m, in)
	p.CountProof(proof)
	return sum, in, proof == rule.Mismatch
}
