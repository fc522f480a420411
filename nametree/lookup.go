package nametree

import (
	"github.com/webcap-tools/webcap/nametree/object"
)

// Lookup looks up k in the name tree with this root, as [Tree.Find] does, and returns the value as stored. It reads
// only the nodes on the way. If one of these nodes is broken, ok is false, even if the entry exists.
//
// The error is an error of src other than a *[object.Malformed].
func Lookup(src object.Source, root object.Object, k Key) (value object.Object, ok bool, err error) {
	value, ok, err = lookup(src, root, k)
	return value, ok, object.IgnoreMalformed(err)
}

func lookup(src object.Source, at object.Object, k Key) (value object.Object, ok bool, err error) {
	for range caps.depth {
		n, err := readNode(src, at)
		switch {
		case err != nil:
			return object.Object{}, false, err
		case !n.hasKids:
			return n.value(src, k)
		}
		if at, ok, err = n.kid(src, k); !ok {
			return object.Object{}, false, err
		}
	}
	return object.Object{}, false, nil
}

// A lookupNode is one node on the way to a key.
type lookupNode struct {
	kids, names object.List
	hasKids     bool
}

func readNode(src object.Source, at object.Object) (n lookupNode, err error) {
	o, err := object.Resolve(src, at)
	if err != nil {
		return n, err
	}
	d, _ := o.Dict()
	kids, err := object.Resolve(src, d.Lookup("Kids"))
	if err != nil {
		return n, err
	}
	if n.kids, n.hasKids = kids.Array(); n.hasKids {
		return n, nil
	}
	names, err := object.Resolve(src, d.Lookup("Names"))
	n.names, _ = names.Array()
	return n, err
}

// kid returns the kid whose Limits include k.
func (n *lookupNode) kid(src object.Source, k Key) (kid object.Object, ok bool, err error) {
	kids := newElements(n.kids)
	for low, high := 0, kids.n-1; low <= high; {
		mid := int(uint(low+high) >> 1)
		limits, ok, err := readLimits(src, kids.at(mid))
		switch {
		case err != nil || !ok:
			return kid, false, err
		case k < limits.Least:
			high = mid - 1
		case k > limits.Greatest:
			low = mid + 1
		default:
			return kids.at(mid), true, nil
		}
	}
	return kid, false, nil
}

func readLimits(src object.Source, kid object.Object) (limits Limits, ok bool, err error) {
	o, err := object.Resolve(src, kid)
	if err != nil {
		return limits, false, err
	}
	d, _ := o.Dict()
	if o, err = object.Resolve(src, d.Lookup("Limits")); err != nil {
		return limits, false, err
	}
	l, _ := o.Array()
	list := newElements(l)
	if list.n != 2 {
		return limits, false, nil
	}
	for i, to := range []*Key{&limits.Least, &limits.Greatest} {
		if *to, ok, err = readKey(src, list.at(i)); !ok {
			return limits, false, err
		}
	}
	return limits, true, nil
}

func readKey(src object.Source, stored object.Object) (k Key, ok bool, err error) {
	o, err := object.Resolve(src, stored)
	if err != nil {
		return "", false, err
	}
	b, ok := o.AppendString(nil)
	return Key(b), ok, nil
}

// value returns the value of k in a leaf.
func (n *lookupNode) value(src object.Source, k Key) (value object.Object, ok bool, err error) {
	list := newElements(n.names)
	for low, high := 0, list.n/2-1; low <= high; {
		mid := int(uint(low+high+1) >> 1) // rounded up, as in Find
		key, ok, err := readKey(src, list.at(2*mid))
		switch {
		case err != nil || !ok:
			return value, false, err
		case k < key:
			high = mid - 1
		case k > key:
			low = mid + 1
		default:
			return list.at(2*mid + 1).Clone(), true, nil
		}
	}
	return value, false, nil
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
