package rewrite

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// siDepth is the number of objects from SI to a URL in a redirect chain: the array SI, a source, its alias, C, and a
// chain (tables 388, 391, and 392).
const siDepth = 6

// makeAbsolute makes the relative URLs of the content sets in the value of entry i absolute.
func (p *planner) makeAbsolute(t *treeEdit, i int) error {
	list, err := t.elements(i)
	if err != nil {
		return object.IgnoreMalformed(err)
	}
	for _, o := range list {
		var cs webcapture.ContentSet
		if err := p.reader.Read(o, &cs); err != nil {
			if err = object.IgnoreMalformed(err); err != nil {
				return err
			}
			continue
		}
		ref, isRef := o.Ref()
		for i := range cs.Sources {
			for _, url := range cs.Sources[i].URLs() {
				if key, ok := p.base.Key(url); ok && isRef && rule.IsRelative(url) {
					p.set(ref).urls[nametree.Key(url)] = key
				}
			}
		}
	}
	return nil
}

// withURLs returns SI, or an object in it, as text in which new URLs replace old ones. It reports whether there is an
// old one. It copies the objects that lead to one, because other content sets may share them; other references stay.
func (p *planner) withURLs(
	stored object.Object, urls map[nametree.Key]nametree.Key, depth int,
) (text []byte, changed bool, err error) {
	o, err := p.reader.Resolve(stored)
	if err != nil || depth == 0 {
		return stored.Append(nil), false, object.IgnoreMalformed(err)
	}
	switch o.Kind() {
	case object.String:
		if s, ok := o.AppendString(nil); ok {
			if url, ok := urls[nametree.Key(s)]; ok {
				return object.AppendString(nil, []byte(url)), true, nil
			}
		}
	case object.Array:
		list, _ := o.Array()
		text = []byte{'['}
		for e := range list.All() {
			element, isChanged, err := p.withURLs(e, urls, depth-1)
			if err != nil {
				return nil, false, err
			}
			text = append(append(text, element...), ' ')
			changed = changed || isChanged
		}
		text = append(text, ']')
	case object.Dictionary:
		d, _ := o.Dict()
		var changes []object.Setting
		for _, key := range []string{"AU", "U", "C"} {
			value, isChanged, err := p.withURLs(d.Lookup(key), urls, depth-1)
			if err != nil {
				return nil, false, err
			}
			if isChanged {
				changes = append(changes, object.Setting{Key: key, Value: value})
			}
		}
		text, changed = d.AppendWith(nil, changes...), len(changes) > 0
	}
	if !changed {
		text = stored.Append(nil)
	}
	return text, changed, nil
}
