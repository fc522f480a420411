package webcapture

import (
	"iter"

	"github.com/webcap-tools/webcap/nametree/object"
)

// An xobject is the part of an XObject or a pattern that Images uses. The Reader caches it, because many pages may
// share an XObject.
type xobject struct {
	isImage   bool
	resources object.Object // of a form or a pattern; null for other objects
}

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
	return known, nil
}

// Images yields the image XObjects of a resource dictionary, and of the forms in it, at any depth. It skips
// patterns, because Acrobat skips them when it counts references (14.10.4.3). Each image is yielded once, by its
// reference; a direct image, which the standard does not allow, is not yielded.
func (r *Reader) Images(resources object.Object) iter.Seq2[object.Ref, error] {
	return func(yield func(object.Ref, error) bool) {
		w := imageWalk{r: r, yield: yield}
		w.all(resources)
	}
}

// PatternImages yields the image XObjects in patterns (8.7.3) of a resource dictionary, and of the forms and
// patterns in it, at any depth. Each is yielded once.
func (r *Reader) PatternImages(resources object.Object) iter.Seq2[object.Ref, error] {
	return func(yield func(object.Ref, error) bool) {
		w := imageWalk{r: r, patterns: true, yield: yield}
		w.all(resources)
	}
}

// An imageWalk finds the images of resources: either those in patterns or the others. It visits an object once
// within patterns and once outside.
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
	w.r.read += int64(len(d.Raw())) // forms that refer to each other are visited again for each page
	for _, x := range d.All() {
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
