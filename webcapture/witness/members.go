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

// Member is an element of O of a content set that is in the file.
type Member struct {
	Ref  object.Ref // Num 0 for one that stands in O itself
	Dict object.Dict
	ID   webcapture.String
}

// Members yields the members of a content set that are in the file. An error is about one member.
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

// IsAsFetched reports whether the data of an image can be a file as it was fetched: those of JPEG and JPEG 2000 files
// can, under the one filter for them. Look resolves an object; false if that failed.
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

// Carried counts the IDs that the members of a content set carry. The zero value has none.
type Carried struct {
	Members int // that carry an ID; a member without one supports nothing
	IDs     map[nametree.Key]int
	Unread  []error // of members that could not be read
}

// Add counts a member, as Members yields it.
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

// Judge decides whether the ID of a content set can become a key: Right is Sets then. An ID that no member carries
// cannot if the images of the set have another MD5, or members carry another ID. The user can choose it against
// members.
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
