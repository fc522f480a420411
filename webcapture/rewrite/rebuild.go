package rewrite

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// rebuild searches the whole file for content sets without an entry, and gives complete ones the keys of their IDs and
// URLs. If several of them have the same ID or page, it skips them, because the newest is unknown. A content set in the
// trees takes precedence.
func (p *planner) rebuild() error {
	if k := p.db.NamesKind; k != object.Null && k != object.Dictionary || p.db.NamesErr != nil ||
		p.db.Catalog.Raw() == nil {
		return nil // the name dictionary is damaged, or there is no catalog for it
	}
	known, err := p.known()
	if err != nil {
		return err
	}
	refs := p.file.Refs()
	p.file.SortByPosition(refs)
	var found []object.Ref
	for _, ref := range refs {
		if known[ref] || p.without[changeWithout(rule.Rebuild, ref)] != "" {
			continue
		}
		complete, err := p.complete(ref)
		if err != nil {
			return err
		}
		if complete {
			found = append(found, ref)
		}
	}
	if err := p.readSets(found...); err != nil {
		return err
	}
	for _, ref := range found {
		if err := p.giveKeys(ref); err != nil {
			return err
		}
	}
	return nil
}

// giveKeys gives a content set the keys of its ID and URLs.
func (p *planner) giveKeys(ref object.Ref) error {
	p.unseen[ref] = true
	for _, t := range p.trees {
		keys, err := p.addOwnKeys(t.name, object.MakeRef(ref))
		if err != nil {
			return err
		}
		for _, key := range keys {
			p.add(Step{
				Action: rule.Rebuild, Tree: t.name.String(), Place: &rule.Place{Set: ref},
				New:    key.String() + " " + ref.String(),
				Reason: "the content set is complete, and no entry leads to it",
			})
		}
	}
	return nil
}

// known returns the content sets that are in a tree, or will be after the steps so far.
func (p *planner) known() (map[object.Ref]bool, error) {
	known := map[object.Ref]bool{}
	for c, err := range p.file.Contents(p.db).All(p.file.NewReader()) {
		if object.IgnoreMalformed(err) != nil {
			return nil, err
		}
		known[c.Ref] = true
	}
	for _, t := range p.trees {
		for _, a := range t.added {
			if ref, ok := a.set.Ref(); ok {
				known[ref] = true
			}
		}
	}
	return known, nil
}

// complete reports whether an object is a content set with all required entries (14.10.4, table 388), and at least one
// of its members exists. A member is a dictionary with the type of a page, or a stream.
func (p *planner) complete(ref object.Ref) (bool, error) {
	o, err := p.reader.Get(ref)
	if err != nil || o.Kind() != object.Dictionary {
		return false, object.IgnoreMalformed(err)
	}
	d, _ := o.Dict()
	// Quick check, because most objects of a file are something else.
	if s := d.Lookup("S"); s.Kind() != object.Reference && !s.IsName("SPS") && !s.IsName("SIS") {
		return false, nil
	}
	var cs webcapture.ContentSet
	if err := p.reader.Read(o, &cs); err != nil {
		return false, object.IgnoreMalformed(err)
	}
	if _, ok := cs.Identifier(); !ok || cs.Subtype == webcapture.NoSubtype || len(cs.Sources) == 0 {
		return false, nil
	}
	for m := range cs.Members() {
		member, err := p.reader.Resolve(m)
		if object.IgnoreMalformed(err) != nil {
			return false, err
		}
		d, ok := member.Dict()
		if ok && (cs.Subtype == webcapture.ImageSet && member.Kind() == object.Stream ||
			d.Lookup("Type").IsName("Page")) {
			return true, nil
		}
	}
	return false, nil
}
