package engine

import (
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

// placeCarriers finds the elements of O that carriers may replace. It also finds the IDs of carriers without such an
// element.
func (r *Runner) placeCarriers(doc *rule.Document) error {
	doc.Carriers = r.carriers
	if err := r.each(1, func(w *Worker, _, _ int) error { return w.fillVacancies(doc) }); err != nil {
		return err
	}
	doc.Wanting = map[digest.ID]bool{}
	for _, c := range doc.Carriers {
		if _, placed := doc.Vacancies[c.Ref]; !placed {
			doc.Wanting[c.ID] = true
		}
	}
	return nil
}

// fillVacancies finds the vacant elements of O that carriers may replace; see vacant. The ID must lead to only one page
// set or image set, depending on the carrier. Pages are assigned in page order, if there are as many vacant elements as
// pages. There may also be more vacant elements, if O has no other elements. An image is assigned only if it is the
// only one, one element is vacant, and R allows it; see canCount.
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
		if err := w.Reader.Read(object.MakeRef(s.Ref), &s.ContentSet); err != nil {
			if err := object.IgnoreMalformed(err); err != nil {
				return err
			}
			continue
		}
		vacant, others, err := w.vacant(doc, s)
		if err != nil {
			return err
		}
		refs := groups[g]
		fits := len(vacant) == len(refs) || len(vacant) > len(refs) && others == 0
		if g.kind == webcapture.ImageSet {
			fits = len(vacant) == 1 && len(refs) == 1 && w.canCount(doc, s, vacant[0], doc.Uses(refs[0]))
		}
		for i := 0; fits && i < len(refs); i++ {
			doc.Vacancies[refs[i]] = rule.Vacancy{Set: list[0], Index: vacant[i]}
		}
	}
	return nil
}

// vacant returns the indexes of the vacant elements of O, and the number of other elements. Vacant are elements that
// are null or missing in the file, elements of a page set outside the page tree, and elements of an image set that no
// page shows. A misplaced or unreadable element is not vacant; see isMisplaced.
func (w *Worker) vacant(doc *rule.Document, s *rule.Set) (list []int, others int, err error) {
	i := 0
	for m := range s.Members() {
		o, err := w.Reader.Resolve(m)
		if object.IgnoreMalformed(err) != nil {
			return nil, 0, err
		}
		ref, _ := m.Ref()
		_, inTree := doc.Indexes[ref]
		switch {
		case isMisplaced(doc, o, ref, s.Subtype):
			others++
		case err == nil && o.IsNull(),
			err == nil && s.Subtype == webcapture.PageSet && !inTree,
			err == nil && s.Subtype == webcapture.ImageSet && doc.UseCounts[ref] == 0 && !doc.Patterns[ref]:
			list = append(list, i)
		default:
			others++
		}
		i++
		if err := w.step(); err != nil {
			return nil, 0, err
		}
	}
	return list, others, nil
}

// isMisplaced reports whether an element of O has the wrong type for its content set, and is nowhere else in any O. The
// wrong type is a stream in a page set, or another object in an image set.
func isMisplaced(doc *rule.Document, o object.Object, ref object.Ref, t webcapture.Subtype) bool {
	isImage := o.Kind() == object.Stream
	return !o.IsNull() && isImage != (t == webcapture.ImageSet) && len(doc.Members.Of(ref)) == 1
}

// canCount reports whether R of an image set agrees with an image at an index: its count there equals uses, the number
// of pages that show the image. If either number is unknown, they agree.
func (w *Worker) canCount(doc *rule.Document, s *rule.Set, index, uses int) bool {
	row := []rule.MemberRow{{Index: int32(index), Count: -1}}
	w.collectCounts(s, row)
	return !doc.Counted || row[0].Count < 0 || int(row[0].Count) == uses
}

// keepElements removes fixes that would drop an element of O if the element has to stay. It has to stay if R does not
// have one count for each element, or if a carrier with the set's ID has no known place in O. A fix for an element that
// a carrier replaces is kept.
func (r *Runner) keepElements(doc *rule.Document) error {
	filled := map[rule.Vacancy]bool{}
	for _, v := range doc.Vacancies {
		filled[v] = true
	}
	uneven := map[object.Ref]bool{}
	return r.each(1, func(w *Worker, _, _ int) error {
		for _, list := range []rule.Findings{r.found.Findings, r.phase.Findings} {
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
				} else if id := list[i].Place.ID; len(id) == len(digest.ID{}) && doc.Wanting[digest.ID([]byte(id))] {
					list[i].Fix, list[i].Message = nil, list[i].Message+", but a page or image with the ID may belong there"
				}
				if err := w.step(); err != nil {
					return err
				}
			}
		}
		return nil
	})
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
