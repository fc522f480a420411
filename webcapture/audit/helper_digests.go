package audit

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/webcapture"
)

// checkDigest counts the outcome for a member of an image set and returns what
// differs.
func (p *Pass) checkDigest(m *Member, doc *Document) (sum digest.ID, in Membership, differ bool) {
	in, ok := m.first(webcapture.ImageSet)
	if !ok || !m.fits(webcapture.ImageSet, doc) {
		return sum, in, false
	}
	proof, sum := p.digestOf(m, in)
	p.CountProof(proof)
	return sum, in, proof == Mismatch
}
