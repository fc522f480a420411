package restore

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Most files have lost little or nothing. If both databases are equal except for object numbers, no content set needs
// to be matched or repaired.

// isIntact reports whether the file has exactly the pages, images, and content sets of the original. If so, it records
// them as known.
func (r *restoration) isIntact(before, after *likenesses) (bool, error) {
	if !r.known.whole || len(r.known.further) > 0 || len(before.images) != len(after.images) || len(r.LeftOut) > 0 {
		return false, nil
	}
	c := comparison{restoration: r, is: map[object.Ref]object.Ref{}, was: map[object.Ref]object.Ref{}}
	for _, l := range slices.Concat(before.pages, before.images) {
		is := r.known.is[l.ref]
		if is == nil || is.id != l.id {
			return false, nil
		}
		if same, err := c.same(l.dict.Lookup("PZ"), is.dict.Lookup("PZ"), maxDepth); err != nil || !same {
			return false, err
		}
		c.is[l.ref], c.was[is.ref] = is.ref, l.ref
		c.known = append(c.known, is.ref)
	}
	theirs, own := r.original.db.Trees(), r.file.db.Trees()
	if len(theirs) != len(own) {
		return false, nil
	}
	for i := range theirs {
		if same, err := c.sameTrees(theirs[i], own[i]); err != nil || !same {
			return false, err
		}
	}
	r.changes.Known, r.changes.Outcome.Sets = c.known, c.sets
	return true, nil
}

// comparison compares objects of the original with those of the file.
type comparison struct {
	*restoration
	is, was map[object.Ref]object.Ref // compared objects: is maps the original's to the file's, was the reverse
	known   []object.Ref              // content sets, pages, and images of the file
	sets    int
}

func (c *comparison) sameTrees(a, b *webcapture.Tree) (bool, error) {
	if a.Name != b.Name || a.Len() != b.Len() {
		return false, nil
	}
	for i, e := range a.Entries() {
		is := b.Entry(i)
		if e.Key != is.Key {
			return false, nil
		}
		if same, err := c.same(e.Value, is.Value, maxDepth); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

// same reports whether two objects are equal, ignoring object numbers and the order of dictionary entries. Streams
// other than known images count as different.
func (c *comparison) same(a, b object.Object, depth int) (bool, error) {
	if depth == 0 {
		return false, nil
	}
	if a.Kind() == object.Reference && b.Kind() == object.Reference {
		was, _ := a.Ref()
		is, _ := b.Ref()
		if known, ok := c.is[was]; ok {
			return known == is, nil
		}
		if _, taken := c.was[is]; taken {
			return false, nil
		}
		c.is[was], c.was[is] = is, was
		var err error
		if a, err = c.original.reader.Get(was); err != nil {
			return false, object.IgnoreMalformed(err)
		}
		if b, err = c.file.reader.Get(is); err != nil {
			return false, object.IgnoreMalformed(err)
		}
		d, _ := b.Dict()
		switch s := d.Lookup("S"); {
		case s.Kind() == object.Reference:
			return false, nil // another comparison shows whether it is a content set
		case s.IsName("SPS"), s.IsName("SIS"):
			c.known = append(c.known, is)
			c.sets++
		}
	}
	if a.Kind() != b.Kind() {
		return false, nil
	}
	switch a.Kind() {
	case object.Array:
		return c.sameLists(a, b, depth)
	case object.Dictionary:
		return c.sameDicts(a, b, depth)
	case object.Stream, object.Reference:
		return false, nil
	}
	return object.Same(a, b), nil
}

func (c *comparison) sameLists(a, b object.Object, depth int) (bool, error) {
	was, _ := a.Array()
	is, _ := b.Array()
	if was.Len() != is.Len() {
		return false, nil
	}
	list := slices.Collect(is.All())
	for o := range was.All() {
		if same, err := c.same(o, list[0], depth-1); err != nil || !same {
			return false, err
		}
		list = list[1:]
	}
	return true, nil
}

func (c *comparison) sameDicts(a, b object.Object, depth int) (bool, error) {
	was, _ := a.Dict()
	is, _ := b.Dict()
	n := 0
	for k, v := range was.All() {
		if same, err := c.same(v, is.Lookup(string(k)), depth-1); err != nil || !same {
			return false, err
		}
		n++
	}
	for range is.All() {
		n--
	}
	return n == 0, nil
}
