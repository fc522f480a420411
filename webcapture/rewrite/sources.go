package rewrite

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// siDepth is the number of objects from SI to a URL in a redirect chain: the array SI, a source, its alias, C, and a
// chain (tables 388, 391, and 392).
const siDepth = 6

// changeSource changes one URL of a content set. It copies SI, because other content sets may share its objects.
func (p *planner) changeSource(fix *rule.Fix) error {
	o, err := p.reader.Get(fix.Set)
	if err != nil {
		return object.IgnoreMalformed(err)
	}
	d, _ := o.Dict()
	text, changed, err := p.withURL(d.Lookup("SI"), fix.Old, fix.New, siDepth)
	if err == nil && changed {
		p.set(fix.Set).si = text
	}
	return err
}

// withURL returns SI, or an object in it, as text in which url replaces each string old. It reports whether there is
// such a string. Objects that lead to it are copied; other references stay.
func (p *planner) withURL(
	stored object.Object, old, url nametree.Key, depth int,
) (text []byte, changed bool, err error) {
	o, err := p.reader.Resolve(stored)
	if err != nil || depth == 0 {
		return stored.Append(nil), false, object.IgnoreMalformed(err)
	}
	switch o.Kind() {
	case object.String:
		if s, ok := o.AppendString(nil); ok && nametree.Key(s) == old {
			return object.AppendString(nil, []byte(url)), true, nil
		}
	case object.Array:
		list, _ := o.Array()
		text = []byte{'['}
		for e := range list.All() {
			element, isChanged, err := p.withURL(e, old, url, depth-1)
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
			value, isChanged, err := p.withURL(d.Lookup(key), old, url, depth-1)
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
