package engine

import (
	"cmp"
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// wantsDocument reports whether any rule is about the whole document, or has fixes that drop elements of O.
func (s *ruleSet) wantsDocument() bool {
	return s.drops || len(s.page)+len(s.image)+len(s.member)+len(s.document) > 0
}

// document runs the checks of SpiderInfo, of the page tree, of the images that pages show or content sets list, and of
// the members of content sets. An audit without rules about the whole document reads neither pages nor members.
func (r *Runner) document() error {
	if err := r.once((*Worker).info); err != nil || !r.rules.wantsDocument() {
		return err
	}
	doc := &rule.Document{
		Whole: true, UseCounts: map[object.Ref]int{}, Counted: true,
		Masks: map[object.Ref]bool{}, Members: rule.NewMemberTable(r.members),
	}
	r.doc = doc
	for name, t := range r.Trees {
		doc.WholeTrees[name] = t != nil && t.Len() > 0 && rule.Complete(t.Tree.Tree)
	}
	once := func(do func(*Worker, *rule.Document) error) func() error {
		return func() error { return r.once(func(w *Worker) error { return do(w, doc) }) }
	}
	for _, part := range []func() error{
		once((*Worker).pages),
		once((*Worker).patterns),
		func() error { return r.images(doc) },
		func() error { return r.eachMember(doc) },
		once((*Worker).wholeDocument),
		once((*Worker).keepElements),
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// wholeDocument runs the checks of the whole document.
func (w *Worker) wholeDocument(doc *rule.Document) error {
	for _, w.Rule = range w.Run.rules.document {
		w.Rule.CheckDocument(&w.Pass, doc)
	}
	return nil
}

// info runs the checks of SpiderInfo and its commands.
func (w *Worker) info() error {
	in := rule.Info{Stored: w.DB.Catalog.Lookup("SpiderInfo"), Resolved: w.DB.SpiderInfo}
	if err := w.readInfo(&in); err != nil {
		return err
	}
	for _, w.Rule = range w.Run.rules.info {
		w.Rule.CheckInfo(&w.Pass, &in)
	}
	return nil
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

// pages walks the page tree, runs the checks of pages, and counts the pages that show each image.
func (w *Worker) pages(doc *rule.Document) error {
	shared := map[object.Ref]sharedBy{} // pages, by the resources that they share
	for pg, err := range w.Reader.Pages(w.DB) {
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
	for ref, by := range shared {
		if err := w.countImages(doc, object.MakeRef(ref), by); err != nil {
			return err
		}
	}
	return nil
}

// sharedBy describes the pages with the same resources: their count, and the number of the first one, from 1.
type sharedBy struct{ count, first int }

// page records a page and the images that it shows, and runs the checks of pages.
func (w *Worker) page(doc *rule.Document, stored webcapture.Page, shared map[object.Ref]sharedBy) error {
	doc.Pages++
	if stored.Again {
		return w.step(meter.Object)
	}
	if stored.Ref.Num != 0 {
		doc.Numbers.Set(stored.Ref, int32(stored.Index+1))
	}
	if ref, ok := stored.Resources.Ref(); ok {
		by := shared[ref]
		shared[ref] = sharedBy{by.count + 1, cmp.Or(by.first, stored.Index+1)}
	} else if err := w.countImages(doc, stored.Resources, sharedBy{1, stored.Index + 1}); err != nil {
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
	return w.step(meter.Object)
}

// countImages adds to the use count of each image in resources, forms included.
func (w *Worker) countImages(doc *rule.Document, resources object.Object, by sharedBy) error {
	for ref, err := range w.Reader.Images(resources) {
		if err != nil {
			doc.Counted = false
			if err := w.CouldNotRead(rule.Place{Object: ref}, err); err != nil {
				return err
			}
			continue
		}
		doc.UseCounts[ref] += by.count
		if before := int(doc.ShownOn.Get(ref)); w.Run.opt.Keys && (before == 0 || by.first < before) {
			doc.ShownOn.Set(ref, int32(by.first))
		}
		if err := w.step(meter.Object); err != nil {
			return err
		}
	}
	return w.step(0) // forms without images also cost work
}

// patterns finds the images that patterns show. It walks the page tree again, so it runs only if R has the count 0 for
// some image, and no page shows that image without a pattern.
func (w *Worker) patterns(doc *rule.Document) error {
	isUncounted := func(m rule.MemberRow) bool { return m.Count == 0 && doc.UseCounts[m.Member] == 0 }
	if !doc.Counted || len(w.Run.rules.member) == 0 || !slices.ContainsFunc(doc.Members.Rows, isUncounted) {
		return nil
	}
	doc.Patterns = map[object.Ref]bool{}
	seen := map[object.Ref]bool{}
	for pg, err := range w.Reader.Pages(w.DB) {
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
		if err := w.step(meter.Object); err != nil {
			return err
		}
	}
	return w.step(meter.Object)
}

// images runs the checks of images that pages show or content sets list, and records their soft masks.
func (r *Runner) images(doc *rule.Document) error {
	if len(r.rules.image)+len(r.rules.member)+len(r.rules.document) == 0 {
		return nil
	}
	targets := slices.Collect(maps.Keys(doc.UseCounts))
	for _, m := range r.members {
		if m.Subtype == webcapture.ImageSet && m.Member.Num != 0 {
			targets = append(targets, m.Member)
		}
	}
	err := r.eachObject(targets, func(w *Worker, ref object.Ref) error { return w.image(doc, ref) })
	for _, ref := range r.masks {
		doc.Masks[ref] = true
	}
	doc.Carriers, doc.TaggedImages = r.carriers, r.tagged // carriers are pages and images
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
		return w.step(meter.Object)
	}
	if mask, ok := im.Dict.Lookup("SMask").Ref(); ok {
		w.masks = append(w.masks, mask)
	}
	if !im.ID.Object.IsNull() {
		w.tagged++
	}
	w.addCarrier(doc, ref, im.ID, webcapture.ImageSet, im.At())
	for _, w.Rule = range w.Run.rules.image {
		w.Rule.CheckImage(&w.Pass, &im, doc)
	}
	return w.step(meter.Object)
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
	return r.eachObject(targets, func(w *Worker, ref object.Ref) error { return w.member(doc, ref) })
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
	return w.step(meter.Object)
}

// addCarrier records a page or image if it is a [rule.Carrier].
func (w *Worker) addCarrier(doc *rule.Document, ref object.Ref, stored webcapture.String, kind webcapture.Subtype,
	at rule.Place) {
	id, ok := rule.Identifier(stored)
	if ok && ref.Num != 0 && !doc.Members.Has(ref) {
		w.carriers = append(w.carriers, rule.Carrier{Ref: ref, ID: id, Kind: kind, At: at})
	}
}

// keepElements removes fixes that would drop an element of O if R does not have one count for each element. A fix for
// an element that a page or image replaces is kept.
func (w *Worker) keepElements(*rule.Document) error {
	type element struct {
		set   object.Ref
		index int
	}
	lists := []rule.Findings{w.Run.found.Findings, w.Run.phase.Findings}
	replaced := map[element]bool{}
	for _, f := range lists[1] {
		if f.Fix != nil && f.Fix.Action == rule.ReplaceMember {
			replaced[element{f.Fix.Set, f.Fix.Index}] = true
		}
	}
	uneven := map[object.Ref]bool{}
	for _, list := range lists {
		for i := range list {
			fix := list[i].Fix
			if fix == nil || fix.Action != rule.DropMember || replaced[element{fix.Set, fix.Index}] {
				continue
			}
			if _, ok := uneven[fix.Set]; !ok {
				uneven[fix.Set] = w.isUneven(fix.Set)
			}
			if uneven[fix.Set] {
				list[i].Fix, list[i].Message = nil, list[i].Message+", but R does not have a count for each element of O"
			}
			if err := w.step(meter.Object); err != nil {
				return err
			}
		}
	}
	return nil
}

// isUneven reports whether R of a content set is an array with another length than O, or unreadable.
func (w *Worker) isUneven(set object.Ref) bool {
	s := &rule.Set{Ref: set}
	if err := w.Reader.Read(object.MakeRef(set), &s.ContentSet); err != nil {
		w.CouldNotRead(s.At(), err)
		return false
	}
	r, ok := w.ResolveIn(s, s.R)
	counts, isArray := r.Array()
	members, _ := s.O.Array()
	return !ok || isArray && counts.Len() != members.Len()
}
