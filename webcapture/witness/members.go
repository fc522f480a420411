package witness

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Reader reads objects of a file.
type Reader interface {
	Resolve(object.Object) (object.Object, error)
	String(object.Object) (webcapture.String, error)
}

// Member is an element of O of a content set, if its object exists in the file.
type Member struct {
	Ref  object.Ref // Num 0 for a direct object in O
	Dict object.Dict
	ID   webcapture.String
}

// Members yields the existing members of a content set. Each error is about one member.
func Members(r Reader, set *webcapture.ContentSet) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		for o := range set.Members() {
			var m Member
			m.Ref, _ = o.Ref()
			resolved, err := r.Resolve(o)
			if err == nil && resolved.IsNull() {
				continue
			}
			if err == nil {
				m.Dict, _ = resolved.Dict()
				m.ID, err = r.String(m.Dict.Lookup("ID"))
			}
			if !yield(m, err) {
				return
			}
		}
	}
}

// IsAsFetched reports whether the stored data of an image may be a fetched file. Only JPEG and JPEG 2000 images can, if
// their only filter is the one for the format. look resolves an object; false if that fails.
func IsAsFetched(image object.Dict, look func(object.Object) (object.Object, bool)) bool {
	if !image.Lookup("F").IsNull() {
		return false // the data are in another file
	}
	filter, ok := look(image.Lookup("Filter"))
	if list, isArray := filter.Array(); ok && isArray {
		if list.Len() != 1 {
			return false
		}
		for only := range list.All() {
			filter, ok = look(only)
		}
	}
	return ok && filter.Kind() == object.Name && (filter.IsName("DCTDecode") || filter.IsName("JPXDecode"))
}

// Carried counts the IDs of a content set's members. The zero value counts none.
type Carried struct {
	Members int // members with an ID; a member without one is no evidence
	IDs     map[nametree.Key]int
	Unread  []error // errors of unreadable members

	// Mixed means that a page set lists an image that has its ID, or an image set lists such a page. The caller, who
	// knows the set, sets it.
	Mixed bool
}

// Add counts a member from Members.
func (c *Carried) Add(m Member, err error) {
	if err != nil {
		c.Unread = append(c.Unread, err)
		return
	}
	if !m.ID.OK() {
		return
	}
	if c.IDs == nil {
		c.IDs = map[nametree.Key]int{}
	}
	c.Members++
	c.IDs[nametree.Key(m.ID.Bytes)]++
}

// Judge decides whether the ID of a content set may become a key. If it may, Right is Sets. An ID that a member has
// always may. Any other ID may not if the images have another MD5, or if members have another ID. In the second case,
// the user's choice of Sets allows it.
func (c *Carried) Judge(id nametree.Key, images func() []digest.ID, prefer Side) Verdict {
	if c.IDs[id] > 0 {
		return Verdict{Right: Sets}
	}
	if sums := images(); len(sums) > 0 {
		if slices.ContainsFunc(sums, func(sum digest.ID) bool { return nametree.Key(sum[:]) == id }) {
			return Verdict{Right: Sets, Proven: true}
		}
		return Verdict{Proven: true, Why: fmt.Sprintf("the MD5 of its image is %v", nametree.Key(sums[0][:]))}
	}
	for _, other := range slices.Sorted(maps.Keys(c.IDs)) {
		switch {
		case len(other) != len(digest.ID{}):
		case prefer == Sets:
			return Verdict{Right: Sets, Chosen: true, Why: chosen(prefer)}
		default:
			return Verdict{Why: fmt.Sprintf("a member has the ID %v", other)}
		}
	}
	return Verdict{Right: Sets}
}
