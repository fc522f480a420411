package rewrite

import (
	"fmt"
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
	removed  bool                          // the set is removed from the database
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

// findMembers records the replacements for elements of O from the findings about pages and images without a content
// set.
func (p *planner) findMembers() {
	found := p.rep.Findings
	for i := range found.Len() {
		if found.Rule(i).Action != rule.ReplaceMember {
			continue
		}
		f := p.finding(i)
		if f.Fix != nil && p.whyLeft(f) == "" && p.without[changeOf(f)] == "" {
			p.set(f.Fix.Set).replaced[f.Fix.Index] = f.Place.Object
		}
	}
}

// isReplaced reports whether a fix would drop an element of O that is replaced instead.
func (p *planner) isReplaced(f *rule.Fix) bool {
	if f == nil || f.Action != rule.DropMember || p.sets[f.Set] == nil {
		return false
	}
	_, ok := p.sets[f.Set].replaced[f.Index]
	return ok
}

// replaceMember replaces an element of O with the page or image at the place of a finding.
func (p *planner) replaceMember(f request, was string) {
	ref := p.set(f.Fix.Set).replaced[f.Fix.Index]
	key := stepKey{rule.ReplaceMember, f.Fix.Set.String(), fmt.Sprint(f.Fix.Index), ref.String()}
	s := p.share(key, Step{Action: rule.ReplaceMember, Place: &rule.Place{Set: f.Fix.Set, Object: ref},
		New: ref.String(), Reason: f.Message})
	if was != "" {
		s.Old = was
	}
	p.ask(s, f.Finding)
}

// dropMember removes an element of O of a content set.
func (p *planner) dropMember(f request) (left string, err error) {
	var cs webcapture.ContentSet
	if err := p.reader.Read(object.MakeRef(f.Fix.Set), &cs); err != nil {
		return "The content set cannot be read.", object.IgnoreMalformed(err)
	}
	elements := slices.Collect(cs.Members())
	if f.Fix.Index >= len(elements) {
		return "O no longer has this element.", nil
	}
	element := string(elements[f.Fix.Index].Append(nil))
	if p.isReplaced(f.Fix) {
		p.replaceMember(f, element)
		return "", nil
	}
	p.set(f.Fix.Set).dropped[f.Fix.Index] = true
	p.stepSaying(f, element, "")
	return "", nil
}

// stageSets adds the edited content sets to the stage.
func (b *builder) stageSets() error {
	refs := slices.Collect(maps.Keys(b.sets))
	b.file.SortByPosition(refs)
	for _, ref := range refs {
		s := b.sets[ref]
		if len(s.dropped)+len(s.replaced)+len(s.urls) == 0 && s.id == "" {
			continue
		}
		o, err := b.reader.Get(ref)
		if err != nil {
			return err
		}
		set, _ := o.Dict()
		changes, err := b.members(set, s)
		if err != nil {
			return err
		}
		if len(s.urls) > 0 {
			si, changed, err := b.withURLs(set.Lookup("SI"), s.urls, siDepth)
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
		b.stage.Put(ref, set.AppendWith(nil, changes...))
	}
	return nil
}

// members returns O and R of an edited content set. If R is an array, it has one element for each element of O
// (14.10.4.3, table 390): audits propose no fix that drops elements if the lengths differ. Any other R stays, except
// that the count of a single image is removed with the image.
func (v *view) members(set object.Dict, e *setEdit) ([]object.Setting, error) {
	if len(e.dropped)+len(e.replaced) == 0 {
		return nil, nil
	}
	o, err := v.reader.Resolve(set.Lookup("O"))
	if err != nil {
		return nil, err
	}
	r, err := v.reader.Resolve(set.Lookup("R"))
	if err != nil {
		return nil, err
	}
	members, _ := o.Array()
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
	isSet := func(o object.Object) bool { ref, ok := o.Ref(); return ok && ref == fix.Set }
	for i := range ids.tree.Len() {
		list, err := ids.elements(i)
		switch {
		case object.IgnoreMalformed(err) != nil:
			return err
		case err != nil || !slices.ContainsFunc(list, isSet):
		case ids.keyOf(i) == fix.New:
			isThere = true
		default:
			ids.value[i] = slices.DeleteFunc(slices.Clone(list), isSet)
			ids.touched = true
		}
	}
	if !isThere {
		ids.add(fix.New, set)
	}
	return nil
}

// tagImages gives images their new IDs.
func (b *builder) tagImages() error {
	refs := slices.Collect(maps.Keys(b.images))
	b.file.SortByPosition(refs)
	for _, ref := range refs {
		o, err := b.reader.Get(ref)
		if err != nil {
			return err
		}
		image, _ := o.Dict()
		id := object.Setting{Key: "ID", Value: object.AppendString(nil, []byte(b.images[ref]))}
		b.update.PutDict(ref, image.AppendWith(nil, id))
	}
	return nil
}

// restoreLinks makes PA of links their action again (12.5.6.5).
func (b *builder) restoreLinks() error {
	for _, ref := range b.links {
		o, err := b.reader.Get(ref)
		if err != nil {
			return err
		}
		link, _ := o.Dict()
		action := object.Setting{Key: "A", Value: link.Lookup("PA").Append(nil)}
		b.update.Put(ref, link.AppendWith(nil, action, object.Setting{Key: "PA"}, object.Setting{Key: "Dest"}))
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
func (e *edits) isRemoved(o object.Object) bool {
	ref, ok := o.Ref()
	return ok && e.sets[ref] != nil && e.sets[ref].removed
}

// allSets returns the indirect content sets of the entries with an indirect value, in the file order of these
// values.
func (v *view) allSets() ([]object.Ref, error) {
	seen := map[object.Ref]bool{}
	var refs []object.Ref
	for _, t := range v.db.Trees() {
		for _, e := range t.Entries() {
			if ref, ok := e.Value.Ref(); ok && !seen[ref] {
				seen[ref] = true
				refs = append(refs, ref)
			}
		}
	}
	v.file.SortByPosition(refs)
	values := refs
	refs = nil
	clear(seen)
	for _, value := range values {
		list, err := v.elements(object.MakeRef(value))
		if object.IgnoreMalformed(err) != nil {
			return nil, err
		}
		for _, o := range list {
			if ref, ok := o.Ref(); ok && !seen[ref] {
				seen[ref] = true
				refs = append(refs, ref)
			}
		}
	}
	return refs, nil
}
