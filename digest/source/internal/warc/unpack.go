package warc

import (
	"errors"
	"io"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/tempfile"
)

// unpackedFile is a temporary file with decompressed data. It is made for archive files that are compressed in a zip
// file, and for those with long members: to read a record in the middle of a member, all data before it must be
// decoded.
type unpackedFile struct {
	file *tempfile.File // nil if there are no data
	size int64
}

// Close removes the file.
func (u *unpackedFile) Close() (err error) {
	if u.file != nil {
		err = u.file.Close()
	}
	u.file = nil
	return err
}

// Write appends data.
func (u *unpackedFile) Write(p []byte) (n int, err error) {
	if u.file == nil {
		if u.file, err = tempfile.New(); err != nil {
			return 0, err
		}
	}
	n, err = u.file.WriteAt(p, u.size)
	u.size += int64(n)
	return n, err
}

// errLong means that a record begins far behind the start of its member.
var errLong = errors.New("a long member")

// unpack decodes the part, which is plain afterwards. It returns the places of members with a wrong checksum or other
// damage. Records that end early are left to the scan of the plain data.
func (p *Part) unpack(t *capture.Scan) (damaged [][2]int64, err error) {
	in, err := newMemberReader(p, position{}, scanStep, t.Meter)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	u := &unpackedFile{}
	p.temporary = append(p.temporary, u)
	for member, start := int64(-1), int64(0); ; {
		if in.r < in.w || in.more() {
			if at := in.position().member; at != member {
				member, start = at, u.size
			}
			b := in.ahead()
			if _, err := u.Write(b); err != nil {
				return nil, err
			}
			in.take(len(b))
			continue
		}
		d, ok := errors.AsType[*damage](in.err)
		if !ok && in.err != io.EOF {
			return nil, in.err
		}
		if !ok {
			break
		}
		at := p.where(position{member: in.member})
		if !d.short && in.member == member {
			damaged = append(damaged, [2]int64{start, u.size})
		}
		more := in.resume()
		if p.isCut = d.short && !more; p.isCut {
			t.Skip(p.where(position{member: p.Size}), reasonCutOff)
			break
		}
		t.Lost = true
		t.Skip(at, d.reason)
		if !more {
			break
		}
	}
	p.data, p.Base, p.Size, p.codec, p.isUnpacked = u.file, 0, u.size, plain, true
	return damaged, nil
}
