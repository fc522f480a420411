package rewrite

import (
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// setEdit holds the changes of steps to one content set.
type setEdit struct {
	dropped  map[int]bool                  // removed elements of O
	replaced map[int]object.Ref            // replacements for elements of O, by index
	urls     map[nametree.Key]nametree.Key // new URLs in SI, by old URL
	id       nametree.Key                  // new ID; empty if it does not change
}

// set returns the edit of a content set.
func (p *planner) set(ref object.Ref) *setEdit {
	s := p.sets[ref]
	if s == nil {
		s = &setEdit{dropped: map[int]bool{}, replaced: map[int]object.Ref{}, urls: map[nametree.Key]nametree.Key{}}
		p.sets[ref] = s
	}
	return s
}

// isReplaced reports whether a fix is about an element of O that is replaced.
func (p *planner) isReplaced(f *rule.Fix) bool {
	if f.Action != rule.DropMember && f.Action != rule.ReplaceMember {
		return false
	}
	_, ok := p.set(f.Set).replaced[f.Index]
	return ok
}

// changeMember removes or replaces the element of O of a content set that finding i is about. An element that is both
// is replaced.
func (p *planner) changeMember(i int) (left string, err error) {
	f := p.finding(i)
	var cs webcapture.ContentSet
	if err := p.reader.Read(object.MakeRef(f.Fix.Set), &cs); err != nil {
		return "The content set cannot be read.", object.IgnoreMalformed(err)
	}
	elements, element := slices.Collect(cs.Members()), ""
	switch isThere := f.Fix.Index < len(elements); {
	case isThere:
		element = string(elements[f.Fix.Index].Append(nil))
	case f.Fix.Action == rule.DropMember:
		return "O no longer has this element.", nil
	}
	if f.Fix.Action == rule.DropMember {
		p.set(f.Fix.Set).dropped[f.Fix.Index] = true
	} else {
		p.set(f.Fix.Set).replaced[f.Fix.Index] = f.Place.Object
	}
	p.stepSaying(i, element, "")
	return "", nil
}

// putSets puts the edited content sets into the update, unless one of them is also a node of a name tree.
func (p *planner) putSets() error {
	refs := slices.DeleteFunc(slices.Collect(maps.Keys(p.sets)), func(ref object.Ref) bool {
		s := p.sets[ref]
		return len(s.dropped)+len(s.replaced)+len(s.urls) == 0 && s.id == ""
	})
	nodes, err := p.nodesOutside("")
	if err != nil {
		return err
	}
	if slices.ContainsFunc(refs, func(ref object.Ref) bool { return nodes[ref] }) {
		p.leave(func(s Step) bool { return s.Tree == "" }, "Something else in the file uses the content set as a "+
			"tree node.")
		return nil
	}
	p.file.SortByPosition(refs)
	for _, ref := range refs {
		s := p.sets[ref]
		o, err := p.reader.Get(ref)
		if err != nil {
			return err
		}
		set, _ := o.Dict()
		changes, err := p.members(set, s)
		if err != nil {
			return err
		}
		if len(s.urls) > 0 {
			si, changed, err := p.withURLs(set.Lookup("SI"), s.urls, siDepth)
			if err != nil {
				return err
			}
			if changed {
				changes = append(changes, object.Setting{Key: "SI", Value: si})
			}
		}
		if s.id != "" {
			changes = append(changes, object.Setting{Key: "ID", Value: object.AppendString(nil, []byte(s.id))})
		}
		p.update.Put(ref, set.AppendWith(nil, changes...))
	}
	return nil
}

// members returns O and R of an edited content set. If R is an array, it has one element for each element of O
// (14.10.4.3, table 390): audits propose no fix that drops elements if the lengths differ. Any other R stays, except
// that the count of a single image is removed with the image.
func (p *planner) members(set object.Dict, e *setEdit) ([]object.Setting, error) {
	if len(e.dropped)+len(e.replaced) == 0 {
		return nil, nil
	}
	o, err := p.reader.Resolve(set.Lookup("O"))
	if err != nil {
		return nil, err
	}
	r, err := p.reader.Resolve(set.Lookup("R"))
	if err != nil {
		return nil, err
	}
	members, _ := o.Array()
	for i := range e.replaced {
		delete(e.dropped, i)
	}
	changes := []object.Setting{{Key: "O", Value: edited(members, e.dropped, e.replaced)}}
	if counts, ok := r.Array(); ok && len(e.dropped) > 0 {
		changes = append(changes, object.Setting{Key: "R", Value: edited(counts, e.dropped, nil)})
	} else if r.Kind() == object.Integer && len(e.dropped) == members.Len() { // count of a single image
		changes = append(changes, object.Setting{Key: "R", Value: []byte("[]")})
	}
	return changes, nil
}

// edited returns an array as text, with some elements dropped and others replaced. Replacements for elements after the
// last one are appended.
func edited(list object.List, dropped map[int]bool, replaced map[int]object.Ref) []byte {
	text := []byte{'['}
	i := -1
	for o := range list.All() {
		if i++; dropped[i] {
			continue
		}
		if len(text) > 1 {
			text = append(text, ' ')
		}
		if ref, ok := replaced[i]; ok {
			text = ref.Append(text)
		} else {
			text = o.Append(text)
		}
	}
	for i++; replaced[i].Num != 0; i++ {
		text = replaced[i].Append(append(text, ' '))
	}
	return append(text, ']')
}

// recomputeID gives a content set, its images, and its key in IDS the new ID of a fix.
func (p *planner) recomputeID(fix *rule.Fix) error {
	set := object.MakeRef(fix.Set)
	var cs webcapture.ContentSet
	if err := p.reader.Read(set, &cs); err != nil {
		return object.IgnoreMalformed(err)
	}
	p.set(fix.Set).id = fix.New
	for m := range cs.Members() {
		if ref, ok := m.Ref(); ok {
			p.images[ref] = fix.New
		}
	}
	ids, isThere := p.trees[webcapture.IDS], false
	for i := range ids.tree.Len() {
		list, err := ids.elements(i)
		switch {
		case object.IgnoreMalformed(err) != nil:
			return err
		case err != nil || !slices.ContainsFunc(list, isRef(fix.Set)):
		case ids.keyOf(i) == fix.New:
			isThere = true
		default:
			if err := ids.takeOutOf(i, fix.Set); err != nil {
				return err
			}
		}
	}
	if !isThere {
		ids.add(fix.New, set)
	}
	return nil
}

// tagImages gives images their new IDs.
func (p *planner) tagImages() error {
	refs := slices.Collect(maps.Keys(p.images))
	p.file.SortByPosition(refs)
	for _, ref := range refs {
		o, err := p.reader.Get(ref)
		if err != nil {
			return err
		}
		image, _ := o.Dict()
		id := object.Setting{Key: "ID", Value: object.AppendString(nil, []byte(p.images[ref]))}
		p.update.PutDict(ref, image.AppendWith(nil, id))
	}
	return nil
}

// restoreLinks makes PA of links their action again (12.5.6.5).
func (p *planner) restoreLinks() error {
	for _, ref := range p.links {
		o, err := p.reader.Get(ref)
		if err != nil {
			return err
		}
		link, _ := o.Dict()
		action := object.Setting{Key: "A", Value: link.Lookup("PA").Append(nil)}
		p.update.Put(ref, link.AppendWith(nil, action, object.Setting{Key: "PA"}, object.Setting{Key: "Dest"}))
	}
	return nil
}

// removeSets removes the sets marked as removed from all values.
func (p *planner) removeSets() error {
	if len(p.removed) == 0 {
		return nil
	}
	for _, t := range p.trees {
		for i := range t.tree.Len() {
			list, err := t.elements(i)
			if object.IgnoreMalformed(err) != nil {
				return err
			}
			if slices.ContainsFunc(list, p.isRemoved) {
				t.value[i] = slices.DeleteFunc(slices.Clone(list), p.isRemoved)
				t.touched = true
			}
		}
		t.added = slices.DeleteFunc(t.added, func(a addition) bool { return p.isRemoved(a.set) })
	}
	p.leave(func(s Step) bool {
		return s.Action == rule.AddKey && p.isRemoved(object.MakeRef(s.findings[0].Fix.Set))
	}, "Another step removes the content set.")
	return nil
}

// isRemoved reports whether a content set is removed from the database.
func (p *planner) isRemoved(o object.Object) bool {
	ref, ok := o.Ref()
	return ok && p.removed[ref.String()]
}
