package nametree

import "github.com/webcap-tools/webcap/nametree/object"

// node reads the dictionary o of object ref as a node. It adds the kids to r.todo and does not read them.
func (r *reader) node(o object.Object, ref object.Ref, from kid) error {
	id := r.addNode(ref, from)
	d, _ := o.Dict()
	f := r.fields(d, id)
	if err := r.limits(f.limits, id); err != nil || r.err != nil {
		return err
	}
	kids, names, err := r.arrays(f, id)
	if err != nil {
		return err
	}
	if err := r.names(names, id); err != nil {
		return err
	}
	r.push(kids, id)
	return nil
}

// addNode adds a node, with only its reference and its position in the tree.
func (r *reader) addNode(ref object.Ref, from kid) int {
	id := len(r.t.nodes)
	n := Node{Ref: ref, Parent: from.parent, Index: from.index, First: r.t.n, least: -1, greatest: -1}
	if n.Parent >= 0 {
		parent := &r.t.nodes[n.Parent]
		n.Depth = parent.Depth + 1
		parent.Kids = append(parent.Kids, id)
	}
	r.t.nodes = append(r.t.nodes, n)
	if ref.Num != 0 {
		r.seen[ref] = id
	}
	return id
}

// fields are the three values of a node's dictionary, as stored.
type fields struct{ kids, names, limits object.Object }

func (r *reader) fields(d object.Dict, id int) fields {
	var f fields
	var hasKids, hasNames, hasLimits bool
	set := func(field *object.Object, has *bool, name string, v object.Object) {
		if *has {
			d := at(KeyTwice, id, -1)
			d.Name, d.Value = name, *field
			r.report(d)
		}
		*field, *has = v, true
	}
	for k, v := range d.All() {
		switch string(k) {
		case "Kids":
			set(&f.kids, &hasKids, "Kids", v)
		case "Names":
			set(&f.names, &hasNames, "Names", v)
		case "Limits":
			set(&f.limits, &hasLimits, "Limits", v)
		default:
			d := at(ForeignKey, id, -1)
			d.Name, d.Value = string(k), v
			r.report(d)
		}
	}
	return f
}

// arrays returns the elements of Kids and of Names.
func (r *reader) arrays(f fields, id int) (kids, names object.List, err error) {
	kids, hasKids, err := r.array(f.kids, KidsNotArray, id)
	if err != nil {
		return kids, names, err
	}
	names, hasNames, err := r.array(f.names, NamesNotArray, id)
	if err != nil {
		return kids, names, err
	}
	r.t.nodes[id].HasKids, r.t.nodes[id].HasNames = hasKids, hasNames
	switch {
	case hasKids && hasNames:
		r.report(at(BothKidsAndNames, id, -1))
	case !hasKids && !hasNames:
		r.report(at(NeitherKidsNorNames, id, -1))
	}
	return kids, names, nil
}

// array returns the elements of Kids or Names. has is false only if the value is null, which counts as absent (7.3.7).
func (r *reader) array(stored object.Object, kind DefectKind, id int) (l object.List, has bool, err error) {
	o, _, err := r.follow(stored)
	if err != nil && !object.IsMalformed(err) {
		return l, false, err
	}
	l, ok := o.Array()
	switch {
	case err == nil && o.IsNull():
		return l, false, nil
	case !ok:
		r.t.nodes[id].partial = true
		r.reportFound(kind, id, -1, stored, err)
	}
	return l, true, nil
}

// limits reads the Limits of a node.
func (r *reader) limits(stored object.Object, id int) error {
	o, _, err := r.follow(stored)
	if err == nil && o.IsNull() {
		if id > 0 {
			r.report(at(LimitsMissing, id, -1))
		}
		return nil
	}
	if id == 0 {
		r.reportFound(RootLimits, id, -1, stored, err)
	}
	if err == nil {
		err = r.twoStrings(o, id)
	}
	switch {
	case err != nil && !object.IsMalformed(err):
		return err
	case id > 0 && !r.t.nodes[id].HasLimits:
		r.reportFound(LimitsMalformed, id, -1, stored, err)
	}
	return nil
}

// twoStrings sets the limits of a node from o. It leaves HasLimits false if o is not an array of two strings.
func (r *reader) twoStrings(o object.Object, id int) error {
	l, _ := o.Array()
	var keys []Key
	for e := range l.All() {
		s, _, err := r.follow(e)
		if err != nil {
			return err
		}
		if !r.decode(s) || len(keys) == 2 {
			return nil
		}
		keys = append(keys, r.t.keys.at(r.t.keys.add(r.key)))
	}
	if len(keys) == 2 {
		n := &r.t.nodes[id]
		n.Limits, n.HasLimits = Limits{keys[0], keys[1]}, true
	}
	return nil
}
