package nametree

import (
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
)

// names reads the pairs of a Names array.
func (r *reader) names(l object.List, id int) error {
	var key object.Object
	pair, half := 0, false
	for o := range l.All() {
		if half = !half; half {
			key = o
			continue
		}
		if err := r.pair(key, o, id, pair); err != nil || r.err != nil {
			return err
		}
		pair++
	}
	switch n := &r.t.nodes[id]; {
	case half:
		r.reportFound(OddNames, id, pair, key, nil)
	case pair == 0 && id > 0 && n.HasNames && !n.partial:
		r.report(at(EmptyLeaf, id, -1))
	}
	if pair > hugeLeaf {
		r.report(at(HugeLeaf, id, -1))
	}
	return nil
}

// pair reads a pair of a Names array, and adds an entry if the pair has a key. It runs for each entry, so rare cases
// are in other functions.
func (r *reader) pair(stored, value object.Object, id, pair int) error {
	key := stored
	ref, indirect := stored.Ref()
	if indirect {
		var err error
		if key, _, err = r.follow(stored); err != nil {
			return r.unreadableKey(id, pair, stored, value, err)
		}
	}
	if !r.decode(key) {
		kind := KeyNotString
		if key.IsNull() {
			kind = KeyNull
		}
		r.noEntry(kind, id, pair, stored, value, nil)
		return nil
	}
	r.owe(entrySize + len(value.Raw()))
	r.order(r.t.append(r.key, Entry{Value: value, KeyRef: ref, Node: id, Pair: pair}), id, pair)
	if value.IsNull() {
		d := at(ValueNull, id, pair)
		d.Entry = r.t.n - 1
		r.report(d)
	}
	return nil
}

// unreadableKey reports a defect for a pair whose key cannot be read. It returns err if err is not a *object.Malformed.
func (r *reader) unreadableKey(id, pair int, key, value object.Object, err error) error {
	if !object.IsMalformed(err) {
		return err
	}
	r.t.nodes[id].partial = true
	r.noEntry(KeyUnreadable, id, pair, key, value, err)
	return nil
}

// noEntry reports a defect for a pair that is not an entry.
func (r *reader) noEntry(kind DefectKind, id, pair int, key, value object.Object, err error) {
	d := at(kind, id, pair)
	d.Found, d.Value, d.Err = key, value, err
	r.report(d)
}

// order compares the key of the last entry with the previous key in the tree. It also updates the bounds of the node.
func (r *reader) order(key Key, id, pair int) {
	n := &r.t.nodes[id]
	i := r.t.n - 1
	n.Count++
	order := 1
	if i > 0 {
		order = strings.Compare(string(key), string(r.prev))
	}
	r.prev = key
	switch {
	case order < 0:
		r.t.disorder = true
		d := at(KeyOrder, id, pair)
		d.Entry, d.Other = i, i-1
		r.report(d)
	case order == 0:
		r.t.repeated = true
	case n.Count > 1 && n.greatest == i-1:
		n.greatest = i // greater than the greatest
		return
	}
	r.t.widen(n, i, i)
}
