package nametree

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A Refused error says why a tree was not written.
type Refused struct{ Reason string }

// Error returns the reason, without a full stop.
func (e *Refused) Error() string { return "name tree not written: " + e.Reason }

func refuse(format string, args ...any) error { return &Refused{fmt.Sprintf(format, args...)} }

// Write puts the nodes that have to change into sink, so that the tree that was
// read from src has the entries of [Edit.Result] and is sound (7.9.6, table
// 36): keys ascend, Limits are right, kids are references, the root has no
// Limits. root is what the tree was read from; what the name dictionary has to
// refer to from now on is returned: root itself if that is a reference or
// nothing has to change in the root, otherwise a reference to a new object.
//
// Write changes as little as it can. A leaf that holds the same entries as
// before and has the right Limits is not put, nor is an intermediate node with
// the same kids and the right Limits. A node that has to change keeps its
// object, and in it what is not Kids, Names or Limits. New nodes have at most 64
// pairs or kids; a node that has more than 64 already is not divided before it
// comes to more than 1024. A tree that is left with one leaf becomes a root with
// Names. An empty tree has empty Names; a root without Kids and Names that gets
// no entry is left alone. Nothing refers to a node that is not needed any more; it
// stays where it is.
//
// Entries keep the spelling of their values and, unless they get a new key, the
// reference to their key; Limits are written in place.
//
// Write refuses with a *[Refused], and puts nothing, if the result would hold a
// key twice; if the tree was not read as a whole, or root is neither a
// dictionary nor null; if a node has to change whose dictionary has one key
// twice, or that has a pair without an entry that was not dropped; if a node
// with foreign keys would be gone. Any other error is that of src; nothing is put
// then either.
func (e *Edit) Write(src object.Source, sink object.Sink, root object.Object) (object.Object, error) {
	p, err := e.plan()
	if err != nil {
		return object.Object{}, err
	}
	w := &writer{plan: p, sink: sink, dicts: make(map[int]object.Dict)}
	if err := w.read(src, root); err != nil {
		return object.Object{}, err
	}
	for h := range p.levels {
		w.level(h)
	}
	if p.kept {
		return root, nil
	}
	var ref object.Ref
	if len(e.t.nodes) > 0 {
		ref = e.t.nodes[0].ref
	}
	if ref.Num == 0 {
		ref = sink.New()
		root = object.MakeRef(ref)
	}
	h := len(p.levels)
	w.put(ref, w.dicts[0], nil, h, 0, p.units(h))
	return root, nil
}

// A writer puts the nodes of a plan.
type writer struct {
	*plan
	sink  object.Sink
	dicts map[int]object.Dict // of nodes that change and have foreign keys
	refs  []object.Ref        // of the nodes of the level below

	list, limits, text []byte // for reuse
}

// read makes sure that root is what was read, and gets all that Write needs
// from src.
func (w *writer) read(src object.Source, root object.Object) error {
	if len(w.t.nodes) == 0 {
		o, err := object.Resolve(src, root)
		switch {
		case err != nil && !object.IsMalformed(err):
			return fmt.Errorf("name tree: root: %w", err)
		case err != nil || !o.IsNull():
			return refuse("its root is neither a dictionary nor null")
		}
		return nil
	}
	for i, m := range w.marks {
		if m&foreignKey == 0 || m&unchanged != 0 || i == 0 && w.kept {
			continue
		}
		if err := w.readDict(src, root, i); err != nil {
			return err
		}
	}
	return nil
}

// readDict gets the dictionary of a node that has foreign keys. Only the root can
// be without an object here: check refuses other such nodes.
func (w *writer) readDict(src object.Source, root object.Object, i int) error {
	o := root
	if ref := w.t.nodes[i].ref; ref.Num != 0 {
		var err error
		if o, err = src.Get(ref); err != nil {
			return fmt.Errorf("name tree: object %v: %w", ref, err)
		}
	}
	d, ok := o.Dict()
	if !ok {
		return refuse("%s is no longer the dictionary that was read", w.name(i))
	}
	w.dicts[i] = d
	return nil
}

// level puts the nodes of a level that change.
func (w *writer) level(h int) {
	refs := make([]object.Ref, 0, len(w.levels[h]))
	for i := range w.levels[h] {
		b := &w.levels[h][i]
		var ref object.Ref
		var d object.Dict
		if b.old > 0 {
			ref, d = w.t.nodes[b.old].ref, w.dicts[int(b.old)]
		}
		if ref.Num == 0 {
			ref = w.sink.New()
		}
		refs = append(refs, ref)
		if !b.kept {
			w.put(ref, d, &b.Limits, h, b.from, b.to)
		}
	}
	w.refs = refs
}

// put makes the object ref a node with these units of a level. What else is in
// it comes from d.
func (w *writer) put(ref object.Ref, d object.Dict, limits *Limits, h, from, to int) {
	set := []object.Setting{{Key: "Limits"}, {Key: "Kids"}, {Key: "Names"}}
	if limits != nil {
		w.limits = appendKey(append(w.limits[:0], '['), limits.Least)
		w.limits = append(appendKey(append(w.limits, ' '), limits.Greatest), ']')
		set[0].Value = w.limits
	}
	w.list = w.appendUnits(w.list[:0], h, from, to)
	if h > 0 {
		set[1].Value = w.list
	} else {
		set[2].Value = w.list
	}
	w.text = d.AppendWith(w.text[:0], set...)
	w.sink.Put(ref, w.text)
}

// appendUnits appends an array of these units: pairs, or references to kids.
func (w *writer) appendUnits(dst []byte, h, from, to int) []byte {
	dst = append(dst, '[')
	for u := from; u < to; u++ {
		if u > from {
			dst = append(dst, '\n')
		}
		if h > 0 {
			dst = w.refs[u].Append(dst)
		} else {
			dst = w.appendPair(dst, w.seq.pair(u))
		}
	}
	return append(dst, ']')
}

func (w *writer) appendPair(dst []byte, p Pair) []byte {
	if p.KeyRef.Num != 0 {
		dst = p.KeyRef.Append(dst)
	} else {
		dst = appendKey(dst, p.Key)
	}
	dst = append(dst, ' ')
	if p.Value != nil {
		return append(dst, p.Value...)
	}
	return w.t.Entry(p.Origin).Value.Append(dst)
}

func appendKey(dst []byte, k Key) []byte { return object.AppendString(dst, []byte(k)) }
