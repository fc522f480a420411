package rule

import (
	"crypto/md5"
	"io"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
)

// DigestOf holds the data of a member of an image set against its ID, or
// against that of the set if it has none. It returns their MD5.
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

// asFetched reports whether an image's data can be a file as it was fetched:
// those of JPEG and JPEG 2000 files can, under the one filter for them.
func (p *Pass) asFetched(m *Member) bool {
	at := Place{Object: m.Ref}
	if !m.Dict.Lookup("F").IsNull() {
		return false // the data are in another file
	}
	filter, ok := p.Look(at, m.Dict.Lookup("Filter"))
	if list, isArray := filter.Array(); ok && isArray {
		if list.Len() != 1 {
			return false
		}
		for only := range list.All() {
			filter, ok = p.Look(at, only)
		}
	}
	return ok && filter.Kind() == object.Name && (filter.IsName("DCTDecode") || filter.IsName("JPXDecode"))
}
