package nametree

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A Refused error is the reason why a tree was not written.
type Refused struct{ Reason string }

// Error returns the reason, without a full stop.
func (e *Refused) Error() string { return "name tree not written: " + e.Reason }

func refuse(format string, args ...any) error { return &Refused{fmt.Sprintf(format, args...)} }

// Write writes the nodes that have to change to sink. src is the source of the tree, and root the root from which the
// tree was read. The new tree has the entries of the Edit and is sound (7.9.6, table 36): keys ascend, Limits are
// correct, kids are references, and the root has no Limits. Write returns the reference for the name dictionary. This
// is root if root is a reference or does not change, and otherwise a reference to a new object.
//
// Write changes as little as possible. A node with the same entries or kids and correct Limits is not written. A
// changed node keeps its object, and all of its keys except Kids, Names, and Limits. New nodes have at most 64 pairs or
// kids; a larger old node is divided only when it exceeds 1024. A tree with only one leaf becomes a root with Names. An
// empty tree has empty Names, but a root without Kids and Names does not change if no entry is added. Superfluous nodes
// stay in the file without references to them.
//
// Pairs that are not entries stay at the end of their leaf unless they are dropped. Entries keep the spelling of their
// values. An entry keeps the reference to its key unless it gets a new key. Limits are written as direct objects.
//
// Write writes nothing and returns a *[Refused] in these cases:
//
//   - The result would have a key twice.
//   - The result would have more than 64 levels.
//   - The tree was not read completely, or root is neither a dictionary nor null.
//   - A node with foreign keys has changed in src since the tree was read, and is no longer a dictionary.
//   - A node that has to change has Kids, Names, or Limits twice.
//   - A leaf would disappear that has a pair that is not an entry and was not dropped.
//   - A node with foreign keys would disappear.
//
// Any other error is an error of src; then Write also writes nothing.
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
		ref = e.t.nodes[0].Ref
	}
	if ref.Num == 0 || e.replaced[ref] {
		ref = sink.New()
		root = object.MakeRef(ref)
	}
	h := len(p.levels)
	w.put(ref, 0, nil, h, 0, p.units(h))
	return root, nil
}

// A writer writes the nodes of a plan.
type writer struct {
	*plan
	sink  object.Sink
	dicts map[int]object.Dict // dictionaries of changed nodes with foreign keys
	refs  []object.Ref        // references to the nodes of the next lower level

	list, limits, text []byte // reused buffers
}

// read checks that root is the root that was read, and reads all data that Write needs from src.
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

// readDict reads the dictionary of a node that has foreign keys. Only the root can be a direct object here: check
// rejects other direct nodes with foreign keys.
func (w *writer) readDict(src object.Source, root object.Object, i int) error {
	o := root
	if ref := w.t.nodes[i].Ref; ref.Num != 0 {
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

// level writes the changed nodes of a level.
func (w *writer) level(h int) {
	refs := make([]object.Ref, 0, len(w.levels[h]))
	for i := range w.levels[h] {
		b := &w.levels[h][i]
		var ref object.Ref
		node := -1
		if b.old > 0 {
			node = b.old
			ref = w.t.nodes[node].Ref
		}
		if ref.Num == 0 || !b.kept && w.e.replaced[ref] {
			ref = w.sink.New()
		}
		refs = append(refs, ref)
		if !b.kept {
			w.put(ref, node, &b.Limits, h, b.from, b.to)
		}
	}
	w.refs = refs
}

// put writes a node as object ref. The node has the units from to to of level h. The other keys of its dictionary, and
// its pairs that are not entries, come from an old node; -1 for none.
func (w *writer) put(ref object.Ref, node int, limits *Limits, h, from, to int) {
	set := []object.Setting{{Key: "Limits"}, {Key: "Kids"}, {Key: "Names"}}
	if limits != nil {
		w.limits = appendKey(append(w.limits[:0], '['), limits.Least)
		w.limits = append(appendKey(append(w.limits, ' '), limits.Greatest), ']')
		set[0].Value = w.limits
	}
	w.list = w.appendUnits(w.list[:0], h, from, to)
	if strays := w.strays[node]; len(strays) > 0 {
		w.list = append(append(w.list[:len(w.list)-1], strays...), ']')
	}
	if h > 0 {
		set[1].Value = w.list
	} else {
		set[2].Value = w.list
	}
	w.text = w.dicts[node].AppendWith(w.text[:0], set...)
	w.sink.Put(ref, w.text)
}

// appendUnits appends an array of the units from to to of level h: pairs, or references to kids.
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

func (w *writer) appendPair(dst []byte, p editedPair) []byte {
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
