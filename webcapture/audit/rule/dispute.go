package rule

import (
	"cmp"
	"crypto/md5"
	"fmt"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// DisputeOf describes what contradicts the ID of a content set: the MD5 of its images, or the IDs of its members. It
// returns "" if nothing does, or if a member has the ID. If the user prefers content sets, the IDs of members do not
// count. Malformed members do not count. The error is one in reading the file.
func DisputeOf(r SetReader, cs *webcapture.ContentSet, prefer Side) (by string, err error) {
	own, other := nametree.Key(cs.ID.Bytes), nametree.Key("")
	for m, err := range webcapture.Members(r, cs) {
		if object.IgnoreMalformed(err) != nil {
			return "", err
		}
		id, ok := Identifier(m.ID)
		switch key := nametree.Key(id[:]); {
		case err != nil || !ok:
		case key == own:
			return "", nil
		case other == "" || key < other:
			other = key
		}
	}
	sums, err := ImageDigests(r, cs)
	isOwn := func(sum digest.ID) bool { return nametree.Key(sum[:]) == own }
	switch {
	case err != nil || slices.ContainsFunc(sums, isOwn):
		return "", err
	case len(sums) > 0:
		return fmt.Sprintf("the MD5 of its image is %v", nametree.Key(sums[0][:])), nil
	case other != "" && prefer != Sets:
		return fmt.Sprintf("a member has the ID %v", other), nil
	}
	return "", nil
}

// ImageDigests returns the MD5 of each image of an image set that is stored as it was fetched. It ignores malformed
// images.
func ImageDigests(r SetReader, cs *webcapture.ContentSet) (sums []digest.ID, err error) {
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
		data, err := r.Stream(m.Ref)
		h := md5.New()
		if err == nil {
			_, err = io.Copy(h, data)
		}
		failed = cmp.Or(failed, object.IgnoreMalformed(err))
		if err == nil {
			sums = append(sums, digest.ID(h.Sum(nil)))
		}
	}
	return sums, failed
}
