package warc

import (
	"io"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/tempfile"
)

// unpack decodes the part from the member at an offset on into a temporary file, and returns the decoded data, p.rest.
// This is necessary if a member has more than one record: to read a record in the middle of a member, all data
// before it must be decoded.
func (p *Part) unpack(member int64, t *capture.Scan) (*Part, error) {
	in, err := newMemberReader(p, member, t.Meter)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	u, err := tempfile.New()
	if err != nil {
		return nil, err
	}
	p.rest = &Part{Path: p.Path, Name: p.Name, data: u, file: u, member: member}
	for more := true; more; {
		n, err := io.Copy(u, in)
		p.rest.Size += n
		if err == nil {
			err = in.nextMember()
		}
		switch {
		case err == io.EOF:
			return p.rest, nil
		case err == errDamage:
			t.SkipLost(p.where(in.member), errDamage.Error())
			more = in.resume()
		case err != nil:
			return nil, err
		}
	}
	return p.rest, nil
}
