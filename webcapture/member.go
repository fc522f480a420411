package webcapture

import (
	"iter"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Member is an element of O of a content set, if its object exists in the file.
type Member struct {
	Ref  object.Ref // Num 0 for a direct object in O
	Dict object.Dict
	ID   String
}

// Members yields the existing members of a content set. Each error is about one member.
func Members(r *Reader, set *ContentSet) iter.Seq2[Member, error] {
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
