package engine

import (
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// This file prepares the input of rules about the whole document. That requires walking the page tree, and reading
// every member of every content set. An audit without such rules does neither.

// wantsDocument reports whether any rule is about the whole document, or has fixes that drop elements of O.
func (s *ruleSet) wantsDocument() bool {
	return s.drops || len(s.page)+len(s.image)+len(s.member)+len(s.document) > 0
}

// info is the fourth phase: it runs the checks of SpiderInfo and its commands.
func (r *Runner) info() error {
	return r.each(1, func(w *Worker, _, _ int) error {
		in := rule.Info{Stored: r.DB.Catalog.Lookup("SpiderInfo"), Resolved: r.DB.SpiderInfo}
		if err := w.readInfo(&in); err != nil {
			return err
		}
		for _, w.Rule = range r.rules.info {
			w.Rule.CheckInfo(&w.Pass, &in)
		}
		return nil
	})
}

// readInfo reads the commands, each once, and records unreadable ones.
func (w *Worker) readInfo(in *rule.Info) error {
	_, err := w.Reader.Resolve(in.Stored)
	if err == nil {
		in.Info, err = w.Reader.Info(w.DB)
	}
	if err != nil {
		in.Info, in.Unread = nil, true
		return w.CouldNotRead(in.At(), err)
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
			w.CouldNotRead(in.AtCommand(c.Index), c.Err)
		}
		return c.Err != nil
	})
	return nil
}

// document is the fifth phase: it runs the checks of the page tree, the images that pages show or content sets list,
// and the members of content sets.
func (r *Runner) document() error {
	if !r.rules.wantsDocument() {
		return nil
	}
	if r.rows.Load() > int64(r.records) {
		r.members = nil
		r.phase.leave(errMembers)
		return nil
	}
	doc := &rule.Document{
		Whole: true, Indexes: map[object.Ref]int{}, UseCounts: map[object.Ref]int{}, Counted: true,
		Masks: map[object.Ref]bool{}, Members: rule.NewMemberTable(r.members),
	}
	r.pageIndexes = doc.Indexes
	for name, t := range r.Trees {
		doc.WholeTrees[name] = t != nil && t.Len() > 0 && rule.Complete(t.Tree.Tree)
	}
	for _, part := range []func(*rule.Document) error{r.pages, r.patterns, r.images, r.placeCarriers, r.eachMember} {
		if err := part(doc); err != nil {
			return err
		}
	}
	if err := r.each(1, func(w *Worker, _, _ int) error {
		for _, w.Rule = range r.rules.document {
			w.Rule.CheckDocument(&w.Pass, doc)
		}
		return nil
	}); err != nil {
		return err
	}
	return r.keepElements(doc)
}

// pages walks the page tree, runs the checks of pages, and counts the pages that show each image.
func (r *Runner) pages(doc *rule.Document) error {
	return r.each(1, func(w *Worker, _, _ int) error {
		shared := map[object.Ref]int{} // number of pages, by the resources that they share
		for pg, err := range w.Reader.Pages(r.DB) {
			if err != nil {
				doc.Whole, doc.Counted = false, false
				err = w.CouldNotRead(rule.Place{Object: pg.Ref}, err)
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

// page records a page and the images that it shows, and runs the checks of pages.
func (w *Worker) page(doc *rule.Document, stored webcapture.Page, shared map[object.Ref]int) error {
	doc.Pages++
	if stored.Again {
		return w.step()
	}
	if stored.Ref.Num != 0 {
		doc.Indexes[stored.Ref] = stored.Index
	}
	if ref, ok := stored.Resources.Ref(); ok {
		shared[ref]++
	} else if err := w.countImages(doc, stored.Resources, 1); err != nil {
		return err
	}
	pg, err := rule.NewPage(&w.Pass, stored)
	if err != nil {
		return w.CouldNotRead(pg.At(), err)
	}
	if !pg.ID.Object.IsNull() {
		doc.Tagged++
	}
	w.addCarrier(doc, stored.Ref, pg.ID, webcapture.PageSet, pg.At())
	for _, w.Rule = range w.Run.rules.page {
		w.Rule.CheckPage(&w.Pass, pg, doc)
	}
	return w.step()
}

// countImages adds n to the use count of each image in resources, forms included.
func (w *Worker) countImages(doc *rule.Document, resources object.Object, n int) error {
	for ref, err := range w.Reader.Images(resources) {
		if err != nil {
			doc.Counted = false
			if err := w.CouldNotRead(rule.Place{Object: ref}, err); err != nil {
				return err
			}
			continue
		}
		if !w.Spend(rule.ElementCost) {
			return ErrBudget
		}
		doc.UseCounts[ref] += n
	}
	if !w.Spend(0) { // forms without images also cost work
		return ErrBudget
	}
	return nil
}

// patterns finds the images that patterns show. It walks the page tree again, so it runs only if R has the count 0 for
// some image, and no page shows that image without a pattern.
func (r *Runner) patterns(doc *rule.Document) error {
	isUncounted := func(m rule.MemberRow) bool { return m.Count == 0 && doc.UseCounts[m.Member] == 0 }
	if !doc.Counted || len(r.rules.member) == 0 || !slices.ContainsFunc(r.members, isUncounted) {
		return nil
	}
	doc.Patterns = map[object.Ref]bool{}
	return r.each(1, func(w *Worker, _, _ int) error {
		seen := map[object.Ref]bool{}
		for pg, err := range w.Reader.Pages(r.DB) {
			if err != nil || pg.Again {
				continue // already recorded as unreadable
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

// patternImages records the images that the patterns in resources show. If a pattern is unreadable, its images are
// unknown.
func (w *Worker) patternImages(doc *rule.Document, resources object.Object) error {
	for ref, err := range w.Reader.PatternImages(resources) {
		if err != nil {
			doc.Counted = false
			if err := w.CouldNotRead(rule.Place{Object: ref}, err); err != nil {
				return err
			}
			continue
		}
		doc.Patterns[ref] = true
		if err := w.step(); err != nil {
			return err
		}
	}
	return w.step()
}

// images runs the checks of images that pages show or content sets list, and records their soft masks.
func (r *Runner) images(doc *rule.Document) error {
	if !r.rules.drops && len(r.rules.image)+len(r.rules.member)+len(r.rules.document) == 0 {
		return nil
	}
	targets := slices.Collect(maps.Keys(doc.UseCounts))
	for _, m := range r.members {
		if m.Subtype == webcapture.ImageSet && m.Member.Num != 0 {
			targets = append(targets, m.Member)
		}
	}
	r.File.SortByPosition(targets)
	targets = slices.Compact(targets)
	err := r.each(len(targets), func(w *Worker, from, to int) error {
		for _, ref := range targets[from:to] {
			if err := w.image(doc, ref); err != nil {
				return err
			}
		}
		return nil
	})
	for _, ref := range r.masks {
		doc.Masks[ref] = true
	}
	return err
}

// image runs the checks of one image.
func (w *Worker) image(doc *rule.Document, ref object.Ref) error {
	im := rule.Image{Ref: ref}
	o, err := w.Reader.Get(ref)
	if err == nil {
		im.Dict, _ = o.Dict()
		im.ID, err = w.Reader.String(im.Dict.Lookup("ID"))
	}
	if err != nil {
		return w.CouldNotRead(im.At(), err)
	}
	if subtype, ok := w.Look(im.At(), im.Dict.Lookup("Subtype")); !ok || !subtype.IsName("Image") {
		return w.step()
	}
	if mask, ok := im.Dict.Lookup("SMask").Ref(); ok {
		w.masks = append(w.masks, mask)
	}
	w.addCarrier(doc, ref, im.ID, webcapture.ImageSet, im.At())
	for _, w.Rule = range w.Run.rules.image {
		w.Rule.CheckImage(&w.Pass, &im, doc)
	}
	return w.step()
}

// step spends the cost of one element; it returns ErrBudget if the budget is exceeded.
func (w *Worker) step() error {
	if !w.Spend(rule.ElementCost) {
		return ErrBudget
	}
	return nil
}

// eachMember runs the checks of members: it visits each object in O of any content set once, in file order.
func (r *Runner) eachMember(doc *rule.Document) error {
	if len(r.rules.member) == 0 {
		return nil
	}
	var targets []object.Ref
	for _, m := range r.members {
		if m.Member.Num != 0 {
			targets = append(targets, m.Member)
		}
	}
	r.File.SortByPosition(targets)
	targets = slices.Compact(targets)
	return r.each(len(targets), func(w *Worker, from, to int) error {
		for _, ref := range targets[from:to] {
			if err := w.member(doc, ref); err != nil {
				return err
			}
		}
		return nil
	})
}

// member runs the checks of one member.
func (w *Worker) member(doc *rule.Document, ref object.Ref) error {
	m := rule.Member{Ref: ref, In: doc.Members.Of(ref)}
	at := rule.Place{Object: ref}
	var err error
	if m.Object, err = w.Reader.Get(ref); err != nil {
		return w.CouldNotRead(at, err)
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
			return w.CouldNotRead(at, err)
		}
	}
	for _, w.Rule = range w.Run.rules.member {
		w.Rule.CheckMember(&w.Pass, &m, doc)
	}
	return w.step()
}
