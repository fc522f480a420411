package engine

import (
	"crypto/md5"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// addCarrier records a page or image if it is a [rule.Carrier].
func (w *Worker) addCarrier(doc *rule.Document, ref object.Ref, stored webcapture.String, kind webcapture.Subtype, at rule.Place) {
	id, ok := rule.Identifier(stored)
	if ok && ref.Num != 0 && !doc.Members.Has(ref) {
		w.carriers = append(w.carriers, rule.Carrier{Ref: ref, ID: id, Kind: kind, At: at})
	}
}

// fillVacancies finds the elements of O that carriers replace. The ID must lead to only one page set or image set,
// depending on the carrier. If nothing in O is left, O becomes the carriers, in page order. Otherwise a carrier
// replaces only the element from which a tool copied it; see replaceCopies.
func (w *Worker) fillVacancies(doc *rule.Document) error {
	if len(doc.Carriers) == 0 || !doc.Whole {
		return nil
	}
	doc.Vacancies = map[object.Ref]rule.Vacancy{}
	type group struct {
		id   digest.ID
		kind webcapture.Subtype
	}
	groups := map[group][]object.Ref{}
	for _, c := range doc.Carriers { // pages are in page order
		groups[group{c.ID, c.Kind}] = append(groups[group{c.ID, c.Kind}], c.Ref)
	}
	sets := map[group][]object.Ref{}
	for _, m := range doc.Members.Rows {
		if g := (group{m.ID, m.Subtype}); m.HasID && groups[g] != nil && !slices.Contains(sets[g], m.Set) {
			sets[g] = append(sets[g], m.Set)
		}
	}
	for g, list := range sets {
		if len(list) != 1 || list[0].Num == 0 {
			continue // several content sets have the ID, or the only one is a direct object
		}
		s := &rule.Set{Ref: list[0]}
		err := w.Reader.Read(object.MakeRef(s.Ref), &s.ContentSet)
		if err == nil {
			err = w.fillSet(doc, s, groups[g])
		}
		if err := object.IgnoreMalformed(err); err != nil {
			return err
		}
	}
	return nil
}

// fillSet finds the elements of O of a content set that carriers with its ID replace. An error may be about a malformed
// element, which may be the page or image that the carriers seem to replace.
func (w *Worker) fillSet(doc *rule.Document, s *rule.Set, carriers []object.Ref) error {
	elements := 0
	var unused []element
	live := false
	for m := range s.Members() {
		o, err := w.Reader.Resolve(m)
		if err != nil {
			return err
		}
		ref, _ := m.Ref()
		switch {
		case o.IsNull():
		case isUnused(doc, ref, s.Subtype):
			unused = append(unused, element{elements, ref})
		default:
			live = true
		}
		elements++
		if err := w.step(rule.ElementCost); err != nil {
			return err
		}
	}
	if live || len(unused) > 0 {
		return w.replaceCopies(doc, s, unused, carriers)
	}
	for i, ref := range carriers {
		if s.Subtype == webcapture.ImageSet && (i >= elements || !w.canCount(doc, s, i, doc.Uses(ref))) {
			return nil // R would not have the count of the image
		}
	}
	for i, ref := range carriers {
		doc.Vacancies[ref] = rule.Vacancy{Set: s.Ref, Index: i}
	}
	return nil
}

// element is an element of O.
type element struct {
	index int
	ref   object.Ref
}

// isUnused reports whether an object is a page outside the page tree, or an image that no page shows.
func isUnused(doc *rule.Document, ref object.Ref, kind webcapture.Subtype) bool {
	if kind == webcapture.PageSet {
		_, inTree := doc.Indexes[ref]
		return ref.Num != 0 && !inTree
	}
	return ref.Num != 0 && doc.UseCounts[ref] == 0 && !doc.Patterns[ref]
}

// replaceCopies finds the carriers that a tool made as copies of unused elements of O: both have equal data, and no
// other element or carrier has these data.
func (w *Worker) replaceCopies(doc *rule.Document, s *rule.Set, unused []element, carriers []object.Ref) error {
	places := map[digest.ID][]element{}
	for _, e := range unused {
		if sum, ok, err := w.contentOf(e.ref, s.Subtype); err != nil {
			return err
		} else if ok {
			places[sum] = append(places[sum], e)
		}
	}
	if len(places) == 0 {
		return nil
	}
	copies := map[digest.ID][]object.Ref{}
	for _, ref := range carriers {
		if sum, ok, err := w.contentOf(ref, s.Subtype); err != nil {
			return err
		} else if ok {
			copies[sum] = append(copies[sum], ref)
		}
	}
	for sum, at := range places {
		if list := copies[sum]; len(at) == 1 && len(list) == 1 {
			doc.Vacancies[list[0]] = rule.Vacancy{Set: s.Ref, Index: at[0].index}
		}
	}
	return nil
}

// contentOf returns the MD5 of the data of an image, or of the content streams of a page. ok is false if there are
// none.
func (w *Worker) contentOf(ref object.Ref, kind webcapture.Subtype) (sum digest.ID, ok bool, err error) {
	streams := []object.Ref{ref}
	if kind == webcapture.PageSet {
		o, err := w.Reader.Get(ref)
		if err != nil {
			return sum, false, err
		}
		d, _ := o.Dict()
		contents := d.Lookup("Contents")
		resolved, err := w.Reader.Resolve(contents)
		if err != nil {
			return sum, false, err
		}
		streams = nil
		if list, isArray := resolved.Array(); isArray {
			for o := range list.All() {
				ref, _ := o.Ref()
				streams = append(streams, ref)
			}
		} else if ref, isRef := contents.Ref(); isRef {
			streams = append(streams, ref)
		}
	}
	h := md5.New()
	n := int64(0)
	for _, ref := range streams {
		data, err := w.Reader.Data(ref)
		if err != nil {
			return sum, false, err
		}
		read, err := io.Copy(h, data)
		if n += read; err != nil {
			return sum, false, err
		}
		if err := w.step(rule.ElementCost); err != nil {
			return sum, false, err
		}
	}
	return digest.ID(h.Sum(nil)), n > 0, nil
}

// canCount reports whether R of an image set agrees with an image at an index: its count there equals uses, the number
// of pages that show the image. If either number is unknown, they agree.
func (w *Worker) canCount(doc *rule.Document, s *rule.Set, index, uses int) bool {
	row := []rule.MemberRow{{Index: int32(index), Count: -1}}
	w.collectCounts(s, row)
	return !doc.Counted || row[0].Count < 0 || int(row[0].Count) == uses
}

// keepElements removes fixes that would drop an element of O if R does not have one count for each element. A fix for
// an element that a carrier replaces is kept.
func (w *Worker) keepElements(doc *rule.Document) error {
	filled := map[rule.Vacancy]bool{}
	for _, v := range doc.Vacancies {
		filled[v] = true
	}
	uneven := map[object.Ref]bool{}
	for _, list := range []rule.Findings{w.Run.found.Findings, w.Run.phase.Findings} {
		for i := range list {
			fix := list[i].Fix
			if fix == nil || fix.Action != rule.DropMember || filled[rule.Vacancy{Set: fix.Set, Index: fix.Index}] {
				continue
			}
			if _, ok := uneven[fix.Set]; !ok {
				uneven[fix.Set] = w.isUneven(fix.Set)
			}
			if uneven[fix.Set] {
				list[i].Fix, list[i].Message = nil, list[i].Message+", but R does not have a count for each element of O"
			}
			if err := w.step(rule.ElementCost); err != nil {
				return err
			}
		}
	}
	return nil
}

// isUneven reports whether R of a content set is an array with another length than O, or unreadable.
func (w *Worker) isUneven(set object.Ref) bool {
	s := &rule.Set{Ref: set}
	if set.Num == 0 {
		return false
	}
	if err := w.Reader.Read(object.MakeRef(set), &s.ContentSet); err != nil {
		w.CouldNotRead(s.At(), err)
		return false
	}
	r, ok := w.ResolveIn(s, s.R)
	counts, isArray := r.Array()
	members, _ := s.O.Array()
	return !ok || isArray && counts.Len() != members.Len()
}
