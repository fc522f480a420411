package engine

import (
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// addCarrier notes a page or image, if it is a carrier.
func (w *Worker) addCarrier(doc *rule.Document, ref object.Ref, stored webcapture.String, kind webcapture.Subtype, at rule.Place) {
	id, ok := rule.Identifier(stored)
	if ok && ref.Num != 0 && !doc.Members.Has(ref) {
		w.carriers = append(w.carriers, rule.Carrier{Ref: ref, ID: id, Kind: kind, At: at})
	}
}

// placeCarriers finds the elements of O that pages and images may stand for which no content set lists.
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

// fillVacancies finds for carriers the elements of O that they may stand for: those that
// are null, or not in the file, or pages that are not in the page tree, or images that no
// page shows. They have to be as many as the carriers; or more, if no other element of O
// is left and they are pages: then those that are left over can stand for nothing. Pages
// go by page order, of images there has to be one.
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
			continue // nothing tells which set it is
		}
		vacant, others, err := w.vacant(doc, list[0])
		if err != nil {
			return err
		}
		refs := groups[g]
		fits := len(vacant) == len(refs) || len(vacant) > len(refs) && others == 0
		if g.kind == webcapture.ImageSet {
			fits = len(vacant) == 1 && len(refs) == 1
		}
		for i := 0; fits && i < len(refs); i++ {
			doc.Vacancies[refs[i]] = rule.Vacancy{Set: list[0], Index: vacant[i]}
		}
	}
	return nil
}

// vacant returns the elements of O of a content set that may stand for something else, and
// the number of the others.
func (w *Worker) vacant(doc *rule.Document, set object.Ref) (list []int, others int, err error) {
	var cs webcapture.ContentSet
	if err := w.Reader.Read(object.MakeRef(set), &cs); err != nil {
		return nil, 0, object.IgnoreMalformed(err)
	}
	i := 0
	for m := range cs.Members() {
		o, err := w.Reader.Resolve(m)
		if object.IgnoreMalformed(err) != nil {
			return nil, 0, err
		}
		ref, _ := m.Ref()
		_, inTree := doc.Indexes[ref]
		switch {
		case isMisplaced(doc, o, ref, cs.Subtype):
			others++
		case err == nil && o.IsNull(),
			err == nil && cs.Subtype == webcapture.PageSet && !inTree,
			err == nil && cs.Subtype == webcapture.ImageSet && doc.UseCounts[ref] == 0 && !doc.Patterns[ref]:
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

// isMisplaced reports whether an element of O is an image in a page set, or a page in an image set, that stands in O of
// no other set: without this one it would be in none.
func isMisplaced(doc *rule.Document, o object.Object, ref object.Ref, t webcapture.Subtype) bool {
	isImage := o.Kind() == object.Stream
	return !o.IsNull() && isImage != (t == webcapture.ImageSet) && len(doc.Members.Of(ref)) == 1
}
