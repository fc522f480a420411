package audittest

import (
	"fmt"
	"io"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// extract copies all objects to which the catalog leads out of a file.
func extract(f *webcapture.File) (*mutant, error) {
	db, err := f.Database()
	if err != nil {
		return nil, err
	}
	catalog, _, err := object.Parse(db.Catalog.Raw(), 0)
	if err != nil {
		return nil, err
	}
	m := &mutant{objects: map[int]string{}, streams: map[int][]byte{}, root: 1}
	r := f.NewReader()
	n := objectNumbers{}
	m.objects[1] = n.render(catalog)
	for len(n.queue) > 0 {
		ref := n.queue[0]
		n.queue = n.queue[1:]
		o, err := r.Get(ref)
		if err != nil || o.IsNull() {
			continue
		}
		text := n.render(o)
		if o.Kind() == object.Stream {
			stored, err := r.Stream(ref)
			if err != nil {
				continue
			}
			data, err := io.ReadAll(stored)
			if err != nil {
				continue
			}
			text = edit(text, []any{"Length"}, "")
			m.streams[n.numbers[ref]] = data
		}
		m.objects[n.numbers[ref]] = text
	}
	return m, nil
}

// objectNumbers renumbers objects of a file, from 2 on, in the order in which they are found.
type objectNumbers struct {
	numbers map[object.Ref]int
	queue   []object.Ref // numbered objects that are not rendered yet
}

// render returns an object as text with renumbered references.
func (n *objectNumbers) render(o object.Object) string {
	if ref, ok := o.Ref(); ok {
		return n.reference(ref)
	}
	if d, ok := o.Dict(); ok {
		var b strings.Builder
		for k, v := range d.All() {
			fmt.Fprintf(&b, "%s %s\n", name(k), n.render(v))
		}
		return "<<" + b.String() + ">>"
	}
	if l, ok := o.Array(); ok {
		var b strings.Builder
		for v := range l.All() {
			b.WriteString(n.render(v) + " ")
		}
		return "[" + b.String() + "]"
	}
	if o.IsNull() {
		return "null"
	}
	return string(o.Raw())
}

func (n *objectNumbers) reference(ref object.Ref) string {
	if n.numbers[ref] == 0 {
		if n.numbers == nil {
			n.numbers = map[object.Ref]int{}
		}
		n.numbers[ref] = len(n.numbers) + 2
		n.queue = append(n.queue, ref)
	}
	return fmt.Sprintf("%d 0 R", n.numbers[ref])
}
