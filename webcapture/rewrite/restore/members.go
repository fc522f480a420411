package restore

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// This file restores O and R.

// matchedMembers returns the pages and images of the file that belong to the content set, in the order of the original.
// It omits those in O of another content set, and those with another ID, which are of another capture. Of several
// equal images in no content set, those that no page with a match shows may also be of another capture.
func (f *filling) matchedMembers() (list []object.Ref) {
	has := map[object.Ref]bool{}
	for _, was := range f.m.was.members {
		found := f.pairs.Found(was)
		for _, ref := range found {
			id := idIn(f.file, ref)
			isCertain := len(found) == 1 || len(f.lists[ref]) > 0 || f.onPages[ref]
			if isCertain && f.isOfKind(ref) && !has[ref] && f.isFree(ref, f.m.is) && (len(id) != idSize || id == f.m.id) {
				list, has[ref] = append(list, ref), true
			}
		}
	}
	return list
}

// isOfKind reports whether an object of the file is a page in the page tree for a page set, or an image for an image
// set.
func (f *filling) isOfKind(ref object.Ref) bool {
	if f.theirs.Subtype == webcapture.ImageSet {
		return f.file.Image(ref) != nil
	}
	return f.file.Page(ref) != nil
}

// element is an element of O in the file.
type element struct {
	object object.Object
	ref    object.Ref
	live   bool // a page in the page tree, or an image
	exists bool // an object of the file
}

// elements returns the elements of O; ok is false if O is not an array.
func (f *filling) elements() (list []element, ok bool, err error) {
	all, ok := f.own.O.Array()
	for o := range all.All() {
		e := element{object: o.Clone()}
		e.ref, _ = o.Ref()
		e.live = e.ref.Num != 0 && f.isOfKind(e.ref)
		if e.exists = e.live; !e.live {
			is, err := f.file.Reader.Resolve(o)
			if object.IgnoreMalformed(err) != nil {
				return nil, false, err
			}
			e.exists = err != nil || !is.IsNull()
		}
		list = append(list, e)
	}
	return list, ok, nil
}

// fillMembers restores O if it is absent or has an element that leads to no member, and R if it is absent, broken, or
// no longer parallel to O.
func (f *filling) fillMembers() error {
	elements, isArray, err := f.elements()
	if err != nil {
		return err
	}
	for _, e := range elements {
		if e.live {
			f.m.members = append(f.m.members, e.ref)
		}
	}
	stored, err := f.storedCounts(f.file.Reader, f.own.R, len(elements))
	if err != nil {
		return err
	}
	listed := refSet(f.m.members)
	list := f.matchedMembers()
	isNew := func(ref object.Ref) bool { return !listed[ref] }
	isBroken := !isArray || len(elements) == 0 || len(f.m.members) < len(elements)
	if !isBroken {
		list = f.joined(list, listed)
	}
	changed := slices.ContainsFunc(list, isNew)
	known := map[object.Ref]int64{}
	for i, e := range elements {
		if stored != nil && e.live {
			known[e.ref] = stored[i]
		}
	}
	if changed {
		f.changeMembers(elements, list, listed)
	}
	if f.theirs.Subtype != webcapture.ImageSet || len(f.m.members) == 0 ||
		!changed && (stored != nil || len(f.m.members) != len(elements)) {
		return nil
	}
	was, err := f.file.Reader.Resolve(f.own.R)
	if object.IgnoreMalformed(err) != nil {
		return err
	}
	counts, err := f.countsAfter(f.m.members, known)
	if err != nil || slices.Equal(counts, stored) {
		return err
	}
	f.set("R", fmt.Append(nil, counts), f.shown("R", was), fmt.Sprint("R ", counts))
	return nil
}

func refSet(list []object.Ref) map[object.Ref]bool {
	set := make(map[object.Ref]bool, len(list))
	for _, ref := range list {
		set[ref] = true
	}
	return set
}

// joined returns the members of a valid O, and the matched ones without an ID, which a tool dropped from the content
// set. So parts of a capture are joined again. They are in page order (14.10.4.2, table 389) if those in O are.
func (f *filling) joined(list []object.Ref, listed map[object.Ref]bool) []object.Ref {
	result := slices.Clone(f.m.members)
	for _, ref := range list {
		if idIn(f.file, ref) == "" && !listed[ref] {
			result = append(result, ref)
		}
	}
	byPage := func(a, b object.Ref) int { return f.numberOf(a) - f.numberOf(b) }
	if slices.IsSortedFunc(f.m.members, byPage) {
		slices.SortStableFunc(result, byPage)
	}
	return result
}

// numberOf returns the number of a page of the file; 0 for an image.
func (f *filling) numberOf(ref object.Ref) int {
	if pg := f.file.Page(ref); pg != nil {
		return pg.Number
	}
	return 0
}

// changeMembers sets O to the matched members in the order of the original. Other elements that exist follow. Pages
// outside the page tree are replaced if there are enough new members.
func (f *filling) changeMembers(elements []element, list []object.Ref, listed map[object.Ref]bool) {
	added, orphans := 0, 0
	for _, ref := range list {
		if !listed[ref] {
			added++
		}
	}
	for _, e := range elements {
		if e.exists && !e.live {
			orphans++
		}
	}
	result, matched := slices.Clone(list), refSet(list)
	for _, e := range elements {
		if e.exists && (e.live && !matched[e.ref] || !e.live && e.ref.Num != 0 && orphans > added) {
			result = append(result, e.ref)
		}
	}
	var was []string
	for _, e := range elements {
		was = append(was, e.object.String())
	}
	before := ""
	if f.own.O.Kind() == object.Array {
		before = "O [" + several(was, " ") + "]"
	}
	f.m.members = result
	f.set("O", fmt.Append(nil, result), before, "O ["+several(result, " ")+"]")
	for _, ref := range result {
		if f.isFree(ref, f.m.is) && !slices.Contains(f.lists[ref], f.m.is) {
			f.lists[ref] = append(f.lists[ref], f.m.is)
		}
	}
}

// storedCounts returns the counts in R; nil if R is invalid or has not one count for each of n members (table 390).
func (f *filling) storedCounts(r *webcapture.Reader, stored object.Object, n int) (counts []int64, err error) {
	o, err := r.Resolve(stored)
	if err != nil {
		return nil, object.IgnoreMalformed(err)
	}
	elements := []object.Object{o}
	if list, ok := o.Array(); ok {
		elements = slices.Collect(list.All())
	}
	if len(elements) != n {
		return nil, nil
	}
	for _, e := range elements {
		e, err := r.Resolve(e)
		if err != nil {
			return nil, object.IgnoreMalformed(err)
		}
		count, ok := e.Int()
		if !ok || count < 0 {
			return nil, nil
		}
		counts = append(counts, count)
	}
	return counts, nil
}

// countsAfter returns the counts in R for members: the known counts, then those of the original if the file has exactly
// its pages, and otherwise the numbers of pages that show the images. A count of 0 in the original stays 0, because
// Acrobat does not count all uses.
func (f *filling) countsAfter(list []object.Ref, known map[object.Ref]int64) (counts []int64, err error) {
	elements, _ := f.theirs.O.Array()
	theirs, err := f.storedCounts(f.original.Reader, f.theirs.R, elements.Len())
	if err != nil {
		return nil, err
	}
	before := map[object.Ref]int64{}
	i := 0
	for e := range elements.All() {
		if ref, ok := e.Ref(); ok && theirs != nil {
			before[ref] = theirs[i]
		}
		i++
	}
	for _, ref := range list {
		was := f.pairs.Original(ref)
		count, ok := known[ref]
		if !ok {
			counted, has := before[was]
			count = int64(f.uses[ref])
			if has && (counted == 0 || f.pairs.Whole && len(f.pairs.Images(was)) == 1) {
				count = counted
			}
		}
		counts = append(counts, count)
	}
	return counts, nil
}
