package rule

import (
	"crypto/md5"
	"io"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// DigestOf computes the MD5 of an image set's member, and compares it with the member's ID, or with the set's ID if the
// member has none.
func (p *Pass) DigestOf(m *Member, in Membership) (proof Proof, sum digest.ID) {
	id, ok := Identifier(m.ID)
	if !ok {
		id, ok = in.ID, in.HasID
	}
	if !ok || !p.asFetched(m) {
		return NotCheckable, sum
	}
	h := md5.New()
	data, err := p.Reader.Stream(m.Ref)
	if err == nil && p.Spend(0) {
		_, err = io.Copy(h, data)
	}
	if err != nil {
		p.CouldNotRead(Place{Object: m.Ref}, err)
		return NotCheckable, sum
	}
	if !p.Spend(0) {
		return NotCheckable, sum
	}
	if h.Sum(sum[:0]); sum == id {
		return Verified, sum
	}
	return Mismatch, sum
}

// asFetched reports whether an image may be stored as the unchanged bytes of the fetched file.
func (p *Pass) asFetched(m *Member) bool {
	look := func(o object.Object) (object.Object, bool) { return p.Look(Place{Object: m.Ref}, o) }
	return webcapture.IsAsFetched(m.Dict, look)
}
