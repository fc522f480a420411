package rule

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"hash"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// DigestOf computes the MD5 of an image set's member, and compares it with the member's ID, or with the set's ID if the
// member has none. sums has one or two digests, see [ImageDigests].
func (p *Pass) DigestOf(m *Member, in Membership) (proof Proof, sums []digest.ID) {
	id, ok := Identifier(m.ID)
	if !ok {
		id, ok = in.ID, in.HasID
	}
	if !ok || !p.asFetched(m) {
		return NotCheckable, nil
	}
	data, err := p.Reader.Stream(m.Ref)
	if err == nil && p.Spend(0) {
		sums, err = dataDigests(data)
	}
	if err != nil {
		p.CouldNotRead(Place{Object: m.Ref}, err)
		return NotCheckable, nil
	}
	if !p.Spend(0) {
		return NotCheckable, nil
	}
	if slices.Contains(sums, id) {
		return Verified, sums
	}
	return Mismatch, sums
}

// asFetched reports whether an image may be stored as the unchanged bytes of the fetched file.
func (p *Pass) asFetched(m *Member) bool {
	look := func(o object.Object) (object.Object, bool) { return p.Look(Place{Object: m.Ref}, o) }
	return webcapture.IsAsFetched(m.Dict, look)
}

// ImageDigests returns the digests of each image of an image set that is stored as it was fetched: the MD5 of its data.
// If white space follows the end-of-image marker, a second digest is that of the data before it. Tools put a line end
// there, and count it in Length. ImageDigests ignores malformed images.
func ImageDigests(r *webcapture.Reader, cs *webcapture.ContentSet) (images [][]digest.ID, err error) {
	if cs.Subtype != webcapture.ImageSet {
		return nil, nil
	}
	var failed error
	look := func(o object.Object) (object.Object, bool) {
		found, err := r.Resolve(o)
		failed = cmp.Or(failed, object.IgnoreMalformed(err))
		return found, err == nil
	}
	for m, err := range webcapture.Members(r, cs) {
		failed = cmp.Or(failed, object.IgnoreMalformed(err))
		if err != nil || m.Ref.Num == 0 || !webcapture.IsAsFetched(m.Dict, look) {
			continue
		}
		var sums []digest.ID
		data, err := r.Stream(m.Ref)
		if err == nil {
			sums, err = dataDigests(data)
		}
		failed = cmp.Or(failed, object.IgnoreMalformed(err))
		if err == nil {
			images = append(images, sums)
		}
	}
	return images, failed
}

// dataDigests returns the MD5 of data, and of the data before white space after an end-of-image marker.
func dataDigests(data io.Reader) ([]digest.ID, error) {
	w := paddedDigest{h: md5.New()}
	if _, err := io.Copy(&w, data); err != nil {
		return nil, err
	}
	bare := digest.ID(w.h.Sum(nil))
	if len(w.padding) == 0 {
		return []digest.ID{bare}, nil
	}
	w.h.Write(w.padding)
	sums := []digest.ID{digest.ID(w.h.Sum(nil))}
	if bytes.Equal(w.end, []byte("\xff\xd9")) {
		sums = append(sums, bare)
	}
	return sums, nil
}

// paddedDigest computes the MD5 of the bytes before the white space at the end.
type paddedDigest struct {
	h       hash.Hash
	end     []byte // the last two bytes in h
	padding []byte // white space after them, at most maxPadding bytes
}

// Write implements [io.Writer].
func (w *paddedDigest) Write(b []byte) (int, error) {
	n := len(bytes.TrimRight(b, "\x00\t\n\f\r ")) // table 1
	if n > 0 || len(w.padding)+len(b) > maxPadding {
		w.add(w.padding)
		w.padding = w.padding[:0]
	}
	if len(b)-n > maxPadding {
		n = len(b)
	}
	w.add(b[:n])
	w.padding = append(w.padding, b[n:]...)
	return len(b), nil
}

func (w *paddedDigest) add(b []byte) {
	w.h.Write(b)
	w.end = append(w.end, b[max(0, len(b)-2):]...)
	w.end = w.end[max(0, len(w.end)-2):]
}
