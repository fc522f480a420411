package warc

import (
	"errors"
	"io"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/tempfile"
)

// errLong means that a record begins far behind the start of its member.
var errLong = errors.New("a long member")

// unpack decodes the part into a temporary file. The part is plain afterwards. This is necessary for long members: to
// read a record in the middle of a member, all data before it must be decoded. damaged means that members have wrong
// checksums or other damage. Records that end early are left to the scan of the plain data.
func (p *Part) unpack(t *capture.Scan) (damaged bool, err error) {
	in, err := newMemberReader(p, position{}, scanStep, t.Meter)
	if err != nil {
		return false, err
	}
	defer in.Close()
	u, err := tempfile.New()
	if err != nil {
		return false, err
	}
	p.unpacked = u
	size := int64(0)
	for more := true; more; {
		n, err := io.Copy(u, in)
		if size += n; err == nil {
			if err = in.nextMember(); err == nil {
				continue
			}
		}
		d, ok := errors.AsType[*damage](err)
		if err == io.EOF {
			break
		} else if !ok {
			return false, err
		}
		at := p.where(position{member: in.member})
		damaged = damaged || !d.short
		more = in.resume()
		if p.isCut = d.short && !more; p.isCut {
			t.Skip(p.where(position{member: p.Size}), reasonCutOff)
			break
		}
		t.Lost = true
		t.Skip(at, d.reason)
	}
	p.data, p.Base, p.Size, p.codec = u, 0, size, plain
	return damaged, nil
}
