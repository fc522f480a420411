package webcapture

import (
	"iter"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
)

// An xobject holds the entries of an XObject or a pattern that Images uses. The Reader caches xobjects, because
// many pages may share them, so each is parsed once.
type xobject struct {
	isImage   bool
	resources object.Object // of a form or a pattern; null for other objects
}

// xobjectSize is the memory of an entry of Reader.xobjects, in bytes.
const xobjectSize = 96

func (r *Reader) xobject(x object.Object, ref object.Ref) (xobject, error) {
	known, ok := r.xobjects[ref]
	if ok {
		return known, nil
	}
	o, err := r.Resolve(x)
	if err != nil {
		return known, err
	}
	d, _ := o.Dict()
	subtype, err := r.Resolve(d.Lookup("Subtype"))
	if err != nil {
		return known, err
	}
	switch {
	case subtype.IsName("Image"):
		known.isImage = true
	case subtype.IsName("Form"), !d.Lookup("PatternType").IsNull():
		known.resources = d.Lookup("Resources")
	}
	if r.xobjects == nil {
		r.xobjects = make(map[object.Ref]xobject)
	}
	r.xobjects[ref] = known
	return known, r.Keep(xobjectSize + int64(len(known.resources.Raw())))
}

// Images yields the image XObjects in a resource dictionary and in its forms, at any depth. It yields each image
// once, by its reference. It skips patterns, as Acrobat does when it counts references (14.10.4.3), and direct
// images, which the standard does not allow.
func (r *Reader) Images(resources object.Object) iter.Seq2[object.Ref, error] {
	return func(yield func(object.Ref, error) bool) {
		w := imageWalk{r: r, yield: yield}
		w.all(resources)
	}
}

// PatternImages yields the image XObjects in the patterns (8.7.3) of a resource dictionary, and in the forms and
// patterns below, at any depth. It yields each image once.
func (r *Reader) PatternImages(resources object.Object) iter.Seq2[object.Ref, error] {
	return func(yield func(object.Ref, error) bool) {
		w := imageWalk{r: r, patterns: true, yield: yield}
		w.all(resources)
	}
}

// An imageWalk finds the images of resources, either only those in patterns or only those outside. It visits an
// object at most twice: once within patterns and once outside.
type imageWalk struct {
	r        *Reader
	patterns bool
	yield    func(object.Ref, error) bool
	seen     map[reachedXObject]bool
	todo     []resourceDict
}

type reachedXObject struct {
	ref       object.Ref
	inPattern bool
}

type resourceDict struct {
	o         object.Object
	inPattern bool
}

func (w *imageWalk) all(resources object.Object) {
	w.todo = []resourceDict{{o: resources}}
	for len(w.todo) > 0 {
		in := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		o, err := w.r.Resolve(in.o)
		if err != nil && !w.yield(object.Ref{}, err) {
			return
		}
		d, _ := o.Dict()
		if !w.entries(d.Lookup("XObject"), in.inPattern) {
			return
		}
		if w.patterns && !w.entries(d.Lookup("Pattern"), true) {
			return
		}
	}
}

// entries visits the XObjects or patterns of a resource dictionary, and reports whether to continue.
func (w *imageWalk) entries(list object.Object, inPattern bool) bool {
	list, err := w.r.Resolve(list)
	if err != nil && !w.yield(object.Ref{}, err) {
		return false
	}
	d, _ := list.Dict()
	for name, x := range d.All() {
		// Each visit is paid: every page visits the forms that it shares with other pages.
		if err := w.r.Pay(meter.Object + int64(len(name)+len(x.Raw()))); err != nil {
			w.yield(object.Ref{}, err)
			return false
		}
		ref, ok := x.Ref()
		at := reachedXObject{ref, inPattern}
		if !ok || w.seen[at] {
			continue
		}
		if w.seen == nil {
			w.seen = map[reachedXObject]bool{}
		}
		w.seen[at] = true
		xo, err := w.r.xobject(x, ref)
		switch {
		case err != nil || xo.isImage && inPattern == w.patterns:
			if !w.yield(ref, err) {
				return false
			}
		case !xo.resources.IsNull():
			w.todo = append(w.todo, resourceDict{xo.resources, inPattern})
		}
	}
	return true
}
