package nametree

import (
	"github.com/webcap-tools/webcap/nametree/object"
)

// Lookup looks up k in the name tree with this root, as [Tree.Find] does, and returns the value as stored. It reads
// only the nodes on the way. If one of these nodes is broken, or a key in them takes more than 1 MiB, ok is false, even
// if the entry exists.
//
// The error is an error of src other than a *[object.Malformed].
func Lookup(src object.Source, root object.Object, k Key) (value object.Object, ok bool, err error) {
	l := lookup{src: src, key: k}
	if value, ok = l.value(root); l.err != nil {
		return object.Object{}, false, object.IgnoreMalformed(l.err)
	}
	return value, ok, nil
}

// A lookup reads the objects on the way to a key. After its first error, each object is null.
type lookup struct {
	src object.Source
	key Key
	err error
}

func (l *lookup) resolve(o object.Object) object.Object {
	if l.err == nil {
		o, l.err = object.Resolve(l.src, o)
	}
	if l.err != nil {
		return object.Object{}
	}
	return o
}

// value returns the value of the key in the tree with this root.
func (l *lookup) value(root object.Object) (value object.Object, ok bool) {
	at := root
	for range maxDepth {
		node, _ := l.resolve(at).Dict()
		kids, hasKids := l.resolve(node.Lookup("Kids")).Array()
		if !hasKids {
			names, _ := l.resolve(node.Lookup("Names")).Array()
			return l.inLeaf(newElements(names))
		}
		list := newElements(kids)
		i, ok := search(list.n, l.key, false, func(i int) (Limits, bool) { return l.limits(list.at(i)) })
		if !ok {
			return object.Object{}, false
		}
		at = list.at(i)
	}
	return object.Object{}, false
}

// inLeaf returns the value of the key in a Names array.
func (l *lookup) inLeaf(names elements) (value object.Object, ok bool) {
	i, ok := search(names.n/2, l.key, true, func(i int) (Limits, bool) {
		k, ok := l.decoded(names.at(2 * i))
		return Limits{k, k}, ok
	})
	if !ok {
		return object.Object{}, false
	}
	return names.at(2*i + 1).Clone(), true
}

// decoded returns a key; false if o is no string, or a long one, for which the caller has not paid.
func (l *lookup) decoded(o object.Object) (Key, bool) {
	if o = l.resolve(o); len(o.Raw()) > maxSought {
		return "", false
	}
	b, ok := o.AppendString(nil)
	return Key(b), ok
}

// limits returns the Limits of a kid.
func (l *lookup) limits(kid object.Object) (Limits, bool) {
	d, _ := l.resolve(kid).Dict()
	list, _ := l.resolve(d.Lookup("Limits")).Array()
	var keys []Key
	for o := range list.All() {
		if len(keys) == 2 {
			return Limits{}, false
		}
		k, ok := l.decoded(o)
		if !ok {
			return Limits{}, false
		}
		keys = append(keys, k)
	}
	if len(keys) != 2 {
		return Limits{}, false
	}
	return Limits{keys[0], keys[1]}, true
}

// elements gives access to the elements of an array by index. An array may have millions of elements, so only some
// positions are stored.
type elements struct {
	n     int
	every []object.List // the rest of the array from element 0, step, 2*step, … on
}

const step = 64

func newElements(l object.List) (e elements) {
	for rest, ok := l, true; ok; e.n++ {
		here := rest
		if _, rest, ok = rest.Cut(); !ok {
			break
		}
		if e.n%step == 0 {
			e.every = append(e.every, here)
		}
	}
	return e
}

func (e elements) at(i int) object.Object {
	l := e.every[i/step]
	for range i % step {
		_, l, _ = l.Cut()
	}
	o, _, _ := l.Cut()
	return o
}
