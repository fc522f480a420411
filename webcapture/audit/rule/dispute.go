package rule

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// DisputeOf describes what contradicts the ID of a content set: the MD5 of its images, or the IDs of its members. It
// returns "" if nothing does, or if a member has the ID. If the user prefers content sets, the IDs of members do not
// count. Malformed members do not count. The error is one in reading the file.
func DisputeOf(r *webcapture.Reader, cs *webcapture.ContentSet, prefer Side) (by string, err error) {
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
	images, err := ImageDigests(r, cs)
	isOwn := func(sum digest.ID) bool { return nametree.Key(sum[:]) == own }
	switch {
	case err != nil || slices.ContainsFunc(slices.Concat(images...), isOwn):
		return "", err
	case len(images) > 0:
		return fmt.Sprintf("the MD5 of its image is %v", nametree.Key(images[0][0][:])), nil
	case other != "" && prefer != Sets:
		return fmt.Sprintf("a member has the ID %v", other), nil
	}
	return "", nil
}
