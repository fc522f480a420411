package audit

import (
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// What rules about the document as a whole are given. It costs a walk over the
// page tree, and one look at every member of every set; a run without such rules
// does neither.

// wantsDocument reports whether there are rules about the document as a whole.
func (s *ruleSet) wantsDocument() bool {
	return len(s.page)+len(s.image)+len(s.member)+len(s.document) > 0
}

// info is the fourth phase: it runs the checks of SpiderInfo and its commands.
func (r *run) info() error {
	return r.each(1, func(w *worker, _, _ int) error {
		in := Info{Stored: r.db.Catalog.Lookup("SpiderInfo"), Resolved: r.db.SpiderInfo}
		if err := w.readInfo(&in); err != nil {
			return err
		}
		for _, w.rule = range r.rules.info {
			w.rule.CheckInfo(&w.Pass, &in)
		}
		return nil
	})
}

// readInfo reads the commands, records those that cannot be read, and leaves out
// what stands in C again.
func (w *worker) readInfo(in *Info) error {
	_, err := w.Reader.Resolve(in.Stored)
	if err == nil {
		in.Info, err = w.Reader.Info(w.DB)
	}
	if err != nil {
		in.Info, in.Unread = nil, true
		return w.couldNotRead(in.At(), err)
	}
	if in.Info == nil {
		return nil
	}
	seen := map[object.Ref]bool{}
	in.Commands = slices.DeleteFunc(in.Commands, func(c webcapture.Command) bool {
		ref, ok := c.Object.Ref()
		if ok && seen[ref] {
			return true
		}
		seen[ref] = true
		if c.Err != nil {
			w.couldNotRead(in.AtCommand(c.Index), c.Err)
		}
		return c.Err != nil
	})
	return nil
}

// document is the fifth phase: the page tree, the images that pages show or
// sets list, and the members of sets.
func (r *run) document() error {
	if !r.rules.wantsDocument() || r.opt.Only != nil {
		return nil
	}
	if r.rows.Load() > int64(r.records) {
		r.members = nil
		r.phase.leave(errMembers)
		return nil
	}
	doc := &Document{
		Whole: true, indexes: map[object.Ref]int{}, uses: map[object.Ref]int{}, counted: true,
		masks: map[object.Ref]bool{}, members: newMemberTable(r.members),
	}
	r.pageIndexes = doc.indexes
	for name, t := range r.trees {
		doc.whole[name] = t != nil && t.Len() > 0 && complete(t.Tree.Tree)
	}
	for _, part := range []func(*Document) error{r.pages, r.patterns, r.images, r.eachMember} {
		if err := part(doc); err != nil {
			return err
		}
	}
	doc.carriers = r.carriers
	return r.each(1, func(w *worker, _, _ int) error {
		if err := w.fillVacancies(doc); err != nil {
			return err
		}
		for _, w.rule = range r.rules.document {
			w.rule.CheckDocument(&w.Pass, doc)
		}
		return nil
	})
}

// pages walks the page tree, runs the checks of pages, and counts the uses of
// images.
func (r *run) pages(doc *Document) error {
	return r.each(1, func(w *worker, _, _ int) error {
		shared := map[object.Ref]int{} // pages, by the resources that they share
		for pg, err := range w.Reader.Pages(r.db) {
			if err != nil {
				doc.Whole, doc.counted = false, false
				err = w.couldNotRead(Place{Object: pg.Ref}, err)
			} else {
				err = w.page(doc, pg, shared)
			}
			if err != nil {
				return err
			}
		}
		for ref, n := range shared {
			if err := w.countImages(doc, object.MakeRef(ref), n); err != nil {
				return err
			}
		}
		return nil
	})
}

// page notes a page and the images that it shows, and runs the checks of pages.
func (w *worker) page(doc *Document, stored webcapture.Page, shared map[object.Ref]int) error {
	doc.Pages++
	if stored.Again {
		doc.repeated = append(doc.repeated, Place{Object: stored.Ref, Page: stored.Index + 1})
		return w.step()
	}
	if stored.Ref.Num != 0 {
		doc.indexes[stored.Ref] = stored.Index
	}
	if ref, ok := stored.Resources.Ref(); ok {
		shared[ref]++
	} else if err := w.countImages(doc, stored.Resources, 1); err != nil {
		return err
	}
	pg, err := newPage(&w.Pass, stored)
	if err != nil {
		return w.couldNotRead(pg.At(), err)
	}
	if !pg.ID.Object.IsNull() {
		doc.tagged++
	}
	w.addCarrier(doc, stored.Ref, pg.ID, webcapture.PageSet, pg.At())
	for _, w.rule = range w.run.rules.page {
		w.rule.CheckPage(&w.Pass, pg, doc)
	}
	return w.step()
}

// countImages adds n uses to each image that resources lead to.
func (w *worker) countImages(doc *Document, resources object.Object, n int) error {
	for ref, err := range w.Reader.Images(resources) {
		if err != nil {
			doc.counted = false
			if err := w.couldNotRead(Place{Object: ref}, err); err != nil {
				return err
			}
			continue
		}
		if !w.Spend(elementCost) {
			return errBudget
		}
		doc.uses[ref] += n
	}
	return nil
}

// patterns finds the images that patterns show. That takes the page tree once more,
// so it is done only if some R is 0, and the document does not say why.
func (r *run) patterns(doc *Document) error {
	isUncounted := func(m membership) bool { return m.count == 0 && doc.uses[m.member] == 0 }
	if !doc.counted || len(r.rules.member) == 0 || !slices.ContainsFunc(r.members, isUncounted) {
		return nil
	}
	doc.pattern = map[object.Ref]bool{}
	return r.each(1, func(w *worker, _, _ int) error {
		seen := map[object.Ref]bool{}
		for pg, err := range w.Reader.Pages(r.db) {
			if err != nil || pg.Again {
				continue // that it cannot be read is known
			}
			if ref, ok := pg.Resources.Ref(); ok {
				if seen[ref] {
					continue
				}
				seen[ref] = true
			}
			if err := w.patternImages(doc, pg.Resources); err != nil {
				return err
			}
		}
		return nil
	})
}

// patternImages notes the images to which the patterns in resources lead. If one
// cannot be read, nobody knows which images those are.
func (w *worker) patternImages(doc *Document, resources object.Object) error {
	for ref, err := range w.Reader.PatternImages(resources) {
		if err != nil {
			doc.counted = false
			if err := w.couldNotRead(Place{Object: ref}, err); err != nil {
				return err
			}
			continue
		}
		doc.pattern[ref] = true
		if err := w.step(); err != nil {
			return err
		}
	}
	return w.step()
}

// images runs the checks of images that pages show or sets list, and notes
// their soft masks.
func (r *run) images(doc *Document) error {
	if len(r.rules.image)+len(r.rules.member)+len(r.rules.document) == 0 {
		return nil
	}
	targets := slices.Collect(maps.Keys(doc.uses))
	for _, m := range r.members {
		if m.subtype == webcapture.ImageSet && m.member.Num != 0 {
			targets = append(targets, m.member)
		}
	}
	r.file.SortByPosition(targets)
	targets = slices.Compact(targets)
	err := r.each(len(targets), func(w *worker, from, to int) error {
		for _, ref := range targets[from:to] {
			if err := w.image(doc, ref); err != nil {
				return err
			}
		}
		return nil
	})
	for _, ref := range r.masks {
		doc.masks[ref] = true
	}
	return err
}

// image runs the checks of one image.
func (w *worker) image(doc *Document, ref object.Ref) error {
	im := Image{Ref: ref}
	o, err := w.Reader.Get(ref)
	if err == nil {
		im.Dict, _ = o.Dict()
		im.ID, err = w.Reader.String(im.Dict.Lookup("ID"))
	}
	if err != nil {
		return w.couldNotRead(im.At(), err)
	}
	if subtype, ok := w.look(im.At(), im.Dict.Lookup("Subtype")); !ok || !subtype.IsName("Image") {
		return w.step()
	}
	if mask, ok := im.Dict.Lookup("SMask").Ref(); ok {
		w.masks = append(w.masks, mask)
	}
	w.addCarrier(doc, ref, im.ID, webcapture.ImageSet, im.At())
	for _, w.rule = range w.run.rules.image {
		w.rule.CheckImage(&w.Pass, &im, doc)
	}
	return w.step()
}

// step pays for an element: it returns errBudget when the budget is used up.
func (w *worker) step() error {
	if !w.Spend(elementCost) {
		return errBudget
	}
	return nil
}

// eachMember runs the checks of members: every object that stands in some O is
// visited once, in the order of the file.
func (r *run) eachMember(doc *Document) error {
	if len(r.rules.member) == 0 {
		return nil
	}
	var targets []object.Ref
	for _, m := range r.members {
		if m.member.Num != 0 {
			targets = append(targets, m.member)
		}
	}
	r.file.SortByPosition(targets)
	targets = slices.Compact(targets)
	return r.each(len(targets), func(w *worker, from, to int) error {
		for _, ref := range targets[from:to] {
			if err := w.member(doc, ref); err != nil {
				return err
			}
		}
		return nil
	})
}

// member runs the checks of one member.
func (w *worker) member(doc *Document, ref object.Ref) error {
	m := Member{Ref: ref, In: doc.members.of(ref)}
	at := Place{Object: ref}
	var err error
	if m.Object, err = w.Reader.Get(ref); err != nil {
		return w.couldNotRead(at, err)
	}
	m.Dict, _ = m.Object.Dict()
	for k, v := range m.Dict.All() {
		switch string(k) {
		case "Type":
			m.Type, err = w.Reader.Resolve(v)
		case "Subtype":
			m.Subtype, err = w.Reader.Resolve(v)
		case "ID":
			m.ID, err = w.Reader.String(v)
		}
		if err != nil {
			return w.couldNotRead(at, err)
		}
	}
	for _, w.rule = range w.run.rules.member {
		w.rule.CheckMember(&w.Pass, &m, doc)
	}
	return w.step()
}
